import type { Fence } from "../chat/chat.ts";
import type { RequestContext, Session } from "../core/session.ts";
import type { Beside } from "../database/beside.ts";
import type { Admission } from "../model/model.ts";
import type { Telling } from "./telling.ts";
import type { SettingValues } from "../settings/schema.ts";
import type { SentFile } from "../wire/messages.ts";

/** Why a running turn was asked to stop; also the code of its notice. */
export type StopReason = "stopped" | "deadline" | "interrupted";

/** A turn that runs in this process: what its task and its monitor share. */
export interface LiveTurn {
  readonly fence: Fence;
  readonly turnId: string;
  readonly session: Session;
  readonly text: string;
  /** What it is sent with. */
  readonly files: readonly SentFile[];
  readonly requestContext: RequestContext;
  readonly admission: Admission;
  readonly values: SettingValues;
  /** By this process's clock. */
  readonly startedAt: Date;
  /** Milliseconds since the epoch, by this process's clock: for a model's call, which bounds its attempts by it. */
  readonly deadline: number;
  /** Whether the turn has taken as long as it may. */
  overdue(): boolean;
  /** Fires past the grace of a stop, or when the lock is lost: whatever still runs is abandoned. */
  readonly signal: AbortSignal;
  readonly telling: Telling;
  /** Why it was asked to stop; null while it was not. */
  asked(): StopReason | null;
  /** Asks it to stop; the first reason stands. The task sees it where it looks next. */
  ask(reason: StopReason): void;
  /** Whether the lock is known to be another's. */
  lost(): boolean;
  /** Notes that the lock is another's: the task stores nothing more. */
  lose(): void;
  /** Notes that a fenced statement sent at `sentAt` (`clock()`) found the lock held. */
  kept(sentAt: number): void;
  /** Whether the lock was kept so lately that it cannot have lapsed. */
  surelyHeld(): boolean;
  /** Notes a row that is to be written together with what the task stores next. */
  beside(row: Beside): void;
  /** The rows noted so far; from now on they are the caller's to write. */
  takeBeside(): readonly Beside[];
  /** A monotonic clock in milliseconds. */
  clock(): number;
  /** Whether the user's message is in the chat. */
  questionStored: boolean;
  /** Whether something was stored in the chat since the model was last called: then it is there. */
  chatSeen: boolean;
  /** Rounds begun. */
  rounds: number;
}

export interface LiveTurnSetup extends Pick<
  LiveTurn,
  "fence" | "turnId" | "session" | "text" | "files" | "requestContext" | "admission" | "values" | "telling" | "signal"
> {
  /** When the statement that took the lock was sent, by `performance.now()`. */
  readonly lockedAt: number;
  /** Hears of a first stop or a lost lock. */
  onAsked(): void;
}

export function createLiveTurn(setup: LiveTurnSetup): LiveTurn {
  const { onAsked, lockedAt, ...given } = setup;
  const clock = (): number => performance.now();
  let asked: StopReason | null = null;
  let lost = false;
  let keptAt = lockedAt;
  let beside: Beside[] = [];
  const endsAt = clock() + given.values.turnDeadline * 1000;
  return {
    ...given,
    startedAt: new Date(),
    deadline: Date.now() + given.values.turnDeadline * 1000,
    overdue: () => clock() >= endsAt,
    questionStored: false,
    chatSeen: false,
    rounds: 0,
    asked: () => asked,
    ask(reason) {
      if (asked !== null || lost) return;
      asked = reason;
      onAsked();
    },
    lost: () => lost,
    lose() {
      if (lost) return;
      lost = true;
      onAsked();
    },
    kept(sentAt) {
      keptAt = Math.max(keptAt, sentAt);
    },
    // Half the hold: the database's clock may run faster than this one, and what follows takes its time too.
    surelyHeld: () => !lost && clock() - keptAt < given.values.lockHold / 2,
    beside: (row) => void beside.push(row),
    takeBeside() {
      const taken = beside;
      beside = [];
      return taken;
    },
    clock,
  };
}
