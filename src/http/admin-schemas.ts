import { z } from "@hono/zod-openapi";
import type * as admin from "../wire/admin.ts";
import * as requests from "./admin-requests.ts";

// The admin pages' answers as OpenAPI describes them, compared by the compiler with what crosses the wire.

const time = z.string().openapi({ format: "date-time" });
const id = z.string().openapi({ format: "uuid" });
const count = z.number().int();
const amount = z.number().openapi({ description: "Millionths of a US dollar." });
const orNull = <Schema extends z.ZodType>(schema: Schema) => schema.nullable();

const spending = z.object({ dayMicros: amount, monthMicros: amount });
const model = z.object({ endpoint: z.string(), name: z.string(), demo: z.boolean() });
export const overview = z
  .object({
    now: time,
    assistantOn: z.boolean(),
    aiOn: z.boolean(),
    spending,
    budgetDay: orNull(z.number()),
    budgetMonth: orNull(z.number()),
    runningTurns: count,
    suspendedUsers: count,
    availableEndpoints: count,
    model: orNull(model),
  })
  .openapi("AdminOverview") satisfies z.ZodType<admin.AdminOverview>;

const price = z.object({ input: z.number(), cachedInput: z.number().optional(), output: z.number() });
const endpoint = z
  .object({
    name: z.string(),
    provider: z.string(),
    baseURL: orNull(z.string()),
    model: z.string(),
    from: z.enum(["code", "admin"]),
    credential: z.union([requests.credentialOfEnvironment, z.literal("stored"), z.literal("none")]),
    available: z.boolean(),
    enabled: z.boolean(),
    images: z.boolean(),
    tools: z.boolean(),
    price: orNull(price),
    contextTokens: orNull(count),
    maxOutputTokens: orNull(count),
    temperature: orNull(z.number()),
    reasoning: orNull(z.string()),
    version: count,
  })
  .openapi("AdminEndpoint") satisfies z.ZodType<admin.AdminEndpoint>;
export const endpoints = z
  .object({
    endpoints: z.array(endpoint),
    canStoreKeys: z.boolean(),
    siteEndpoint: orNull(z.string()),
    offered: z.array(z.string()),
    users: z.array(z.object({ userId: z.string(), endpoint: z.string(), how: z.enum(["set", "pictures", "chosen"]) })),
  })
  .openapi("AdminEndpoints") satisfies z.ZodType<admin.AdminEndpoints>;

export const triedEndpoint = z
  .union([
    z.object({ ok: z.literal(true), model: z.string(), latencyMs: count }),
    z.object({ ok: z.literal(false), code: z.string() }),
  ])
  .openapi("AdminTriedEndpoint") satisfies z.ZodType<admin.AdminTriedEndpoint>;

const switches = z.object({ on: z.boolean(), writes: z.boolean() });
const moduleAnswer = z.object({
  key: z.string(),
  title: z.string(),
  on: z.boolean(),
  writes: z.boolean(),
  defaults: switches,
  versions: z.object({ on: count, writes: count }),
  tools: z.array(
    z.object({
      name: z.string(),
      title: z.string(),
      description: z.string(),
      kind: z.enum(["read", "write"]),
      permission: z.string(),
      scope: orNull(z.string()),
    }),
  ),
});
export const modules = z
  .object({ modules: z.array(moduleAnswer) })
  .openapi("AdminModules") satisfies z.ZodType<admin.AdminModules>;
const value = z.union([z.string(), z.number(), z.boolean()]).nullable();
export const limits = z
  .object({
    userId: orNull(z.string()),
    fields: z.array(
      z.object({
        key: z.string(),
        type: z.enum(["number", "text", "switch"]),
        optional: z.boolean(),
        unit: orNull(z.string()),
        min: orNull(z.number()),
        max: orNull(z.number()),
        describe: z.string(),
        own: value,
        isSet: z.boolean(),
        effective: value,
        inherited: value,
        version: count,
      }),
    ),
    spending,
  })
  .openapi("AdminLimits") satisfies z.ZodType<admin.AdminLimits>;

const sums = {
  calls: count,
  errors: count,
  refused: count,
  costMicros: amount,
  inputTokens: count,
  outputTokens: count,
};
const named = z.object({ name: z.string(), ...sums });
export const usage = z
  .object({
    from: z.string(),
    to: z.string(),
    total: z.object(sums),
    days: z.array(z.object({ day: z.string(), ...sums })),
    users: z.array(named),
    models: z.array(named),
    endpoints: z.array(named),
  })
  .openapi("AdminUsage") satisfies z.ZodType<admin.AdminUsage>;

export const journal = z
  .object({
    entries: z.array(
      z.object({
        requestId: id,
        userId: z.string(),
        at: time,
        source: z.string(),
        task: z.string(),
        endpoint: z.string(),
        model: z.string(),
        status: requests.journalStatus,
        code: orNull(z.string()),
        httpStatus: orNull(count),
        attempts: count,
        inputTokens: orNull(count),
        outputTokens: orNull(count),
        costMicros: orNull(amount),
        latencyMs: orNull(count),
        firstTokenMs: orNull(count),
      }),
    ),
    next: orNull(z.string()),
  })
  .openapi("AdminJournal") satisfies z.ZodType<admin.AdminJournal>;

export const toolCalls = z
  .object({
    calls: z.array(
      z.object({
        id,
        userId: z.string(),
        at: time,
        sessionHash: z.string(),
        tool: z.string(),
        title: orNull(z.string()),
        kind: z.enum(["read", "write", "unknown"]),
        step: requests.callStep,
        via: z.string(),
        requestId: z.string(),
        code: orNull(z.string()),
        confirmationId: orNull(id),
        durationMs: orNull(count),
      }),
    ),
    next: orNull(z.string()),
  })
  .openapi("AdminToolCalls") satisfies z.ZodType<admin.AdminToolCalls>;

export const flags = z
  .object({
    flags: z.array(z.object({ userId: z.string(), turnId: id, at: time, reason: z.string(), clearedAt: orNull(time) })),
    next: orNull(z.string()),
    standing: z.array(z.object({ userId: z.string(), count, limit: count, suspended: z.boolean(), lastAt: time })),
    windowSeconds: count,
  })
  .openapi("AdminFlags") satisfies z.ZodType<admin.AdminFlags>;

export const turns = z
  .object({
    now: time,
    turns: z.array(
      z.object({
        userId: z.string(),
        turnId: id,
        conversationId: id,
        node: z.string(),
        startedAt: time,
        deadlineAt: time,
        stopRequested: z.boolean(),
        keptAt: orNull(time),
      }),
    ),
    more: z.boolean(),
  })
  .openapi("AdminTurns") satisfies z.ZodType<admin.AdminTurns>;
