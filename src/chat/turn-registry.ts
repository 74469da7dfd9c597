import type { RunningTurn, ServerEvent } from "../wire/events.ts";
import { applyToTurn } from "./running-turn.ts";
import { keyOf, type Place } from "./tools.ts";

/** The turns that run in chats, as the events of this node and of others say: what a newcomer is shown. */
export interface TurnRegistry {
  /** Takes an event in. False: it is of a turn that has ended, and is to be dropped. */
  take(place: Place, event: ServerEvent, from: "here" | "elsewhere"): boolean;
  get(place: Place): { readonly turn: RunningTurn; readonly here: boolean } | null;
  /** Those that run on this node. */
  here(): readonly { readonly place: Place; readonly turn: RunningTurn }[];
  /** Forgets what other nodes told of a chat that nobody watches here any more. */
  forgetElsewhere(place: Place): void;
}

// The task of a turn that was ended for it may still speak: by then, this many others may have ended.
const remembered = 1_000;

export function createTurnRegistry(): TurnRegistry {
  const running = new Map<string, { readonly place: Place; readonly turn: RunningTurn; readonly here: boolean }>();
  const ended = new Set<string>();

  return {
    take(place, event, from) {
      const turnId = turnOf(event);
      if (turnId !== null && ended.has(turnId)) return false;
      if (event.type === "turn_ended") {
        ended.add(event.turnId);
        for (const oldest of ended) {
          if (ended.size <= remembered) break;
          ended.delete(oldest);
        }
      }
      const key = keyOf(place);
      const before = running.get(key);
      const turn = applyToTurn(before?.turn ?? null, event);
      if (turn === null) running.delete(key);
      else if (turn !== before?.turn) {
        const same = before?.turn.turnId === turn.turnId;
        running.set(key, { place, turn, here: same ? before.here : from === "here" });
      }
      return true;
    },
    get: (place) => running.get(keyOf(place)) ?? null,
    here: () => [...running.values()].filter(({ here }) => here),
    forgetElsewhere(place) {
      if (running.get(keyOf(place))?.here === false) running.delete(keyOf(place));
    },
  };
}

/** The turn an event tells a passing state of. */
function turnOf(event: ServerEvent): string | null {
  switch (event.type) {
    case "turn":
      return event.turn.turnId;
    case "delta":
    case "retract":
    case "turn_ended":
      return event.turnId;
    default:
      return null;
  }
}

/** Whether an event tells a passing state of a turn, which the newest snapshot of that turn holds too. */
export function isOfTurn(event: ServerEvent): boolean {
  return turnOf(event) !== null;
}
