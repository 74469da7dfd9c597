import { refused } from "../outcome.ts";
import { monitorTurn, type Monitored } from "./monitor.ts";
import { runTurn } from "./run-turn.ts";
import { startTurn, type Started } from "./start-turn.ts";
import { createSweeper } from "./sweeper.ts";
import { createTelling } from "./telling.ts";
import type { TurnRooms } from "./turn-rooms.ts";
import type { Turns } from "./turns.ts";
import { createUsageBook } from "./usage-book.ts";

/** A drained process has 20 s; what is left of them is for the last statement. */
const drainGraceMs = 15_000;

/** Those of other nodes are heard too. One that is dropped is seen by the turn's first statement. */
const mostEarly = 1_000;

/** Makes the turns of a node; sweeps until closed. */
export function createTurns(rooms: TurnRooms): Turns {
  const { chat } = rooms;
  const usage = createUsageBook(rooms);
  const running = new Map<string, Monitored>();
  const starting = new Set<Promise<unknown>>();
  let draining = false;
  const sweeper = createSweeper(rooms);
  // Stops heard of turns that hold their lock already and are about to run.
  const early = new Set<string>();
  const deafen = chat.onStop(askToStop);

  function askToStop(turnId: string): void {
    const monitored = running.get(turnId);
    if (monitored !== undefined) monitored.stop("stopped");
    else if (starting.size > 0 && early.size < mostEarly) early.add(turnId);
  }

  const stopFor: Turns["stopFor"] = async ({ userId, turnId }) => {
    if (!(await chat.requestStop(userId, turnId))) return refused("not_running");
    askToStop(turnId);
    return { ok: true };
  };

  function run(started: Started): void {
    const { turnId, fence } = started;
    const telling = createTelling(chat, fence, turnId);
    const monitored = monitorTurn(rooms, { ...started, telling }, (live) => runTurn({ ...rooms, usage }, live));
    running.set(turnId, monitored);
    if (early.has(turnId)) monitored.stop("stopped");
    void monitored.over.then(() => running.delete(turnId));
  }

  async function idle(): Promise<void> {
    while (running.size > 0 || starting.size > 0) {
      await Promise.allSettled([...starting, ...[...running.values()].map(({ over }) => over)]);
    }
  }

  return {
    async start(sessionRef, request) {
      const work = startTurn(rooms, sessionRef, { request, isDraining: () => draining });
      starting.add(work);
      try {
        const answer = await work;
        if (!answer.ok) return answer;
        if ("known" in answer) return { ok: true, turnId: answer.known };
        run(answer.started);
        return { ok: true, turnId: answer.started.turnId };
      } finally {
        starting.delete(work);
        if (starting.size === 0) early.clear();
      }
    },

    async stop(sessionRef, { conversationId, turnId }) {
      // A turn may be stopped while the assistant is switched off: it only does less.
      const allowed = await chat.authorize(sessionRef, { conversationId, whileOff: true });
      if (!allowed.ok) return allowed;
      return stopFor({ userId: allowed.session.userId, turnId });
    },

    stopFor,

    idle,

    async drain() {
      draining = true;
      rooms.attachments.drain();
      const clicks = rooms.confirmations.drain();
      await Promise.allSettled(starting);
      for (const monitored of running.values()) monitored.stop("interrupted", drainGraceMs);
      await Promise.all([idle(), clicks]);
    },

    async close() {
      draining = true;
      await sweeper.close();
      await idle();
      deafen();
      usage.close();
    },
  };
}
