import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { Endpoint } from "./model.ts";

/** How an endpoint is reached: its key where it has one, and the guarded `fetch` all requests go through. */
export interface Reach {
  readonly key: string | undefined;
  readonly fetch: typeof globalThis.fetch;
}

/** The name under which provider options of `openai-compatible` are sent. */
export const compatibleName = "countersign";

/** Makes the model object of an endpoint; a provider's package is loaded when the first endpoint needs it. */
export async function openModel(endpoint: Endpoint, { key, fetch }: Reach): Promise<LanguageModelV4> {
  if (endpoint.languageModel !== undefined) return endpoint.languageModel as LanguageModelV4;
  const apiKey = key ?? "";
  const baseURL = endpoint.baseURL === undefined ? {} : { baseURL: endpoint.baseURL };
  switch (endpoint.provider) {
    case "openai": {
      const { createOpenAI } = await import("@ai-sdk/openai");
      return createOpenAI({ apiKey, fetch, ...baseURL }).responses(endpoint.model);
    }
    case "anthropic": {
      const { createAnthropic } = await import("@ai-sdk/anthropic");
      return createAnthropic({ apiKey, fetch, ...baseURL })(endpoint.model);
    }
    case "google": {
      const { createGoogleGenerativeAI } = await import("@ai-sdk/google");
      return createGoogleGenerativeAI({ apiKey, fetch, ...baseURL })(endpoint.model);
    }
    case "openai-compatible": {
      const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
      return createOpenAICompatible({
        name: compatibleName,
        baseURL: endpoint.baseURL ?? "",
        ...(key !== undefined && { apiKey: key }),
        includeUsage: true,
        fetch,
      })(endpoint.model);
    }
    case "demo": {
      const { createDemoModel } = await import("./demo-model.ts");
      return createDemoModel();
    }
  }
}
