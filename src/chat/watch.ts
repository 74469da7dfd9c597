import { refused } from "../outcome.ts";
import type { ActRefusal } from "../wire/reasons.ts";
import { authorize } from "./authorize.ts";
import type { Chat, Watcher } from "./chat.ts";
import { toConversation } from "./conversation-row.ts";
import type { ChatEvents } from "./create-events.ts";
import { toFrame } from "./frame.ts";
import { toMessageRow, toWire, type MessageRow } from "./message-row.ts";
import { readAfter } from "./page.sql.ts";
import type { ChatTools, Place } from "./tools.ts";
import { readStand, type StandRow } from "./watch.sql.ts";
import { createWatching, type ByeReason, type Watching } from "./watching.ts";

const piece = 200;
// A host that cannot say who is signed in is not a sign-out; but nobody goes on watching unseen for long.
const uncertainRechecks = 2;

/** Lets a session watch a chat: who joins is registered first, then reads what it missed, then gets what came meanwhile. */
export function createWatch(tools: ChatTools & { readonly events: ChatEvents }): Pick<Chat, "watch"> {
  const { database, events } = tools;
  const { lockHold: holdMs, watchBacklog: backlog, watchRecheck } = tools.settings.fixed;
  const titleOf = (tool: string): string | null => tools.core.titleOf(tool);

  return {
    async watch(sessionRef, watcher) {
      const { conversationId } = watcher;
      const allowed = await authorize(tools, sessionRef, { conversationId, whileOff: true });
      if (!allowed.ok) return allowed;
      const place: Place = { userId: allowed.session.userId, conversationId };
      const watching = createWatching({
        send: (encoded) => watcher.send(encoded),
        backlog,
        onEnd: (ended) => events.leave(place, ended),
      });
      // Registered before anything is read: what is stored from here on waits for this watcher.
      const chat = events.join(place, watching);
      const stand = await readOrLeave(place, watching);
      if (stand === undefined) {
        watching.end();
        return refused("not_found");
      }
      chat.startAt(stand.last_seq);
      const leave = (): void => watching.end();
      watcher.signal.addEventListener("abort", leave, { once: true });
      if (watcher.signal.aborted) leave();
      const stopRechecks = recheck(sessionRef, { conversationId, watching });
      void watching.done.then(() => {
        stopRechecks();
        watcher.signal.removeEventListener("abort", leave);
      });
      void begin(place, { watcher, watching, stand });
      return { ok: true, done: watching.done };
    },
  };

  async function readOrLeave(place: Place, watching: Watching): Promise<StandRow | undefined> {
    try {
      const [stand] = await database.query<StandRow>(readStand({ ...place, holdMs }));
      return stand;
    } catch (error) {
      watching.end();
      throw error;
    }
  }

  async function begin(
    place: Place,
    arrival: { readonly watcher: Watcher; readonly watching: Watching; readonly stand: StandRow },
  ): Promise<void> {
    const { watching, stand } = arrival;
    const lastSeq = stand.last_seq;
    events.learn(place, stand);
    const running = events.turns.get(place);
    // A turn of this node is known to the moment; another's is believed only while the lock bears it.
    const turn = running !== null && (running.here || running.turn.turnId === stand.turn_id) ? running.turn : null;
    const seq = Math.min(arrival.watcher.afterSeq ?? lastSeq, lastSeq);
    watching.begin(
      { type: "hello", now: stand.now.toISOString(), lastSeq, conversation: toConversation(stand), turn },
      { seq, holdsTurn: turn !== null },
    );
    try {
      while (watching.seq < lastSeq && !watching.ended) {
        const rows = await database.query<MessageRow>(readAfter({ ...place, afterSeq: watching.seq, limit: piece }));
        for (const row of rows) {
          const message = toWire(toMessageRow(row), { ...place, titleOf });
          watching.catchUp(toFrame({ type: "message", message }));
        }
        if (rows.length === 0) break;
      }
      watching.open();
    } catch (error) {
      tools.logger.warn({ error: String(error) }, "a watcher could not be told what it missed");
      watching.end();
    }
  }

  /** Looks every `watchRecheck` whether the session may still watch. */
  function recheck(
    sessionRef: string,
    of: { readonly conversationId: string; readonly watching: Watching },
  ): () => void {
    const { conversationId, watching } = of;
    let uncertain = 0;
    let timer = setTimeout(look, watchRecheck);
    timer.unref();

    function look(): void {
      authorize(tools, sessionRef, { conversationId, whileOff: true }).then(
        (allowed) => judge(allowed.ok ? null : allowed.reason),
        () => judge("session_unavailable"),
      );
    }

    function judge(reason: ActRefusal | null): void {
      if (watching.ended) return;
      uncertain = reason === "session_unavailable" ? uncertain + 1 : 0;
      if (reason !== null && reason !== "session_unavailable") return watching.end(byeReasons[reason]);
      if (uncertain >= uncertainRechecks) return watching.end();
      timer = setTimeout(look, watchRecheck);
      timer.unref();
    }

    return () => clearTimeout(timer);
  }
}

const byeReasons = {
  session_invalid: "session_ended",
  impersonated: "not_allowed",
  not_allowed: "not_allowed",
  assistant_off: "not_allowed",
  not_found: "deleted",
} as const satisfies Record<Exclude<ActRefusal, "session_unavailable">, ByeReason>;
