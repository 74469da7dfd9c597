import type { LanguageModelV4CallOptions } from "@ai-sdk/provider";
import { compatibleName } from "./open-model.ts";
import type { Endpoint } from "./model.ts";
import type { RequestShape } from "./request-shape.ts";
import { defaultMaxOutputTokens } from "./reserve.ts";
import { toProviderPrompt } from "./to-provider-prompt.ts";

/** One request in the provider interface's words. */
export function toCallOptions(
  endpoint: Endpoint,
  { prompt, tools, omissions }: RequestShape,
  abortSignal: AbortSignal,
): LanguageModelV4CallOptions {
  const most = endpoint.maxOutputTokens ?? defaultMaxOutputTokens;
  const renamed = omissions.has("completionTokens");
  return {
    prompt: toProviderPrompt(prompt),
    ...(tools.length > 0 && {
      tools: tools.map(({ name, description, inputSchema }) => ({
        type: "function" as const,
        name,
        description,
        inputSchema,
      })),
      ...(!omissions.has("toolChoice") && { toolChoice: { type: "auto" as const } }),
    }),
    // always set: without it one provider asks for 64,000
    ...(!renamed && { maxOutputTokens: most }),
    ...(endpoint.temperature !== undefined && !omissions.has("temperature") && { temperature: endpoint.temperature }),
    ...(endpoint.reasoning !== undefined && !omissions.has("reasoning") && { reasoning: endpoint.reasoning }),
    abortSignal,
    providerOptions: {
      // no copy of the call at the provider
      openai: { store: false },
      // arguments are not streamed: some gateways refuse it, and nobody here reads them in pieces
      anthropic: { toolStreaming: false },
      ...(renamed && { [compatibleName]: { max_completion_tokens: most } }),
    },
  };
}
