import type { Database } from "../database/database.ts";
import type { Logger } from "../logger.ts";
import type { Message } from "../wire/messages.ts";
import type { ServerEvent } from "../wire/events.ts";
import { toFrame, type Frame } from "./frame.ts";
import { toMessageRow, toWire, type MessageRow } from "./message-row.ts";
import { readAfter } from "./page.sql.ts";
import type { Place } from "./tools.ts";
import type { Watching } from "./watching.ts";

export interface WatchedChatTools {
  readonly database: Database;
  readonly logger: Logger;
  titleOf(tool: string): string | null;
}

/**
 * A chat that is watched on this node. All its watchers were told every message up to one seq: a message that follows it
 * is told at once; any other is only a hint that rows after it are to be read. The rows are read in the order of seq, which is
 * that of the commits, so none is missed.
 */
export interface WatchedChat {
  readonly place: Place;
  readonly watchers: Set<Watching>;
  /** What its first watcher found to be the chat's last seq; later ones change nothing. */
  startAt(seq: number): void;
  /** Messages that were just stored. */
  offer(messages: readonly Message[]): void;
  /** Somebody saw the chat at this seq. */
  hint(seq: number): void;
  happened(event: ServerEvent): void;
}

const piece = 100;

export function createWatchedChat(place: Place, tools: WatchedChatTools): WatchedChat {
  const watchers = new Set<Watching>();
  let told: number | null = null;
  let ahead = 0;
  let reading = false;
  let held: Frame[] = [];

  function tell(frame: Frame): void {
    for (const watching of watchers) watching.take(frame);
  }

  function tellMessage(message: Message): void {
    told = message.seq;
    tell(toFrame({ type: "message", message }));
  }

  async function readOn(): Promise<void> {
    if (reading || told === null || ahead <= told) return;
    reading = true;
    try {
      while (ahead > told && watchers.size > 0) {
        const rows: readonly MessageRow[] = await tools.database.query(
          readAfter({ ...place, afterSeq: told, limit: piece }),
        );
        for (const row of rows) tellMessage(toWire(toMessageRow(row), { ...place, titleOf: tools.titleOf }));
        // The chat is gone, rows and all.
        if (rows.length === 0) ahead = told;
      }
    } catch (error) {
      // The next look, within a second, tries again from the same place.
      tools.logger.warn({ error: String(error) }, "stored messages could not be read for those who watch");
    } finally {
      reading = false;
      const frames = held;
      held = [];
      for (const frame of frames) tell(frame);
    }
  }

  return {
    place,
    watchers,
    startAt(seq) {
      told ??= seq;
      void readOn();
    },
    offer(messages) {
      for (const message of messages) {
        if (!reading && told !== null && message.seq === told + 1) tellMessage(message);
        ahead = Math.max(ahead, message.seq);
      }
      void readOn();
    },
    hint(seq) {
      ahead = Math.max(ahead, seq);
      void readOn();
    },
    happened(event) {
      const frame = toFrame(event);
      // Behind the messages that are being read: an end is not told before the last message.
      if (reading) held.push(frame);
      else tell(frame);
    },
  };
}
