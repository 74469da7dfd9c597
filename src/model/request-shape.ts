import type { ModelErrorCode } from "../wire/reasons.ts";
import type { OfferedTool, Prompt, PromptMessage } from "./model.ts";

/** A parameter some servers refuse. `completionTokens`: the limit of the answer goes under its newer name. */
export type Omission = "temperature" | "reasoning" | "toolChoice" | "completionTokens";

/** What is sent, as far as a refusal can change it. */
export interface RequestShape {
  readonly prompt: Prompt;
  readonly tools: readonly OfferedTool[];
  readonly omissions: ReadonlySet<Omission>;
}

const keptOfResult = 2_000;

/** The same request in the one form that may still be taken after a refusal; null when there is none. */
export function changeShape(
  shape: RequestShape,
  refusal: { readonly code: ModelErrorCode | "aborted"; readonly words: string },
): RequestShape | null {
  const { prompt } = shape;
  switch (refusal.code) {
    case "context_overflow": {
      const shorter = shorten(prompt);
      return shorter === null ? null : { ...shape, prompt: shorter };
    }
    case "request_too_large": {
      // pictures are the turn's to take back
      const shorter = hasPictures(prompt) ? null : shorten(prompt);
      return shorter === null ? null : { ...shape, prompt: shorter };
    }
    case "history_rejected":
      return hasCalls(prompt) ? { ...shape, prompt: withCallsAsText(prompt) } : null;
    case "tools_not_supported":
      return shape.tools.length > 0 ? { ...shape, tools: [], prompt: withCallsAsText(prompt) } : null;
    case "bad_request": {
      const omission = refusedParameter(refusal.words);
      if (omission === null || shape.omissions.has(omission)) return null;
      return { ...shape, omissions: new Set([...shape.omissions, omission]) };
    }
    default:
      return null;
  }
}

export function hasPictures(prompt: Prompt): boolean {
  return prompt.messages.some((message) => message.role === "user" && (message.pictures?.length ?? 0) > 0);
}

function refusedParameter(words: string): Omission | null {
  if (/max_completion_tokens/.test(words)) return "completionTokens";
  if (/temperature/.test(words)) return "temperature";
  if (/reasoning/.test(words)) return "reasoning";
  return /tool_choice/.test(words) ? "toolChoice" : null;
}

/** The newer half of what stands before the last question, and results cut short; null when there is nothing to leave out. */
function shorten(prompt: Prompt): Prompt | null {
  const asked = prompt.messages.findLastIndex(({ role }) => role === "user");
  const earlier = prompt.messages.slice(0, Math.max(asked, 0));
  const half = earlier.findIndex(({ role }, index) => role === "user" && index >= earlier.length / 2);
  const kept = [...(half < 0 ? [] : earlier.slice(half)), ...prompt.messages.slice(Math.max(asked, 0))];
  const messages = kept.map(withCutResults);
  const same = messages.length === prompt.messages.length && messages.every((one, index) => one === kept[index]);
  return same ? null : { ...prompt, messages };
}

function withCutResults(message: PromptMessage): PromptMessage {
  if (message.role !== "results" || message.results.every(({ text }) => text.length <= keptOfResult)) return message;
  return {
    ...message,
    results: message.results.map((result) => {
      const left = result.text.length - keptOfResult;
      return left <= 0
        ? result
        : { ...result, text: `${result.text.slice(0, keptOfResult)}… (${left} characters left out)` };
    }),
  };
}

function hasCalls(prompt: Prompt): boolean {
  return prompt.messages.some((message) => message.role === "assistant" && message.calls.length > 0);
}

/** Calls and their results as plain text, which every server takes. */
export function withCallsAsText(prompt: Prompt): Prompt {
  return { ...prompt, messages: prompt.messages.map(toPlain) };
}

function toPlain(message: PromptMessage): PromptMessage {
  if (message.role === "assistant") {
    const calls = message.calls.map((call) => `(asked for ${call.name} with ${JSON.stringify(call.arguments)})`);
    return { role: "assistant", text: [message.text, ...calls].filter((line) => line !== "").join("\n"), calls: [] };
  }
  if (message.role === "user") return message;
  return { role: "user", text: message.results.map(({ name, text }) => `Result of ${name}: ${text}`).join("\n\n") };
}
