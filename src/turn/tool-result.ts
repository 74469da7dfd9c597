import { cleanText } from "../database/clean-text.ts";
import type { ExecuteAnswer } from "../core/core.ts";
import { cutText } from "./cut-text.ts";

/** A read's result, or why a call failed, as it is stored and as the model reads it. */
export interface ToolResult {
  readonly status: "ok" | "error";
  readonly text: string;
}

/** The answer of core to a call that was not held. `characters`: the longest text, the note of what was cut included. */
export function toToolResult(
  answer: Exclude<ExecuteAnswer, { readonly status: "confirmation_required" }>,
  characters: number,
): ToolResult {
  if (!answer.ok) return { status: "error", text: cutText(cleanText(toFailureWords(answer)), characters) };
  const text = toText(answer.result);
  if (text === null) return { status: "error", text: "The tool ran, but its result cannot be written as JSON." };
  return { status: "ok", text: cutText(cleanText(text), characters) };
}

function toText(result: unknown): string | null {
  if (typeof result === "string") return result === "" ? '""' : result;
  try {
    return JSON.stringify(result) ?? "null";
  } catch {
    return null;
  }
}

type Failure = Extract<ExecuteAnswer, { readonly ok: false }>;

function toFailureWords(failure: Failure): string {
  if (failure.reason === "refused_by_tool") return `Refused (${failure.code}): ${failure.sentence}`;
  const words = toWords(failure.reason);
  if (failure.invalidPaths !== undefined && failure.invalidPaths.length > 0) {
    return `${words} Wrong: ${failure.invalidPaths.join(", ")}.`;
  }
  return failure.retryAfter === undefined ? words : `${words} Possible again in ${failure.retryAfter} seconds.`;
}

function toWords(reason: Exclude<Failure["reason"], "refused_by_tool">): string {
  switch (reason) {
    case "session_invalid":
      return "Not run (session_invalid): the user is no longer signed in.";
    case "session_unavailable":
      return "Not run (session_unavailable): the user's sign-in could not be checked.";
    case "impersonated":
      return "Not run (impersonated): somebody acts in the user's name.";
    case "unknown_tool":
      return "Not run (unknown_tool): there is no tool of this name.";
    case "module_off":
      return "Not run (module_off): this part of the application is switched off for the assistant.";
    case "writes_off":
      return "Not run (writes_off): the assistant may not change anything in this part of the application.";
    case "out_of_scope":
      return "Not run (out_of_scope): this sign-in is limited to other parts of the application.";
    case "forbidden":
      return "Not run (forbidden): the user has no right to this.";
    case "rate_limited":
      return "Not run (rate_limited): too many calls in a short time.";
    case "invalid_input":
      return "Not run (invalid_input): the arguments are not what the tool takes.";
    case "handler_failed":
      return "Failed (handler_failed): the tool gave an error.";
    case "timeout":
      return "Failed (timeout): the tool gave no answer in time.";
    case "preview_failed":
      return "Not held (preview_failed): what this change would do could not be worked out, so it was not put before the user.";
  }
}
