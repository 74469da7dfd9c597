import type { Message } from "../wire/messages.ts";
import type { ServerEvent } from "../wire/events.ts";
import type { Chat } from "./chat.ts";
import type { Hint } from "./hint.ts";
import { toMessageRow, toWire, type MessageRow } from "./message-row.ts";
import { readByIds } from "./page.sql.ts";
import { announceEveryMs, createRelay } from "./relay.ts";
import { keyOf, type ChatTools, type Events, type Place } from "./tools.ts";
import { createTurnRegistry, type TurnRegistry } from "./turn-registry.ts";
import { pollStands, readEndedTurn, type BorneTurn, type EndedTurnRow, type PolledRow } from "./watch.sql.ts";
import { createWatchedChat, type WatchedChat } from "./watched-chat.ts";
import type { ByeReason, Watching } from "./watching.ts";

/** What happens in chats, told to those who watch on this node, and between nodes. */
export interface ChatEvents extends Events, Pick<Chat, "publish" | "running" | "onStop"> {
  readonly turns: TurnRegistry;
  /** Takes in which turn the lock bears: one of another node may not have been heard of yet. */
  learn(place: Place, borne: BorneTurn): void;
  /** Adds a watcher to its chat. */
  join(place: Place, watching: Watching): WatchedChat;
  leave(place: Place, watching: Watching): void;
  close(): Promise<void>;
}

// A notification that was lost costs a watcher at most this.
const lookEveryMs = 1_000;

export function createEvents(tools: Omit<ChatTools, "events">): ChatEvents {
  const { database, logger } = tools;
  const { lockHold: holdMs } = tools.settings.fixed;
  const titleOf = (tool: string): string | null => tools.core.titleOf(tool);
  const turns = createTurnRegistry();
  const chats = new Map<string, WatchedChat>();
  const stopListeners = new Set<(turnId: string) => void>();
  const relay = createRelay({ database, logger, hear, missed: catchUp });
  let looking: NodeJS.Timeout | undefined;
  let announced = performance.now();
  let busy = false;
  let failing = false;

  function happened(place: Place, event: ServerEvent, from: "here" | "elsewhere"): boolean {
    const chat = chats.get(keyOf(place));
    // Of chats that nobody watches here only the end of a turn matters: it may be one of this node's.
    if (from === "elsewhere" && chat === undefined && event.type !== "turn_ended") return false;
    if (!turns.take(place, event, from)) return false;
    chat?.happened(event);
    return true;
  }

  function offer(place: Place, messages: readonly Message[]): void {
    for (const message of messages) turns.take(place, { type: "message", message }, "here");
    chats.get(keyOf(place))?.offer(messages);
  }

  function tellStop(turnId: string): void {
    for (const heard of stopListeners) heard(turnId);
  }

  function hear(hint: Hint): void {
    switch (hint.k) {
      case "stored":
        chats.get(keyOf(toPlace(hint)))?.hint(hint.seq);
        return;
      case "changed":
        if (chats.has(keyOf(toPlace(hint)))) void tellChanged(toPlace(hint), hint.id);
        return;
      case "deleted":
        if (chats.has(keyOf(toPlace(hint)))) void look();
        return;
      case "event":
        happened(toPlace(hint), hint.event, "elsewhere");
        return;
      case "stop":
        tellStop(hint.turn);
        return;
      case "watched":
        // A newcomer elsewhere sees what was streamed so far.
        for (const [userId, conversationId] of hint.chats) {
          const running = turns.get({ userId, conversationId });
          if (running?.here === true) relay.tellEvent({ userId, conversationId }, { type: "turn", turn: running.turn });
        }
    }
  }

  async function tellChanged(place: Place, id: string): Promise<void> {
    try {
      const [row] = await database.query<MessageRow>(readByIds({ ...place, messageIds: [id] }));
      if (row === undefined) return;
      happened(
        place,
        { type: "message_changed", message: toWire(toMessageRow(row), { ...place, titleOf }) },
        "elsewhere",
      );
    } catch (error) {
      logger.warn({ error: String(error) }, "a changed message could not be read for those who watch");
    }
  }

  /** Looks how all watched chats stand: what notifications would have said, had none been lost. */
  async function look(): Promise<void> {
    if (busy || chats.size === 0) return;
    busy = true;
    try {
      const asked = [...chats.values()];
      const rows = await database.query<PolledRow>(
        pollStands({
          userIds: asked.map(({ place }) => place.userId),
          conversationIds: asked.map(({ place }) => place.conversationId),
          holdMs,
        }),
      );
      failing = false;
      const stands = new Map(rows.map((row) => [keyOf({ userId: row.user_id, conversationId: row.id }), row]));
      for (const chat of asked) {
        const stand = stands.get(keyOf(chat.place));
        if (stand === undefined) endAll(chat, "deleted");
        else {
          chat.hint(stand.last_seq);
          await lookAtTurn(chat, stand);
        }
      }
    } catch (error) {
      // Said once: a database that is away is looked for every second.
      if (!failing) logger.warn({ error: String(error) }, "watched chats could not be looked at");
      failing = true;
    } finally {
      busy = false;
    }
  }

  async function lookAtTurn(chat: WatchedChat, stand: PolledRow): Promise<void> {
    const { place } = chat;
    const known = turns.get(place)?.turn ?? null;
    if (known !== null && known.turnId !== stand.turn_id) {
      // What was heard may be younger than what was read: only a row that says so ends a turn.
      const [end] = await database.query<EndedTurnRow>(readEndedTurn(place.userId, known.turnId));
      if (end === undefined) return;
      happened(place, { type: "turn_ended", turnId: end.id, how: end.how, asked: end.asked }, "elsewhere");
    }
    learn(place, stand);
  }

  function learn(place: Place, { turn_id: turnId, stopping }: BorneTurn): void {
    const known = turns.get(place);
    if (turnId === null || known?.here === true) return;
    if (known?.turn.turnId === turnId && (!stopping || known.turn.activity === "stopping")) return;
    const activity = stopping ? "stopping" : "thinking";
    const turn = { turnId, conversationId: place.conversationId, activity, toolTitle: null, text: "" } as const;
    happened(place, { type: "turn", turn }, "elsewhere");
  }

  function endAll(chat: WatchedChat, reason: ByeReason): void {
    for (const watching of [...chat.watchers]) watching.end(reason);
  }

  function announce(): void {
    announced = performance.now();
    relay.announce([...chats.values()].map(({ place }) => place));
  }

  /** Nodes that could not hear each other come back one by one: whoever is last makes both sides speak again. */
  function catchUp(): void {
    announce();
    for (const { place, turn } of turns.here()) relay.tellEvent(place, { type: "turn", turn });
    void look();
  }

  function beat(): void {
    if (performance.now() - announced >= announceEveryMs) announce();
    void look();
  }

  return {
    turns,
    learn,
    stored(place, messages) {
      const last = messages.at(-1);
      if (last === undefined) return;
      offer(place, messages);
      relay.tell({ k: "stored", u: place.userId, c: place.conversationId, seq: last.seq });
    },
    changed(place, message) {
      happened(place, { type: "message_changed", message }, "here");
      relay.tell({ k: "changed", u: place.userId, c: place.conversationId, id: message.id });
    },
    happened(place, event) {
      if (happened(place, event, "here")) relay.tellEvent(place, event);
    },
    publish(target, event) {
      if (happened(target, event, "here")) relay.tellEvent(target, event);
    },
    running(userId, conversationId) {
      const running = turns.get({ userId, conversationId });
      return running?.here === true ? running.turn : null;
    },
    deleted(place) {
      const chat = chats.get(keyOf(place));
      if (chat !== undefined) endAll(chat, "deleted");
      relay.tell({ k: "deleted", u: place.userId, c: place.conversationId });
    },
    stopAsked(turnId) {
      tellStop(turnId);
      relay.tell({ k: "stop", turn: turnId });
    },
    onStop(heard) {
      stopListeners.add(heard);
      return () => stopListeners.delete(heard);
    },
    join(place, watching) {
      const key = keyOf(place);
      let chat = chats.get(key);
      if (chat === undefined) {
        chat = createWatchedChat(place, { database, logger, titleOf });
        chats.set(key, chat);
        relay.announce([place]);
      }
      chat.watchers.add(watching);
      looking ??= setInterval(beat, lookEveryMs).unref();
      return chat;
    },
    leave(place, watching) {
      const key = keyOf(place);
      const chat = chats.get(key);
      chat?.watchers.delete(watching);
      if (chat === undefined || chat.watchers.size > 0) return;
      chats.delete(key);
      turns.forgetElsewhere(place);
      if (chats.size > 0) return;
      clearInterval(looking);
      looking = undefined;
    },
    async close() {
      for (const chat of [...chats.values()]) endAll(chat, "shutting_down");
      clearInterval(looking);
      await relay.close();
    },
  };
}

function toPlace(hint: { readonly u: string; readonly c: string }): Place {
  return { userId: hint.u, conversationId: hint.c };
}
