import type { Beside } from "../database/beside.ts";
import type { Outcome, Refusal } from "../outcome.ts";
import type { CardPreview } from "../wire/cards.ts";
import type { CheckCode } from "../wire/reasons.ts";
import type { CoreAdmin } from "./core-admin.ts";
import type { RequestContext, Session } from "./session.ts";
import type { SpentRow } from "./spent-rows.sql.ts";
import type { JsonObject, Via } from "./tool.ts";

/** A call of one tool. `args` as JSON text is read strictly: repeated keys, or numbers that do not print back the same, are `invalid_input`. */
export interface Call {
  /** Registry name, `module.name`. */
  readonly tool: string;
  readonly args: string | JsonObject;
  readonly via: Via;
  readonly requestContext: RequestContext;
  /**
   * Given, the answer is not kept waiting for what has to be written of it, which is handed over: a read's audit row, or a
   * held write's row, to be stored in one commit with its card. `expiresAt` is then by this process's clock.
   */
  readonly onRecord?: ((record: Beside) => void) | undefined;
  /** Stops a read, or a write's dry run. A write's handler is never stopped by its caller. */
  readonly signal?: AbortSignal | undefined;
}

/** A refusal by core. `invalidPaths` beside `invalid_input`; `sentence` beside a tool's own code; `retryAfter` (seconds) beside `rate_limited`. */
export interface CoreRefusal<Code extends string> extends Refusal<Code> {
  readonly invalidPaths?: readonly string[];
  readonly sentence?: string;
  readonly retryAfter?: number;
}

/** A tool's own codes are plain strings beside ours: `refused_by_tool` carries them. */
export interface RefusedByTool extends Refusal<"refused_by_tool"> {
  readonly code: string;
  readonly sentence: string;
}

export type ExecuteAnswer =
  | { readonly ok: true; readonly status: "done"; readonly result: unknown }
  | {
      readonly ok: true;
      readonly status: "confirmation_required";
      readonly confirmationId: string;
      readonly expiresAt: Date;
      readonly preview: CardPreview;
    }
  | CoreRefusal<CheckCode | "handler_failed" | "timeout" | "preview_failed">
  | RefusedByTool;

/** A call that was looked at up to its count. */
export interface PreparedExecute {
  /** Due: together with what is stored next, or by `run`. Null for a call that is refused already. */
  readonly count: Beside | null;
  /** At once, or not at all: what was looked at is as it was then. */
  run(): Promise<ExecuteAnswer>;
}

export interface Redemption extends Call {
  readonly confirmationId: string;
  /** Asked last, right before the spend: a caller's own say, that can only be no. A throw or a late answer (`hostCallLimit`) is no. */
  readonly approve?: ((session: Session) => Promise<boolean> | boolean) | undefined;
  /** Whether the outcome is stored in the same database right after, and waited for: then how the handler ended is not waited for on the disk by itself. It is there before that is. */
  readonly followed?: boolean | undefined;
}

/**
 * What a redeem did. `used`: another click spent it before. `changed`: the row was replaced by `replacedBy`, now or
 * earlier. `timeout` and `handler_failed`: the row is spent, the handler was started. All else changed nothing.
 */
export type RedeemAnswer =
  | { readonly ok: true; readonly result: unknown }
  | CoreRefusal<
      | CheckCode
      | "invalid"
      | "used"
      | "rejected"
      | "expired"
      | "mismatch"
      | "preview_failed"
      | "approval_missing"
      | "handler_failed"
      | "timeout"
    >
  | (Refusal<"changed"> & { readonly replacedBy: string })
  | RefusedByTool;

export type ConfirmationStatus = "held" | "used" | "rejected" | "replaced" | "expired";

/** A row as its user may see it without any right to its tool: never tool, preview or hash. */
export interface ConfirmationState {
  readonly id: string;
  readonly status: ConfirmationStatus | "gone";
  /** Held, but past its time by the database's clock. */
  readonly ranOut: boolean;
  /** Used, no end known, and its handler may still be running (`run_until` not reached). */
  readonly running: boolean;
  /** How the handler ended: true well, false badly, null not known. */
  readonly succeeded: boolean | null;
  readonly runUntil: Date | null;
  readonly replacedBy: string | null;
  /** For a replaced row: whether the new one is held and in time. */
  readonly replacementHolds: boolean;
}

/** A row with what its card shows, for a session that may use its tool now. */
export interface ConfirmationDetail extends ConfirmationState {
  readonly tool: string;
  readonly title: string;
  readonly preview: CardPreview | null;
  readonly expiresAt: Date;
  /** The time left by the database's clock, in milliseconds; not positive once it ran out. What browsers are told is made from this, as nodes' clocks differ. */
  readonly expiresInMs: number;
}

export type RejectAnswer =
  | { readonly ok: true }
  | CoreRefusal<
      "session_invalid" | "session_unavailable" | "impersonated" | "invalid" | "used" | "rejected" | "expired"
    >
  | (Refusal<"changed"> & { readonly replacedBy: string });

/** What reading a row answers: `forbidden` when the session may no longer use its tool (whatever the reason), `invalid` when there is none. */
export type DetailAnswer =
  | Outcome<{ readonly row: ConfirmationDetail }, "invalid">
  | (Refusal<"forbidden"> & { readonly state: ConfirmationState });

export interface VisibleTool {
  /** Registry name. */
  readonly name: string;
  /** The name providers take; `toRegistryName` turns it back. */
  readonly providerName: string;
  readonly title: string;
  readonly description: string;
  readonly kind: "read" | "write";
  readonly inputSchema: JsonObject;
}

/**
 * What may be done, by whom, and how a write is held. Knows no chats, turns or models. Every function takes a session
 * ref and loads the session itself.
 */
export interface Core {
  /** The live session, or why there is none. Within `hostCallLimit` (5 s). */
  loadSession(
    sessionRef: string,
  ): Promise<Outcome<{ readonly session: Session }, "session_invalid" | "session_unavailable">>;
  /** Whether a live session has a permission; a throw or a late answer is no. */
  can(session: Session, permission: string): Promise<boolean>;
  /** The tools this session may see now, in stable order. */
  visibleFor(
    sessionRef: string,
  ): Promise<
    Outcome<{ readonly tools: readonly VisibleTool[] }, "session_invalid" | "session_unavailable" | "impersonated">
  >;
  execute(sessionRef: string, call: Call): Promise<ExecuteAnswer>;
  /** The same in two steps: the session and its rights are looked at, then the call is counted and runs. */
  prepare(sessionRef: string, call: Call): Promise<PreparedExecute>;
  redeem(sessionRef: string, redemption: Redemption): Promise<RedeemAnswer>;
  /** Turns a held row down; needs no right to its tool. */
  rejectForUser(
    sessionRef: string,
    confirmationId: string,
    request: { readonly via: Via; readonly requestContext: RequestContext },
  ): Promise<RejectAnswer>;
  /** Rows for a live session, one query for all; the answer has an entry for each id. */
  getForUser(
    sessionRef: string,
    confirmationIds: readonly string[],
  ): Promise<
    Outcome<
      { readonly rows: ReadonlyMap<string, DetailAnswer> },
      "session_invalid" | "session_unavailable" | "impersonated"
    >
  >;
  /** States of rows by user alone, one query for all; an id without a row of this user reads `gone`. */
  lookupForUser(userId: string, confirmationIds: readonly string[]): Promise<ReadonlyMap<string, ConfirmationState>>;
  /** Like `lookupForUser`, after turning held rows past their time into `expired` in the same statement: only such a row may be told as expired. */
  expireForUser(userId: string, confirmationIds: readonly string[]): Promise<ReadonlyMap<string, ConfirmationState>>;
  /** The title people read for a tool, or null when no tool has that name. */
  titleOf(tool: string): string | null;
  /** The tool's kind, or null when no tool has that name. */
  kindOf(tool: string): "read" | "write" | null;
  /** The longest a click on this tool can take before its keeper gives up, in milliseconds: all host calls at their limits. */
  longestClick(tool: string): number;
  /** SHA-256 over canonical JSON (RFC 8785) of the arguments as they would run, or null when they cannot be read. */
  argumentsHash(args: string): string | null;
  /** The arguments as they would run, as JSON text for a card, or null when they cannot be read. */
  printArguments(args: string): string | null;
  /** Rows of all users that clicks have spent since a time (null: in the last day), the longest ago first; for the sweeper. */
  spentRows(from: Date | null, limit: number): Promise<readonly SpentRow[]>;
  /** Deletes what retention allows, in small batches; run by the sweeper. */
  sweep(): Promise<void>;
  /** Deletes rows of this user whatever their status: with the chats that `keepChatsFor` lets go. */
  forgetConfirmations(userId: string, confirmationIds: readonly string[]): Promise<void>;
  /** What administrators see: modules and their tools, and the audit of calls. */
  readonly admin: CoreAdmin;
  /** Deletes everything core keeps of a user, in small batches. The caller holds the user's lock, so that nothing runs. */
  forgetUser(userId: string): Promise<void>;
}
