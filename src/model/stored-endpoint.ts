import { z } from "zod";
import type { EndpointRow } from "./endpoints.sql.ts";
import type { Endpoint } from "./model.ts";
import type { Seal } from "./seal.ts";

const dollars = z.number().min(0).max(100_000);

const priceSchema = z.strictObject({
  input: dollars,
  cachedInput: dollars.optional(),
  output: dollars,
});

/** What an admin says of an endpoint. The demo model and model objects are for code alone. */
export const endpointInputSchema = z.strictObject({
  // Not of dots alone: such a name is no part of an address.
  name: z.string().regex(/^(?!\.+$)[\w.-]{1,100}$/),
  provider: z.enum(["openai", "anthropic", "google", "openai-compatible"]),
  baseURL: z
    .url({ protocol: /^https?$/ })
    .max(2_000)
    .optional(),
  model: z.string().trim().min(1).max(200),
  images: z.boolean().optional(),
  tools: z.boolean().optional(),
  contextTokens: z.int().min(1_000).max(100_000_000).optional(),
  price: priceSchema.optional(),
  temperature: z.number().min(0).max(2).optional(),
  maxOutputTokens: z.int().min(16).max(1_000_000).optional(),
  reasoning: z.enum(["none", "low", "medium", "high"]).optional(),
  enabled: z.boolean().default(true),
});

export type EndpointInput = z.input<typeof endpointInputSchema>;

/** What changes of an endpoint: null takes a value away. */
export type EndpointChanges = {
  readonly [Key in Exclude<keyof EndpointInput, "name">]?: EndpointInput[Key] | null | undefined;
};

/** What an admin would have said to make this row, with changes over it; not checked yet. */
export function withChanges(row: EndpointRow, changes: EndpointChanges): Readonly<Record<string, unknown>> {
  const said: Readonly<Record<string, unknown>> = {
    provider: row.provider,
    baseURL: row.baseUrl,
    model: row.model,
    ...row.capabilities,
    contextTokens: row.contextTokens,
    price: row.price,
    ...row.defaults,
    enabled: row.enabled,
    ...changes,
    name: row.name,
  };
  return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== null && value !== undefined));
}

const capabilitiesSchema = endpointInputSchema.pick({ images: true, tools: true }).partial().catch({});
const defaultsSchema = endpointInputSchema
  .pick({ temperature: true, maxOutputTokens: true, reasoning: true })
  .partial()
  .catch({});

/** An endpoint of a row, with its key opened; null when it is off, unreadable, or its key cannot be had. */
export function fromRow(row: EndpointRow, seal: Seal | null): Endpoint | null {
  const provider = endpointInputSchema.shape.provider.safeParse(row.provider);
  if (!row.enabled || !provider.success) return null;
  const credential = credentialOf(row, seal);
  if (credential === null) return null;
  const price = priceSchema.safeParse(row.price);
  return {
    name: row.name,
    provider: provider.data,
    model: row.model,
    ...(row.baseUrl !== null && { baseURL: row.baseUrl }),
    ...capabilitiesSchema.parse(row.capabilities),
    ...defaultsSchema.parse(row.defaults),
    ...(row.contextTokens !== null && { contextTokens: row.contextTokens }),
    ...(price.success && { price: withoutUndefined(price.data) }),
    ...credential,
  };
}

function credentialOf(row: EndpointRow, seal: Seal | null): Pick<Endpoint, "credential"> | null {
  if (row.credentialEnv !== null) return { credential: { env: row.credentialEnv } };
  if (row.credentialSealed === null) return {};
  const value = seal?.open(row.credentialSealed, row.name) ?? null;
  return value === null ? null : { credential: { value } };
}

export function toRow(
  input: z.output<typeof endpointInputSchema>,
): Omit<EndpointRow, "version" | "credentialEnv" | "credentialSealed"> {
  const { name, provider, baseURL = null, model, contextTokens = null, price = null, enabled, ...more } = input;
  const { images, tools, ...defaults } = more;
  return {
    name,
    provider,
    baseUrl: baseURL,
    model,
    capabilities: { images, tools },
    contextTokens,
    price,
    defaults,
    enabled,
  };
}

function withoutUndefined({
  input,
  output,
  cachedInput,
}: z.output<typeof priceSchema>): NonNullable<Endpoint["price"]> {
  return { input, output, ...(cachedInput !== undefined && { cachedInput }) };
}
