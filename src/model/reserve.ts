import type { Endpoint, OfferedTool, Prompt } from "./model.ts";

/** What an answer may be long where an endpoint says nothing. */
export const defaultMaxOutputTokens = 4_096;

const tokensOfPicture = 3_000;
/** Roles, separators and the provider's own additions around each message or tool. */
const tokensAround = 12;

type Reserving = Pick<Endpoint, "provider" | "reasoning" | "price" | "maxOutputTokens" | "contextTokens">;

/**
 * The most a call can cost, in millionths of a dollar: the prompt counted high (a token for every two bytes of text)
 * and an answer of the endpoint's full length. Null when no price says it.
 */
export function largestCost(
  endpoint: Reserving,
  request: { readonly prompt: Prompt; readonly tools: readonly OfferedTool[] },
): number | null {
  const { price, contextTokens = Number.POSITIVE_INFINITY } = endpoint;
  if (price === undefined) return null;
  // more than fits its context a provider refuses
  const input = Math.min(estimateInputTokens(request), contextTokens);
  return Math.ceil(input * price.input + mostOutput(endpoint) * price.output);
}

/** One provider's thinking comes on top of what was asked for: the package adds a share of the model's own limit. */
const thinkingOnTop = { none: 0, low: 0.1, medium: 0.3, high: 0.6 } as const;
const largestModelOutput = 128_000;

function mostOutput({ provider, reasoning, maxOutputTokens = defaultMaxOutputTokens }: Reserving): number {
  if (provider !== "anthropic" || reasoning === undefined) return maxOutputTokens;
  return maxOutputTokens + thinkingOnTop[reasoning] * largestModelOutput;
}

/** Never less than what any tokenizer in use makes of the prompt, within reason; often twice as much. */
export function estimateInputTokens(request: {
  readonly prompt: Prompt;
  readonly tools: readonly OfferedTool[];
}): number {
  const { prompt, tools } = request;
  let bytes = Buffer.byteLength(prompt.system);
  let pieces = 1 + tools.length;
  let pictures = 0;
  for (const tool of tools) bytes += Buffer.byteLength(tool.description) + Buffer.byteLength(JSON.stringify(tool));
  for (const message of prompt.messages) {
    pieces += 1;
    if (message.role === "results") {
      pieces += message.results.length;
      for (const result of message.results) bytes += Buffer.byteLength(result.text);
      continue;
    }
    bytes += Buffer.byteLength(message.text);
    if (message.role === "user") pictures += message.pictures?.length ?? 0;
    else for (const call of message.calls) bytes += Buffer.byteLength(JSON.stringify(call));
  }
  return Math.ceil(bytes / 2) + pieces * tokensAround + pictures * tokensOfPicture;
}
