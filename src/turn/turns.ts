import type { Outcome, Refusal } from "../outcome.ts";
import type { LockHolder } from "../chat/chat.ts";
import type { RequestContext } from "../core/session.ts";
import type { StartRefusal, StopRefusal } from "../wire/reasons.ts";

export interface StartTurn {
  readonly conversationId: string;
  readonly text: string;
  /** Made by the browser, unique in the chat: the same again answers the same turn. */
  readonly clientId: string;
  /** Files that wait in this chat and are ready, in the order in which they are sent. */
  readonly attachmentIds?: readonly string[] | undefined;
  readonly requestContext: RequestContext;
}

/** Why a turn did not start; `holder` beside a lock that is held, `retryAfter` (seconds) beside a limit. */
export interface StartRefused extends Refusal<StartRefusal> {
  readonly holder?: LockHolder;
  readonly retryAfter?: number;
}

/**
 * One answer: start, rounds, stop, recovery. Drives chat, core and model; owns no table. `run-turn.ts` is the only loop.
 */
export interface Turns {
  /** Answers at once; the turn runs on in a task of this process. */
  start(sessionRef: string, request: StartTurn): Promise<{ readonly ok: true; readonly turnId: string } | StartRefused>;
  stop(
    sessionRef: string,
    target: { readonly conversationId: string; readonly turnId: string },
  ): Promise<Outcome<object, StopRefusal>>;
  /** Stops a turn of any user, for an administrator: asks for no right, its caller does. */
  stopFor(target: { readonly userId: string; readonly turnId: string }): Promise<Outcome<object, "not_running">>;
  /** Resolves when no turn of this process runs. */
  idle(): Promise<void>;
  /** SIGTERM: refuses new turns and clicks, asks running ones to stop, ends them as `interrupted` within 20 s, waits for clicks. */
  drain(): Promise<void>;
  /** Ends the sweeper and waits for running tasks. */
  close(): Promise<void>;
}
