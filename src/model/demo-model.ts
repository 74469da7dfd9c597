import type { LanguageModelV4 } from "@ai-sdk/provider";

export function createDemoModel(): LanguageModelV4 {
  throw new Error("not yet");
}
