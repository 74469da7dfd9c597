import type { LanguageModelV4Usage } from "@ai-sdk/provider";
import type { Endpoint } from "./model.ts";

/** Tokens and cost as far as the provider said them; null is "not known", never 0. */
export interface Spent {
  readonly inputTokens: number | null;
  readonly cachedTokens: number | null;
  readonly outputTokens: number | null;
  readonly reasoningTokens: number | null;
  readonly costMicros: number | null;
}

export const nothingKnown: Spent = {
  inputTokens: null,
  cachedTokens: null,
  outputTokens: null,
  reasoningTokens: null,
  costMicros: null,
};

/** Reads a finish part's usage. Without `raw` its zeros are inventions of the provider package. */
export function readUsage(usage: LanguageModelV4Usage | null, price: Endpoint["price"]): Spent {
  if (usage?.raw === undefined) return nothingKnown;
  const tokens = {
    inputTokens: count(usage.inputTokens.total),
    cachedTokens: count(usage.inputTokens.cacheRead),
    outputTokens: count(usage.outputTokens.total),
    reasoningTokens: count(usage.outputTokens.reasoning),
  };
  const written = count(usage.inputTokens.cacheWrite) ?? 0;
  return { ...tokens, costMicros: saidCost(usage.raw) ?? pricedCost({ ...tokens, written }, price) };
}

function count(value: number | undefined): number | null {
  return value !== undefined && Number.isFinite(value) && value >= 0 ? Math.round(value) : null;
}

interface RawCost {
  readonly cost?: unknown;
  readonly is_byok?: unknown;
  readonly cost_details?: { readonly upstream_inference_cost?: unknown } | null;
}

/** What the provider itself says the call cost. With the host's own key at a router the router's figure is 0 and the truth stands beside it. */
function saidCost(raw: RawCost): number | null {
  const dollars = raw.is_byok === true ? raw.cost_details?.upstream_inference_cost : raw.cost;
  return typeof dollars === "number" && Number.isFinite(dollars) && dollars >= 0 ? Math.round(dollars * 1e6) : null;
}

/** What writing to a cache costs beyond reading the same as input, at the providers that charge for it. */
const writingPremium = 0.25;

function pricedCost(
  tokens: Omit<Spent, "costMicros"> & { readonly written: number },
  price: Endpoint["price"],
): number | null {
  if (price === undefined || tokens.inputTokens === null || tokens.outputTokens === null) return null;
  const cached = Math.min(tokens.cachedTokens ?? 0, tokens.inputTokens);
  // dollars per million tokens are millionths of a dollar per token
  return Math.ceil(
    (tokens.inputTokens - cached + tokens.written * writingPremium) * price.input +
      cached * (price.cachedInput ?? price.input) +
      tokens.outputTokens * price.output,
  );
}
