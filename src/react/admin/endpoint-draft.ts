import type { AdminCredential, AdminEndpoint } from "../../wire/admin.ts";

/** What the form of an endpoint holds, all as text. */
export interface EndpointDraft {
  readonly name: string;
  readonly provider: string;
  readonly baseURL: string;
  readonly model: string;
  readonly input: string;
  readonly cachedInput: string;
  readonly output: string;
  readonly contextTokens: string;
  readonly maxOutputTokens: string;
  readonly temperature: string;
  readonly reasoning: string;
  readonly images: boolean;
  readonly tools: boolean;
  readonly enabled: boolean;
}

export type KeyChoice = "keep" | "env" | "value" | "none";

const text = (value: number | string | null | undefined): string => (value == null ? "" : String(value));

/** The form of an endpoint as it is, or of a new one. */
export function toDraft(endpoint: AdminEndpoint | null): EndpointDraft {
  return {
    name: endpoint?.name ?? "",
    provider: endpoint?.provider ?? "openai",
    baseURL: text(endpoint?.baseURL),
    model: endpoint?.model ?? "",
    input: text(endpoint?.price?.input),
    cachedInput: text(endpoint?.price?.cachedInput),
    output: text(endpoint?.price?.output),
    contextTokens: text(endpoint?.contextTokens),
    maxOutputTokens: text(endpoint?.maxOutputTokens),
    temperature: text(endpoint?.temperature),
    reasoning: text(endpoint?.reasoning),
    images: endpoint?.images ?? false,
    tools: endpoint?.tools ?? true,
    enabled: endpoint?.enabled ?? true,
  };
}

/** Fields somebody else changed since take their newer values, unless they were touched here. */
export function mergeDraft(
  draft: EndpointDraft,
  before: AdminEndpoint | null,
  newer: AdminEndpoint | null,
): EndpointDraft {
  const read = toDraft(before);
  const now = toDraft(newer);
  const untouched = Object.entries(now).filter(([key]) => {
    const field = key as keyof EndpointDraft;
    return draft[field] === read[field];
  });
  return { ...draft, ...Object.fromEntries(untouched) };
}

const number = (typed: string): number | null => (typed.trim() === "" ? null : Number(typed));
const words = (typed: string): string | null => (typed.trim() === "" ? null : typed.trim());

/** A draft as the server takes it; null where nothing is said. */
function toFields(draft: EndpointDraft): Readonly<Record<string, unknown>> {
  const input = number(draft.input);
  const output = number(draft.output);
  const cachedInput = number(draft.cachedInput);
  const hasPrice = input !== null || output !== null;
  return {
    provider: draft.provider,
    model: draft.model.trim(),
    baseURL: words(draft.baseURL),
    price: hasPrice ? { input: input ?? 0, output: output ?? 0, ...(cachedInput !== null && { cachedInput }) } : null,
    contextTokens: number(draft.contextTokens),
    maxOutputTokens: number(draft.maxOutputTokens),
    temperature: number(draft.temperature),
    reasoning: words(draft.reasoning),
    images: draft.images,
    tools: draft.tools,
    enabled: draft.enabled,
  };
}

/** The body that makes an endpoint. */
export function toCreate(draft: EndpointDraft, credential: AdminCredential): object {
  const said = Object.entries(toFields(draft)).filter(([, value]) => value !== null);
  return { name: draft.name.trim(), ...Object.fromEntries(said), credential };
}

/** The body that changes one: only the fields that differ from what was read. */
export function toChange(draft: EndpointDraft, before: AdminEndpoint, credential: AdminCredential): object {
  const read = new Map(Object.entries(toFields(toDraft(before))));
  const changed = Object.entries(toFields(draft)).filter(
    ([key, value]) => JSON.stringify(value) !== JSON.stringify(read.get(key)),
  );
  return { version: before.version, changes: Object.fromEntries(changed), credential };
}
