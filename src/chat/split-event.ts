import type { RunningTurn, ServerEvent } from "../wire/events.ts";
import type { PassingEvent } from "./hint.ts";

export type Delta = Extract<ServerEvent, { readonly type: "delta" }>;

// In UTF-16 units: one takes at most 6 bytes as JSON, a notification holds 8,000.
const longest = 1_000;

/** A delta as pieces that fit a notification each. */
export function splitDelta(delta: Delta): readonly Delta[] {
  const pieces: Delta[] = [];
  for (let from = 0; from < delta.text.length; from += longest) {
    pieces.push({ ...delta, at: delta.at + from, text: delta.text.slice(from, from + longest) });
  }
  return pieces;
}

// Of a notification's 7,999 bytes; the rest is what stands around them.
const longestList = 7_000;

/** Chats in lists that fit a notification each, however long their users' ids are. */
export function splitWatched(
  chats: readonly (readonly [u: string, c: string])[],
): readonly (readonly (readonly [u: string, c: string])[])[] {
  const lists: (readonly [u: string, c: string])[][] = [];
  let bytes = Infinity;
  for (const chat of chats) {
    const more = Buffer.byteLength(JSON.stringify(chat)) + 1;
    if (bytes + more > longestList) {
      lists.push([]);
      bytes = 0;
    }
    bytes += more;
    lists.at(-1)?.push(chat);
  }
  return lists;
}

/** A running turn as events that fit a notification each: the turn, then its text. */
export function splitTurn(turn: RunningTurn): readonly PassingEvent[] {
  if (turn.text.length <= longest) return [{ type: "turn", turn }];
  const { turnId, text } = turn;
  return [{ type: "turn", turn: { ...turn, text: "" } }, ...splitDelta({ type: "delta", turnId, at: 0, text })];
}
