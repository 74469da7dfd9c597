import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from "@ai-sdk/provider";
import { newCallId } from "./call-id.ts";
import type { ModelCall } from "./model.ts";
import { readArguments } from "./read-arguments.ts";
import { namelessCall } from "./collect-calls.ts";
import { createThinkingSplitter, isBlank, withoutUnopenedThought } from "./split-thinking.ts";
import type { CallMetadata } from "./to-provider-prompt.ts";

/** One request and what came of it, before anything is judged to be worth another. */
export interface Attempt {
  readonly end:
    | "text"
    | "calls"
    | "cut"
    | "empty"
    | "continue"
    | "filtered"
    | "refused"
    | "malformed_call"
    | "interrupted"
    | "error";
  readonly text: string;
  readonly calls: readonly ModelCall[];
  readonly droppedCalls: number;
  /** Set beside `error`: as it was thrown or streamed. */
  readonly failure: unknown;
  readonly usage: LanguageModelV4Usage | null;
  readonly answeredBy: string | null;
  readonly providerRequestId: string | null;
  /** By the clock that was passed in; null when nothing came. */
  readonly firstTokenAt: number | null;
  readonly shown: boolean;
}

export interface Listening {
  onText(delta: string): void;
  readonly signal: AbortSignal;
  now(): number;
}

/** Makes one request and reads its stream to the end. Never throws: what goes wrong is in the answer. */
export async function attempt(
  model: LanguageModelV4,
  options: LanguageModelV4CallOptions,
  listening: Listening,
): Promise<Attempt> {
  const heard = createHearing(listening);
  try {
    const { stream } = await unlessAborted(Promise.resolve(model.doStream(options)), listening.signal);
    const reader = stream.getReader();
    try {
      for (;;) {
        const { done, value } = await unlessAborted(reader.read(), listening.signal);
        if (done) break;
        heard.hear(value);
      }
    } finally {
      // a model that ignores its signal is left behind, not waited for
      reader.cancel().catch(() => {});
    }
  } catch (error) {
    heard.thrown(error);
  }
  return heard.end();
}

async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) {
    work.catch(() => {});
    throw signal.reason;
  }
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

interface Hearing {
  hear(part: LanguageModelV4StreamPart): void;
  thrown(error: unknown): void;
  end(): Attempt;
}

function createHearing({ onText, now }: Listening): Hearing {
  const splitter = createThinkingSplitter();
  const calls: ModelCall[] = [];
  const soft: unknown[] = [];
  let text = "";
  let thoughts: { text: string; own?: NonNullable<CallMetadata["own"]> }[] = [];
  let failure: { readonly error: unknown } | null = null;
  let finish: Extract<LanguageModelV4StreamPart, { type: "finish" }> | null = null;
  let droppedCalls = 0;
  let answeredBy: string | null = null;
  let providerRequestId: string | null = null;
  let firstTokenAt: number | null = null;

  const show = (delta: string): void => {
    if (delta === "") return;
    text += delta;
    onText(delta);
  };
  const hear = (part: LanguageModelV4StreamPart): void => {
    switch (part.type) {
      case "text-delta":
        firstTokenAt ??= now();
        show(splitter.push(part.delta));
        return;
      case "reasoning-delta":
      case "reasoning-start":
      case "reasoning-end": {
        firstTokenAt ??= now();
        if (part.type === "reasoning-start" || thoughts.length === 0) thoughts.push({ text: "" });
        const thought = thoughts.at(-1);
        if (thought === undefined) return;
        if (part.type === "reasoning-delta") thought.text += part.delta;
        if (part.providerMetadata) thought.own = part.providerMetadata;
        return;
      }
      case "tool-call": {
        // run by the provider itself: not ours
        if (part.providerExecuted) return;
        firstTokenAt ??= now();
        const name = part.toolName.trim();
        if (name === "" || name === namelessCall) {
          droppedCalls += 1;
          return;
        }
        const metadata: CallMetadata = {
          ...(part.providerMetadata && { own: part.providerMetadata }),
          ...(thoughts.length > 0 && { reasoning: thoughts }),
        };
        thoughts = [];
        calls.push({
          id: newCallId(),
          providerId: readProviderId(part.toolCallId),
          name,
          argumentsText: readArguments(part.input),
          ...(Object.keys(metadata).length > 0 && { providerMetadata: metadata }),
        });
        return;
      }
      case "response-metadata":
        answeredBy ??= part.modelId ?? null;
        providerRequestId ??= part.id ?? null;
        return;
      case "error":
        if (isSoft(part.error)) soft.push(part.error);
        else failure ??= { error: part.error };
        return;
      case "finish":
        finish = part;
        return;
      default:
    }
  };
  return {
    hear,
    thrown: (error) => {
      failure ??= { error };
    },
    end: () => {
      show(splitter.end());
      const shown = text !== "";
      const visible = withoutUnopenedThought(text);
      const raw = finish?.finishReason.raw ?? null;
      const unified = finish?.finishReason.unified ?? null;
      const error =
        failure?.error ?? (unified === "error" && raw === null ? soft.find((one) => !saysNoFinish(one)) : undefined);
      const unfinished = soft.some(saysNoFinish) || finish === null || unified === "interrupted";
      const end = judge({ error, unfinished, raw, unified, calls: calls.length, blank: isBlank(visible) });
      return {
        end,
        text: isBlank(visible) ? "" : visible,
        calls: end === "calls" || end === "cut" ? calls : [],
        droppedCalls,
        failure: error,
        usage: finish?.usage ?? null,
        answeredBy,
        providerRequestId,
        firstTokenAt,
        shown,
      };
    },
  };
}

/** The order decides: an error in any shape wins, then a stream that just ended, a filter, a cut; then the calls, never the finish reason. */
function judge(found: {
  readonly error: unknown;
  readonly unfinished: boolean;
  readonly raw: string | null;
  readonly unified: string | null;
  readonly calls: number;
  readonly blank: boolean;
}): Attempt["end"] {
  const { raw, unified } = found;
  if (found.error !== undefined) return "error";
  if (raw === "MALFORMED_FUNCTION_CALL") return "malformed_call";
  if (found.unfinished || raw === "error") return "interrupted";
  if (raw === "refusal" || raw === "countersign:refusal") return "refused";
  if (unified === "content-filter" || raw === "MODEL_ARMOR") return "filtered";
  if (unified === "length") return "cut";
  if (raw === "pause_turn") return "continue";
  if (found.calls > 0) return "calls";
  if (unified === "error") return "error";
  return found.blank ? "empty" : "text";
}

/** The repair of chat chunks sends ids as `<index>~<id>`, so that calls sharing one id can be told apart. */
function readProviderId(sent: string): string | null {
  const id = /^\d+~(.*)$/s.exec(sent)?.[1] ?? sent;
  return id === "" ? null : id;
}

/** A line of the stream that could not be read: no reason to lose an answer that ends well. */
function isSoft(error: unknown): boolean {
  const name = (error as { readonly name?: unknown } | null)?.name;
  return name === "AI_JSONParseError" || name === "AI_TypeValidationError" || saysNoFinish(error);
}

function saysNoFinish(error: unknown): boolean {
  const { name, message } = (error ?? {}) as { readonly name?: unknown; readonly message?: unknown };
  return name === "AI_InvalidResponseDataError" && typeof message === "string" && message.includes("finish reason");
}
