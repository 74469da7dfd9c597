import type { LanguageModel } from "ai";
import { nextStep, script } from "../peer.ts";

/** The AI SDK's model interface, which Mastra takes too. */
type ScriptedLanguageModel = Extract<LanguageModel, { readonly specificationVersion: "v4" }>;
type Generated = Awaited<ReturnType<ScriptedLanguageModel["doGenerate"]>>;
type Part =
  Awaited<ReturnType<ScriptedLanguageModel["doStream"]>>["stream"] extends ReadableStream<infer Each> ? Each : never;
type Prompt = Parameters<ScriptedLanguageModel["doGenerate"]>[0]["prompt"];

export function scriptedLanguageModel(onAsked: () => void): ScriptedLanguageModel {
  const generate = (prompt: Prompt): Generated => {
    const step = nextStep(questionOf(prompt), prompt.at(-1)?.role === "tool");
    const told = { usage, warnings: [] };
    if (step.kind === "answer") {
      const finishReason = { unified: "stop", raw: "stop" } as const;
      return { ...told, content: [{ type: "text", text: step.text }], finishReason };
    }
    const { name, args } = step;
    if (name === script.write.name) onAsked();
    const call = { toolCallId: `call_${crypto.randomUUID()}`, toolName: name, input: JSON.stringify(args) };
    const finishReason = { unified: "tool-calls", raw: "tool_calls" } as const;
    return { ...told, content: [{ type: "tool-call", ...call }], finishReason };
  };
  return {
    specificationVersion: "v4",
    provider: "scripted",
    modelId: "scripted",
    supportedUrls: {},
    doGenerate: async ({ prompt }) => generate(prompt),
    async doStream({ prompt }) {
      const { content, finishReason } = generate(prompt);
      const parts = content.flatMap((part): Part[] => {
        if (part.type === "tool-call") return [part];
        if (part.type !== "text") return [];
        const id = "1";
        return [
          { type: "text-start", id },
          { type: "text-delta", id, delta: part.text },
          { type: "text-end", id },
        ];
      });
      const stream = new ReadableStream<Part>({
        start(controller) {
          controller.enqueue({ type: "stream-start", warnings: [] });
          for (const part of parts) controller.enqueue(part);
          controller.enqueue({ type: "finish", finishReason, usage });
          controller.close();
        },
      });
      return { stream };
    },
  };
}

const usage: Generated["usage"] = {
  inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 5, text: 5, reasoning: 0 },
};

function questionOf(prompt: Prompt): string {
  const said = prompt.findLast(({ role }) => role === "user");
  if (said?.role !== "user") return "";
  return said.content.map((part) => (part.type === "text" ? part.text : "")).join("");
}
