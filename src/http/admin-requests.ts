import { z } from "@hono/zod-openapi";
import { pageCursorPattern } from "../database/page-cursor.ts";

// What requests of the admin pages are read with.

const count = z.number().int();
const value = z.union([z.string(), z.number(), z.boolean()]).nullable();
export const credentialOfEnvironment = z.strictObject({ env: z.string().min(1).max(200) });
export const journalStatus = z.enum(["running", "ok", "error", "refused", "lost"]);
export const callStep = z.enum(["read", "hold", "redeem", "reject"]);

// Text that a database takes, in a query or a body.
const text = z
  .string()
  .regex(/^[^\0]*$/)
  .refine((given) => given.isWellFormed());
export const userId = text.min(1).max(500);
const provider = z.enum(["openai", "anthropic", "google", "openai-compatible"]);
const reasoning = z.enum(["none", "low", "medium", "high"]);
const keys = [
  credentialOfEnvironment,
  z.strictObject({ value: z.string().min(1).max(10_000) }),
  z.literal("none"),
] as const;
const dollars = z.number().min(0).max(100_000);
const newPrice = z.strictObject({ input: dollars, cachedInput: dollars.optional(), output: dollars });
export const createEndpoint = z
  .strictObject({
    name: z.string(),
    provider,
    model: z.string(),
    baseURL: z.string().optional(),
    images: z.boolean().optional(),
    tools: z.boolean().optional(),
    contextTokens: z.number().optional(),
    price: newPrice.optional(),
    temperature: z.number().optional(),
    maxOutputTokens: z.number().optional(),
    reasoning: reasoning.optional(),
    enabled: z.boolean().optional(),
    credential: z.union(keys).default("none"),
  })
  .openapi("CreateEndpoint");
export const changeEndpoint = z
  .strictObject({
    version: count,
    changes: z.strictObject({
      provider: provider.optional(),
      model: z.string().optional(),
      baseURL: z.string().nullable().optional(),
      images: z.boolean().nullable().optional(),
      tools: z.boolean().nullable().optional(),
      contextTokens: z.number().nullable().optional(),
      price: newPrice.nullable().optional(),
      temperature: z.number().nullable().optional(),
      maxOutputTokens: z.number().nullable().optional(),
      reasoning: reasoning.nullable().optional(),
      enabled: z.boolean().optional(),
    }),
    credential: z.union([...keys, z.literal("keep")]).default("keep"),
  })
  .openapi("ChangeEndpoint");

const versions = z.record(z.string(), count);
export const changeModule = z
  .strictObject({ on: z.boolean().nullable().optional(), writes: z.boolean().nullable().optional(), versions })
  .openapi("ChangeModule");

export const changeLimits = z
  .strictObject({ userId: userId.optional(), changes: z.record(z.string(), value), versions })
  .openapi("ChangeLimits");
export const clearFlags = z.strictObject({ userId }).openapi("ClearFlags");
export const stopTurn = z.strictObject({ userId }).openapi("StopTurn");

export const day = z.iso.date().regex(/^2\d{3}-/);
const word = text.max(300).optional();
const before = z.string().regex(pageCursorPattern).optional();
const journalFilter = {
  userId: userId.optional(),
  status: z.union([journalStatus, z.literal("trouble")]).optional(),
  endpoint: word,
  model: word,
  code: word,
  from: day.optional(),
  to: day.optional(),
};
export const journalFile = z.object(journalFilter);
export const journalQuery = z.object({ ...journalFilter, before });
export const toolCallsQuery = z.object({
  before,
  userId: userId.optional(),
  tool: word,
  step: callStep.optional(),
  outcome: z.enum(["done", "refused"]).optional(),
  from: day.optional(),
  to: day.optional(),
});
export const flagsQuery = z.object({ before, standing: z.literal("1").optional() });
