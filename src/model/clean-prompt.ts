import { cleanText } from "../database/clean-text.ts";
import { newCallId } from "./call-id.ts";
import type { Prompt, PromptCall, PromptMessage, PromptResult } from "./model.ts";
import { isBlank } from "./split-thinking.ts";

/**
 * A prompt every provider takes, whatever a stored history holds: each call has exactly one result, right behind its
 * answer and in its order; results of no call are gone; ids are 9 letters or digits and bear one call each; names and
 * arguments are in form; no message is blank. A prompt that is in order comes back unchanged in all that matters.
 */
export function cleanPrompt(prompt: Prompt): Prompt {
  const { messages } = prompt;
  const used = new Set<string>();
  const clean = messages.flatMap((message, index): readonly PromptMessage[] => {
    if (message.role === "results") return [];
    const text = cleanText(message.text);
    if (message.role === "user") {
      const seen = (message.pictures?.length ?? 0) > 0;
      return isBlank(text) && !seen ? [] : [{ ...message, text }];
    }
    if (message.calls.length === 0) return isBlank(text) ? [] : [{ ...message, text }];
    const next = messages[index + 1];
    const found = next?.role === "results" ? next.results : [];
    const pairs = message.calls.map((call) => toPair(call, found, used));
    return [
      { role: "assistant", text, calls: pairs.map(({ call }) => call) },
      { role: "results", results: pairs.map(({ result }) => result) },
    ];
  });
  return { system: cleanText(prompt.system), messages: clean };
}

function toPair(
  sent: PromptCall,
  results: readonly PromptResult[],
  used: Set<string>,
): { readonly call: PromptCall; readonly result: PromptResult } {
  const id = /^[a-zA-Z0-9]{9}$/.test(sent.id) && !used.has(sent.id) ? sent.id : newCallId();
  used.add(id);
  const name = toSafeName(sent.name);
  const text = results.find((result) => result.callId === sent.id)?.text ?? "";
  return {
    call: { ...sent, id, name, arguments: toObject(sent.arguments) },
    result: { callId: id, name, text: isBlank(text) ? "(no result)" : cleanText(text) },
  };
}

/** A name as every provider takes it: 1 to 64 letters, digits, `_`, `-`. */
function toSafeName(name: string): string {
  const safe = name.replace(/[^a-zA-Z0-9_-]+/g, "_").slice(0, 64);
  return safe === "" ? "unnamed" : safe;
}

function toObject(sent: unknown): Readonly<Record<string, unknown>> {
  if (typeof sent !== "object" || sent === null || Array.isArray(sent)) return {};
  return JSON.parse(JSON.stringify(sent), (_key, value: unknown) =>
    typeof value === "string" ? cleanText(value) : value,
  ) as Readonly<Record<string, unknown>>;
}
