import type { ServerEvent } from "../wire/events.ts";

const passing = ["turn", "delta", "retract", "turn_ended", "card", "conversation"] as const;

/** What no row holds. Stored messages go as ids: whoever can forge a hint draws no message, no card and no notice. */
export type PassingEvent = Extract<ServerEvent, { readonly type: (typeof passing)[number] }>;

/**
 * What nodes tell each other. Hints only: of rows, ids alone; what no row holds goes along whole, best effort.
 * `u` user, `c` conversation.
 */
export type Hint =
  | { readonly k: "stored"; readonly u: string; readonly c: string; readonly seq: number }
  | { readonly k: "changed"; readonly u: string; readonly c: string; readonly id: string }
  | { readonly k: "deleted"; readonly u: string; readonly c: string }
  | { readonly k: "event"; readonly u: string; readonly c: string; readonly event: PassingEvent }
  | { readonly k: "stop"; readonly turn: string }
  /** Somebody watches these chats on the node that says so. */
  | { readonly k: "watched"; readonly chats: readonly (readonly [u: string, c: string])[] };

/** A hint with the node that gave it, as a notification's text. */
export function encodeHint(from: string, hint: Hint): string {
  return JSON.stringify({ from, hint });
}

/** Reads a notification; null for this node's own, and for what is none of ours. */
export function decodeHint(own: string, payload: string): Hint | null {
  try {
    const { from, hint } = JSON.parse(payload) as { readonly from?: unknown; readonly hint?: unknown };
    if (from === own || typeof hint !== "object" || hint === null || !("k" in hint)) return null;
    if (hint.k === "event" && !("event" in hint && isPassing(hint.event))) return null;
    return hint as Hint;
  } catch {
    return null;
  }
}

function isPassing(event: unknown): event is PassingEvent {
  if (typeof event !== "object" || event === null || !("type" in event)) return false;
  return passing.some((type) => type === event.type);
}
