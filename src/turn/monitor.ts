// Watches over a running turn: keeps its lock, hears of stops, holds its deadline and grace, and ends the turn when its
// task did not. It kills nothing: past the grace the turn ends without its task, and the fence keeps that harmless.
import { setTimeout as wait } from "node:timers/promises";
import type { Chat } from "../chat/chat.ts";
import { describeError } from "../core/describe-error.ts";
import type { Logger } from "../logger.ts";
import { createLiveTurn, type LiveTurn, type LiveTurnSetup, type StopReason } from "./live-turn.ts";
import { type TaskEnd, toNotice, writeAlone } from "./turn-task.ts";

export interface Monitored {
  /** Asks the turn to stop; past `graceMs` (default: the setting's) it ends without its task. A second call can only shorten the grace. */
  stop(reason: StopReason, graceMs?: number): void;
  /** Resolves when the turn is over, whoever ended it, and what it left running has come to its end or was given up. */
  readonly over: Promise<void>;
}

export interface MonitorRooms {
  readonly chat: Pick<Chat, "keep" | "finish">;
  readonly node: string;
  readonly logger: Logger;
}

/** How long a task that was abandoned is waited for, so that the call it made still gets its journal row. */
const abandonedMs = 2_000;

/** Runs a turn's task under watch. */
export function monitorTurn(
  rooms: MonitorRooms,
  setup: Omit<LiveTurnSetup, "signal" | "onAsked">,
  task: (live: LiveTurn) => Promise<TaskEnd>,
): Monitored {
  const { values, telling } = setup;
  const abandon = new AbortController();
  const grace = createGrace(abandon);
  const live = createLiveTurn({
    ...setup,
    signal: abandon.signal,
    onAsked() {
      if (live.lost()) abandon.abort();
      else telling.activity("stopping");
      grace.within(values.stopGrace * 1000);
    },
  });
  const deadline = setTimeout(() => live.ask("deadline"), values.turnDeadline * 1000);
  const keeper = keepTurn(rooms, live);

  async function watch(): Promise<void> {
    telling.activity("starting");
    // Begun a moment later, so that a stop that came before the turn is seen by its first look.
    const begun = Promise.resolve().then(() => task(live));
    const work = begun.catch((error: unknown): TaskEnd => {
      rooms.logger.error({ node: rooms.node, turnId: live.turnId, error: describeError(error) }, "a turn's task threw");
      return "failed";
    });
    const end = await Promise.race([work, grace.over]);
    clearTimeout(deadline);
    grace.clear();
    keeper.stop();
    await conclude(rooms, live, { end, work });
    telling.close();
    const rest = work.then(() => writeAlone(live.takeBeside()));
    await Promise.race([rest, wait(abandonedMs, undefined, { ref: false })]);
  }

  return {
    stop(reason, graceMs) {
      live.ask(reason);
      if (graceMs !== undefined) grace.within(graceMs);
    },
    over: watch(),
  };
}

/** Ends the turn unless its task did, or somebody else. */
async function conclude(
  rooms: MonitorRooms,
  live: LiveTurn,
  { end, work }: { readonly end: TaskEnd | "late"; readonly work: Promise<TaskEnd> },
): Promise<void> {
  if (end === "told") return;
  const how = live.asked() ?? "interrupted";
  live.telling.retract();
  const ended =
    end === "gone"
      ? await tryFinish(rooms, live, { how: "chat_gone", messages: [] })
      : live.lost() || end === "lost"
        ? false
        : await tryFinish(rooms, live, { how, messages: [toNotice(how, null)] });
  if (ended) return;
  // The task may have ended the turn at the very moment its grace was over.
  if (end === "late" && (await Promise.race([work, wait(abandonedMs, "late" as const, { ref: false })])) === "told")
    return;
  live.telling.ended({ how: end === "gone" ? "chat_gone" : how, asked: live.questionStored });
}

/** False when somebody else ended the turn, or the database cannot be reached: then the lock lapses, and the sweeper ends it. */
async function tryFinish(
  rooms: MonitorRooms,
  live: LiveTurn,
  end: Pick<Parameters<Chat["finish"]>[1], "how" | "messages">,
): Promise<boolean> {
  for (let attempt = 1; ; attempt++) {
    try {
      return (await rooms.chat.finish(live.fence, { ...end, rounds: live.rounds })).ended;
    } catch (error) {
      // Asked again once: a connection may have been cut, and a turn ends only once however often it is asked.
      if (attempt === 1) continue;
      rooms.logger.error(
        { node: rooms.node, turnId: live.turnId, error: describeError(error) },
        "a turn's end could not be stored",
      );
      return false;
    }
  }
}

interface Grace {
  readonly over: Promise<"late">;
  /** Ends the grace after this many milliseconds, unless it ends sooner already. */
  within(milliseconds: number): void;
  clear(): void;
}

function createGrace(abandon: AbortController): Grace {
  const { promise, resolve } = Promise.withResolvers<"late">();
  let endsAt = Infinity;
  let timer: NodeJS.Timeout | undefined;
  let open = true;
  return {
    over: promise,
    within(milliseconds) {
      const until = performance.now() + milliseconds;
      if (!open || until >= endsAt) return;
      endsAt = until;
      clearTimeout(timer);
      timer = setTimeout(() => {
        abandon.abort();
        resolve("late");
      }, milliseconds);
    },
    clear() {
      open = false;
      clearTimeout(timer);
    },
  };
}

/** Keeps the lock every `turnKeepMs`, however quiet the task; stops by itself when no turn can still be running. */
function keepTurn({ chat }: MonitorRooms, live: LiveTurn): { stop(): void } {
  const { turnKeepMs, lockHold, turnDeadline, stopGrace } = live.values;
  const until = live.clock() + (turnDeadline + stopGrace) * 1000 + lockHold;
  const timer = setInterval(
    () => {
      const sentAt = live.clock();
      if (sentAt > until) return clearInterval(timer);
      chat.keep(live.fence).then(
        ({ held, stopRequested }) => {
          if (!held) return live.lose();
          live.kept(sentAt);
          if (stopRequested) live.ask("stopped");
        },
        // A keep that the database refuses is tried again at the next beat.
        () => undefined,
      );
    },
    Math.max(100, Math.min(turnKeepMs, lockHold / 2)),
  );
  return { stop: () => clearInterval(timer) };
}
