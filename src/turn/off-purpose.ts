import { sliceText } from "./cut-text.ts";

/**
 * The marker by which a model flags a request: `⟦off_purpose: reason⟧` at the very end of an answer. There it is neither
 * shown nor stored; anywhere else it is text like any other.
 */
const opening = "⟦off_purpose:";
/** A bracket that opens more than this before the end is no marker. */
const longest = 2_000;
const longestReason = 500;

/** An answer without its marker, and the marker's reason; null when it does not end in one. */
export function cutOffPurpose(text: string): { readonly text: string; readonly reason: string | null } {
  const start = heldFrom(text);
  const tail = text.slice(start);
  const end = tail.lastIndexOf("⟧");
  if (end === -1) return { text, reason: null };
  return { text: text.slice(0, start), reason: sliceText(tail.slice(opening.length, end).trim(), longestReason) };
}

export interface OffPurposeFilter {
  /** Takes what the model said next; answers what may be shown now. */
  push(delta: string): string;
  /** What was held back and turned out to be no marker. */
  end(): string;
}

/** Holds back whatever may still become a marker, so that none is ever shown, in however many pieces it comes. */
export function createOffPurposeFilter(): OffPurposeFilter {
  let held = "";
  return {
    push(delta) {
      const text = held + delta;
      const start = heldFrom(text);
      held = text.slice(start);
      return text.slice(0, start);
    },
    end() {
      const rest = cutOffPurpose(held).text;
      held = "";
      return rest;
    },
  };
}

/** Where the marker begins that this text ends in, or may end in once more of it came; its length when there is none. */
function heldFrom(text: string): number {
  const start = text.lastIndexOf("⟦");
  if (start === -1 || text.length - start > longest) return text.length;
  const tail = text.slice(start);
  if (opening.startsWith(tail)) return start;
  if (!tail.startsWith(opening)) return text.length;
  const end = tail.indexOf("⟧");
  return end === -1 || tail.slice(end + 1).trim() === "" ? start : text.length;
}
