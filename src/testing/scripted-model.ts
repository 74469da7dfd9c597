import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from "@ai-sdk/provider";
import { toStream } from "../model/to-stream.ts";
import { plant } from "./log-watch.ts";

/** A call the model asks for; `arguments` as text is sent as it is, broken or not. */
export interface ScriptedCall {
  readonly name: string;
  readonly arguments?: string | Readonly<Record<string, unknown>>;
  /** The provider's own id; default `call_<n>`, unique in the script. */
  readonly id?: string;
}

/** One answer of the model. */
export interface ScriptedAnswer {
  /** Sent in these pieces. */
  readonly text?: string | readonly string[];
  readonly reasoning?: string;
  readonly calls?: readonly ScriptedCall[];
  /** Default `calls` when there are any, else `stop`. `cut`: the length limit. `none`: the stream just ends. */
  readonly finish?: "stop" | "calls" | "cut" | "filtered" | "pause" | "none";
  /** Tokens, and dollars where the provider says them; null sends no usage at all. Default 10 in, 5 out. */
  readonly usage?: { readonly input: number; readonly output: number; readonly cost?: number } | null;
  /** Thrown instead of an answer, before anything is sent. */
  readonly fail?: {
    readonly status: number;
    readonly body?: unknown;
    readonly headers?: Readonly<Record<string, string>>;
  };
  /** Sent as an error in mid-stream, after text and before calls. */
  readonly breakWith?: unknown;
  /** After text: nothing more until the request's signal fires. */
  readonly hang?: boolean;
  /** Awaited before anything is answered. */
  readonly before?: () => Promise<unknown> | unknown;
  /** Awaited after the text and before the calls and the end. */
  readonly between?: () => Promise<unknown> | unknown;
}

/** What a request said, as an answer made from it sees it. */
export interface ScriptedRequest {
  readonly options: LanguageModelV4CallOptions;
  /** The text of the last user message. */
  readonly question: string;
  /** The texts of the last message's tool results, if it has any. */
  readonly results: readonly string[];
}

/** A text alone is an answer; a function makes one of the request. */
export type ScriptedStep =
  | string
  | ScriptedAnswer
  | ((request: ScriptedRequest) => ScriptedAnswer | string | Promise<ScriptedAnswer | string>);

export interface ScriptedModel extends LanguageModelV4 {
  /** All requests received, in order. */
  readonly requests: readonly ScriptedRequest[];
  /** Throws when a step was not used or a request came that no step was left for. */
  assertUsedUp(): void;
}

/**
 * A model that answers each request with the next step, for `endpoint.languageModel`. A request beyond the script
 * fails, and fails `assertUsedUp` too. `always` answers every request with the same step instead.
 */
export function scriptedModel(
  script: readonly ScriptedStep[] | { readonly always: ScriptedStep },
  options: { readonly modelId?: string } = {},
): ScriptedModel {
  const steps = "always" in script ? null : [...script];
  const requests: ScriptedRequest[] = [];
  let unexpected = 0;
  let callIds = 0;
  const modelId = options.modelId ?? "scripted";

  const doStream = async (
    sent: LanguageModelV4CallOptions,
  ): Promise<{ stream: ReadableStream<LanguageModelV4StreamPart> }> => {
    const request = toRequest(sent);
    requests.push(request);
    plant(...textsOf(sent));
    const step = "always" in script ? script.always : steps?.shift();
    if (step === undefined) {
      unexpected += 1;
      throw new Error(`the scripted model was called ${requests.length} times, its script has fewer steps`);
    }
    const made = typeof step === "function" ? await step(request) : step;
    const answer: ScriptedAnswer = typeof made === "string" ? { text: made } : made;
    plant([answer.text ?? []].flat().join(""), answer.reasoning ?? "");
    plant(...(answer.calls ?? []).map((call) => toArgumentsText(call)));
    await answer.before?.();
    if (answer.fail !== undefined) throw httpError(answer.fail);
    const numbered = (answer.calls ?? []).map((call) => ({ ...call, id: call.id ?? `call_${++callIds}` }));
    return { stream: toStream(toParts({ ...answer, calls: numbered }, sent.abortSignal, modelId)) };
  };
  return {
    specificationVersion: "v4",
    provider: "scripted",
    modelId,
    supportedUrls: {},
    doStream,
    doGenerate: () => Promise.reject(new Error("the scripted model only streams")),
    requests,
    assertUsedUp: () => {
      if (unexpected > 0)
        throw new Error(`the scripted model was called ${unexpected} times more than its script says`);
      if (steps !== null && steps.length > 0)
        throw new Error(`${steps.length} steps of the scripted model were not used`);
    },
  };
}

type NumberedAnswer = ScriptedAnswer & { readonly calls: readonly (ScriptedCall & { readonly id: string })[] };

function toRequest(options: LanguageModelV4CallOptions): ScriptedRequest {
  const user = options.prompt.findLast((message) => message.role === "user");
  const texts = user?.content.map((part) => (part.type === "text" ? part.text : "")) ?? [];
  const last = options.prompt.at(-1);
  const results = last?.role === "tool" ? last.content.flatMap(textOfResult) : [];
  return { options, question: texts.join(""), results };
}

/** Everything a prompt says. */
function textsOf({ prompt }: LanguageModelV4CallOptions): readonly string[] {
  return prompt.flatMap((message) => {
    if (message.role === "system") return [message.content];
    if (message.role === "tool") return message.content.flatMap(textOfResult);
    return message.content.flatMap((part) => {
      if (part.type === "text") return [part.text];
      return part.type === "tool-call" ? [JSON.stringify(part.input)] : [];
    });
  });
}

function toArgumentsText({ arguments: sent = {} }: ScriptedCall): string {
  return typeof sent === "string" ? sent : JSON.stringify(sent);
}

function textOfResult(part: { readonly type: string; readonly output?: unknown }): string[] {
  const output = part.output as { readonly value?: unknown } | undefined;
  return part.type === "tool-result" && typeof output?.value === "string" ? [output.value] : [];
}

function httpError(fail: NonNullable<ScriptedAnswer["fail"]>): Error {
  const responseBody = typeof fail.body === "string" ? fail.body : JSON.stringify(fail.body ?? {});
  return Object.assign(new Error(`status ${fail.status}`), {
    name: "AI_APICallError",
    statusCode: fail.status,
    responseBody,
    responseHeaders: { ...fail.headers },
  });
}

async function* toParts(
  answer: NumberedAnswer,
  signal: AbortSignal | undefined,
  modelId: string,
): AsyncGenerator<LanguageModelV4StreamPart, undefined> {
  yield { type: "stream-start", warnings: [] };
  yield { type: "response-metadata", id: "scripted-request", modelId };
  if (answer.reasoning !== undefined) {
    yield { type: "reasoning-start", id: "r" };
    yield { type: "reasoning-delta", id: "r", delta: answer.reasoning };
    yield { type: "reasoning-end", id: "r" };
  }
  const pieces = answer.text === undefined ? [] : typeof answer.text === "string" ? [answer.text] : answer.text;
  if (pieces.length > 0) {
    yield { type: "text-start", id: "t" };
    for (const delta of pieces) yield { type: "text-delta", id: "t", delta };
    yield { type: "text-end", id: "t" };
  }
  await answer.between?.();
  if (answer.hang === true) await untilAborted(signal);
  if (answer.breakWith !== undefined) yield { type: "error", error: answer.breakWith };
  for (const call of answer.calls) {
    yield { type: "tool-call", toolCallId: call.id, toolName: call.name, input: toArgumentsText(call) };
  }
  if (answer.finish === "none") return;
  const finish = answer.finish ?? (answer.calls.length > 0 ? "calls" : "stop");
  yield { type: "finish", finishReason: finishReasons[finish], usage: toUsage(answer.usage) };
}

const finishReasons = {
  stop: { unified: "stop", raw: "stop" },
  calls: { unified: "tool-calls", raw: "tool_calls" },
  cut: { unified: "length", raw: "length" },
  filtered: { unified: "content-filter", raw: "content_filter" },
  pause: { unified: "stop", raw: "pause_turn" },
} as const;

function toUsage(usage: ScriptedAnswer["usage"]): LanguageModelV4Usage {
  const said = usage === undefined ? { input: 10, output: 5 } : usage;
  if (said === null) {
    return {
      inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
      outputTokens: { total: undefined, text: undefined, reasoning: undefined },
    };
  }
  return {
    inputTokens: { total: said.input, noCache: said.input, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: said.output, text: said.output, reasoning: 0 },
    raw: {
      prompt_tokens: said.input,
      completion_tokens: said.output,
      ...(said.cost !== undefined && { cost: said.cost }),
    },
  };
}

function untilAborted(signal: AbortSignal | undefined): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  if (signal?.aborted) reject(signal.reason);
  else signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
  return promise;
}
