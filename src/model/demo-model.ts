// The stand-in of the demo: a handful of rules that speak the interface of a language model, so that a newcomer sees
// the whole product work offline. It decides which offered tool a sentence asks for, and nothing else.
import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { setTimeout as wait } from "node:timers/promises";
import { decideDemoReply, type DemoReply, type DemoTool } from "./demo-reply.ts";
import type { Endpoint } from "./model.ts";
import { toStream } from "./to-stream.ts";

/** The endpoint of the demo model; it costs nothing. Never use it where a real endpoint can be reached. */
export const demoEndpoint: Endpoint = {
  name: "demo",
  provider: "demo",
  model: "demo",
  images: false,
  price: { input: 0, output: 0 },
};

/** Makes the demo model. `pauseMs` is the pause between two pieces of text, 12 by default. */
export function createDemoModel({ pauseMs = 12 }: { readonly pauseMs?: number } = {}): LanguageModelV4 {
  return {
    specificationVersion: "v4",
    provider: "countersign.demo",
    modelId: "demo",
    supportedUrls: {},
    doGenerate: () => Promise.reject(new Error("the demo model only streams")),
    doStream: async (options) => ({ stream: toStream(toParts(options, pauseMs)) }),
  };
}

async function* toParts(
  options: LanguageModelV4CallOptions,
  pauseMs: number,
): AsyncGenerator<LanguageModelV4StreamPart, undefined> {
  const reply = decideDemoReply(options.prompt, offeredTools(options));
  yield { type: "stream-start", warnings: [] };
  if (reply.text !== "") {
    yield { type: "text-start", id: "text" };
    for (const piece of toPieces(reply.text)) {
      await wait(pauseMs, undefined, options.abortSignal ? { signal: options.abortSignal } : {});
      yield { type: "text-delta", id: "text", delta: piece };
    }
    yield { type: "text-end", id: "text" };
  }
  if (reply.call !== null) {
    const input = JSON.stringify(reply.call.arguments);
    yield { type: "tool-call", toolCallId: `demo_${Date.now().toString(36)}`, toolName: reply.call.name, input };
  }
  yield finishPart(reply);
}

function offeredTools(options: LanguageModelV4CallOptions): DemoTool[] {
  return (options.tools ?? []).flatMap((tool) => {
    if (tool.type !== "function") return [];
    const { properties } = tool.inputSchema as { readonly properties?: Readonly<Record<string, unknown>> };
    return [{ name: tool.name, description: tool.description ?? "", keys: Object.keys(properties ?? {}) }];
  });
}

/** Pieces of a few words each, as a model would stream them. */
function toPieces(text: string): readonly string[] {
  return text.match(/(?:\S+\s*){1,3}|\s+/g) ?? [];
}

function finishPart({ text, call }: DemoReply): LanguageModelV4StreamPart {
  const output = Math.ceil(text.length / 4);
  return {
    type: "finish",
    finishReason: call === null ? { unified: "stop", raw: "stop" } : { unified: "tool-calls", raw: "tool_calls" },
    usage: {
      inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: output, text: output, reasoning: 0 },
      raw: { cost: 0 },
    },
  };
}
