/** Text as it comes, without the thinking some models write before their answer. */
export interface ThinkingSplitter {
  /** Text that may be shown now. */
  push(delta: string): string;
  /** What was held back, once the answer has ended. */
  end(): string;
}

const opening = "<think>";
const closing = "</think>";

/**
 * Splits `<think>…</think>` off the very start of an answer; a tag anywhere later is text, since a user may ask about
 * it. A start that is never closed makes the whole answer thinking. Text that may still become a tag is held back.
 */
export function createThinkingSplitter(): ThinkingSplitter {
  let state: "start" | "thinking" | "after" | "text" = "start";
  let held = "";
  const push = (delta: string): string => {
    if (state === "text") return delta;
    held += delta;
    if (state === "start") {
      const begun = held.trimStart();
      if (begun.length < opening.length && opening.startsWith(begun)) return "";
      if (!begun.startsWith(opening)) return release();
      state = "thinking";
      held = begun.slice(opening.length);
    }
    if (state === "thinking") {
      const at = held.indexOf(closing);
      if (at < 0) {
        held = held.slice(-closing.length);
        return "";
      }
      state = "after";
      held = held.slice(at + closing.length);
    }
    held = held.trimStart();
    return held === "" ? "" : release();
  };
  const release = (): string => {
    const text = held;
    state = "text";
    held = "";
    return text;
  };
  return { push, end: () => (state === "start" ? release() : "") };
}

/**
 * The answer that remains when a model closed a thought it never opened: what stands before the first `</think>` is
 * thinking, unless an opening tag or a backtick before it says that the tag is talked about.
 */
export function withoutUnopenedThought(text: string): string {
  // channel names of one family of models, run together with what they stand before
  const final = /^analysis[\s\S]*?assistantfinal/.exec(text)?.[0];
  if (final !== undefined) return text.slice(final.length).trimStart();
  const at = text.indexOf(closing);
  if (at < 0 || text.slice(0, at).includes(opening) || text[at - 1] === "`") return text;
  return text.slice(at + closing.length).trimStart();
}

/** Whether nothing can be seen: white space and zero-width characters alone. */
export function isBlank(text: string): boolean {
  return /^[\s\u{200b}-\u{200f}\u{2060}\u{feff}\u{00ad}]*$/u.test(text);
}
