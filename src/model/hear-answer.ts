import type { LanguageModelV4StreamPart, LanguageModelV4Usage } from "@ai-sdk/provider";
import type { ModelCall } from "./model.ts";
import { readCalls } from "./read-calls.ts";
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

/** Puts an answer together from the parts of its stream. */
export interface Hearing {
  hear(part: LanguageModelV4StreamPart): void;
  thrown(error: unknown): void;
  end(): Attempt;
}

/** Listens to one answer. `offered` are the names of the tools the request offers; `now` is in milliseconds since the epoch. */
export function createHearing(
  { onText, now }: { onText(delta: string): void; now(): number },
  offered: ReadonlySet<string>,
): Hearing {
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
        const metadata: CallMetadata = {
          ...(part.providerMetadata && { own: part.providerMetadata }),
          ...(thoughts.length > 0 && { reasoning: thoughts }),
        };
        thoughts = [];
        const { toolName: name, toolCallId: id, input } = part;
        const known = Object.keys(metadata).length > 0 ? { providerMetadata: metadata } : {};
        const read = readCalls({ name, id, input, ...known }, offered);
        if (read.length === 0) droppedCalls += 1;
        calls.push(...read);
        return;
      }
      case "response-metadata":
        answeredBy ??= part.modelId ?? null;
        providerRequestId ??= part.id ?? null;
        return;
      case "error":
        if (isSoft(part.error)) soft.push(part.error);
        else failure ??= { error: part.error ?? "an error without words" };
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
      failure ??= { error: error ?? "an error without words" };
    },
    end: () => {
      show(splitter.end());
      const shown = text !== "";
      const visible = withoutUnopenedThought(text);
      const raw = finish?.finishReason.raw ?? null;
      const unified = finish?.finishReason.unified ?? null;
      const softly = unified === "error" && raw === null ? soft.find((one) => !saysNoFinish(one)) : undefined;
      // a history that was refused, said as a finish
      const refusedHistory = raw === "MISSING_THOUGHT_SIGNATURE" ? { message: raw } : undefined;
      const error = failure?.error ?? refusedHistory ?? softly;
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
  // a model that declines in words says so beside an ordinary stop
  if (raw === "refusal" || (unified === "content-filter" && (raw === null || raw === "stop"))) return "refused";
  if (unified === "content-filter" || raw === "MODEL_ARMOR") return "filtered";
  if (unified === "length") return "cut";
  if (raw === "pause_turn") return "continue";
  if (found.calls > 0) return "calls";
  if (unified === "error") return "error";
  if (!found.blank) return "text";
  return raw !== null && failedCalls.has(raw) ? "malformed_call" : "empty";
}

/** The model failed at calls, in the words of the one provider that says so; with a call beside it, that call counts. */
const failedCalls = new Set(["UNEXPECTED_TOOL_CALL", "TOO_MANY_TOOL_CALLS", "MALFORMED_RESPONSE"]);

/** A line of the stream that could not be read: no reason to lose an answer that ends well. */
function isSoft(error: unknown): boolean {
  const name = (error as { readonly name?: unknown } | null)?.name;
  return name === "AI_JSONParseError" || name === "AI_TypeValidationError" || saysNoFinish(error);
}

function saysNoFinish(error: unknown): boolean {
  const { name, message } = (error ?? {}) as { readonly name?: unknown; readonly message?: unknown };
  return name === "AI_InvalidResponseDataError" && typeof message === "string" && message.includes("finish reason");
}
