import { randomUUID } from "node:crypto";
import { longestHint } from "../database/bus.ts";
import type { Database } from "../database/database.ts";
import { keepListening } from "../database/keep-listening.ts";
import type { Logger } from "../logger.ts";
import type { ServerEvent } from "../wire/events.ts";
import { decodeHint, encodeHint, type Hint, type PassingEvent } from "./hint.ts";
import { splitDelta, splitTurn, splitWatched, type Delta } from "./split-event.ts";
import { keyOf, type Place } from "./tools.ts";

/** Tells other nodes what happened here, and hears what happened there. All of it may be lost: whoever leans on it also looks. */
export interface Relay {
  tell(hint: Hint): void;
  /** Tells an event; deltas are gathered, and with all else that passes within a turn, told only where somebody watches. */
  tellEvent(place: Place, event: ServerEvent): void;
  /** Says which chats are watched here: when one begins to be, and again every few seconds. */
  announce(places: readonly Place[]): void;
  close(): Promise<void>;
}

export interface RelayOptions {
  readonly database: Database;
  readonly logger: Logger;
  hear(hint: Hint): void;
  /** Notifications may have been missed. */
  missed(): void;
}

const channel = "chat";
const gatherMs = 50;
/** How often a node says again what is watched on it. */
export const announceEveryMs = 10_000;
const forgottenAfterMs = 3 * announceEveryMs;

export function createRelay(options: RelayOptions): Relay {
  const { database, logger } = options;
  // Made anew at each start: two nodes of one name hear each other all the same.
  const self = randomUUID();
  const watchedElsewhere = new Map<string, number>();
  const deltas = new Map<string, { readonly place: Place; readonly delta: Delta }>();
  let gathering: NodeJS.Timeout | undefined;
  let closed = false;

  const stopListening = keepListening(database, channel, {
    hear,
    missed: options.missed,
    failed: (error) => logger.error({ error: String(error) }, "notifications of other nodes cannot be heard"),
  });

  function hear(payload: string): void {
    const hint = decodeHint(self, payload);
    if (hint === null || closed) return;
    if (hint.k === "watched") {
      const until = performance.now() + forgottenAfterMs;
      for (const [userId, conversationId] of hint.chats) watchedElsewhere.set(keyOf({ userId, conversationId }), until);
      forgetOld();
    }
    options.hear(hint);
  }

  function forgetOld(): void {
    const now = performance.now();
    for (const [key, until] of watchedElsewhere) if (until < now) watchedElsewhere.delete(key);
  }

  function isWatchedElsewhere(place: Place): boolean {
    return (watchedElsewhere.get(keyOf(place)) ?? 0) >= performance.now();
  }

  function tell(hint: Hint): void {
    if (closed) return;
    const text = encodeHint(self, hint);
    // Only a user's id of thousands of characters makes one too long: it is not told, and seen by looking.
    if (Buffer.byteLength(text) <= longestHint) database.notify(channel, text);
  }

  function send(place: Place, event: PassingEvent): void {
    tell({ k: "event", u: place.userId, c: place.conversationId, event });
  }

  function gather(place: Place, delta: Delta): void {
    const waiting = deltas.get(keyOf(place))?.delta;
    const goesOn = waiting?.turnId === delta.turnId && waiting.at + waiting.text.length === delta.at;
    if (waiting !== undefined && !goesOn) flush(place);
    const text = goesOn ? waiting.text + delta.text : delta.text;
    deltas.set(keyOf(place), { place, delta: { ...delta, at: goesOn ? waiting.at : delta.at, text } });
    gathering ??= setTimeout(flushAll, gatherMs).unref();
  }

  function flush(place: Place): void {
    const waiting = deltas.get(keyOf(place));
    deltas.delete(keyOf(place));
    if (waiting !== undefined) for (const piece of splitDelta(waiting.delta)) send(place, piece);
  }

  function flushAll(): void {
    gathering = undefined;
    for (const { place } of [...deltas.values()]) flush(place);
  }

  return {
    tell,
    tellEvent(place, event) {
      switch (event.type) {
        case "delta":
          return isWatchedElsewhere(place) ? gather(place, event) : undefined;
        case "turn":
          flush(place);
          if (isWatchedElsewhere(place)) for (const part of splitTurn(event.turn)) send(place, part);
          return;
        case "retract":
          flush(place);
          if (isWatchedElsewhere(place)) send(place, event);
          return;
        case "turn_ended":
        case "card":
        case "conversation":
          flush(place);
          return send(place, event);
        // Stored messages go as ids; these two are each node's own.
        case "message":
        case "message_changed":
        case "hello":
        case "bye":
          return;
      }
    },
    announce(places) {
      const watched = places.map(({ userId, conversationId }) => [userId, conversationId] as const);
      for (const chats of splitWatched(watched)) tell({ k: "watched", chats });
    },
    async close() {
      closed = true;
      clearTimeout(gathering);
      await stopListening();
    },
  };
}
