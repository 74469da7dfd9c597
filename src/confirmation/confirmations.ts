import type { Outcome, Refusal } from "../outcome.ts";
import type { LockHolder } from "../chat/chat.ts";
import type { RequestContext, Session } from "../core/session.ts";
import type { Card, CardsAnswer } from "../wire/cards.ts";
import type { Message } from "../wire/messages.ts";
import type { ActRefusal, CardOutcome, ClickRefusal } from "../wire/reasons.ts";

export interface ClickTarget {
  readonly conversationId: string;
  readonly messageId: string;
  readonly requestContext: RequestContext;
}

/** Why a click did nothing. `code` (and a tool's own `sentence`) beside `refused`; `outcome` beside `not_waiting`: what the card's notice says; `holder` beside a lock that is held. */
export interface ClickRefused extends Refusal<ClickRefusal> {
  readonly code?: string;
  readonly sentence?: string;
  readonly outcome?: CardOutcome;
  readonly finished?: boolean;
  readonly holder?: LockHolder;
  readonly retryAfter?: number;
}

export type ClickResult<Word extends string> =
  | { readonly ok: true; readonly outcome: Word; readonly finished: boolean }
  | ClickRefused;

/** Told once a card's `confirmed` outcome is stored, on the node that stored it, so that a host's page can refresh. */
export interface ConfirmedEvent {
  readonly userId: string;
  readonly conversationId: string;
  readonly confirmationId: string;
  /** Registry name. */
  readonly tool: string;
  /** False: the write was started; whether it finished is not known. */
  readonly finished: boolean;
}

/** A waiting card as a host's `mayConfirm` sees it. */
export interface ConfirmableRow {
  readonly confirmationId: string;
  readonly conversationId: string;
  readonly userId: string;
  readonly tool: string;
  /** JSON text of the arguments that would run. */
  readonly arguments: string;
}

/**
 * Whether a click may run a held write, asked last, when every right was checked, the dry run reads as approved, and the row
 * would be spent next: the place for a second person's yes, which the host keeps. It can only say no. A throw, or an answer later
 * than `hostCallLimit`, is no. Default: the acting user alone.
 */
export type MayConfirm = (session: Session, row: ConfirmableRow) => Promise<boolean> | boolean;

/**
 * The cards of a chat: what they show, the three clicks, and settling those that stopped waiting with no click. Joins
 * chat and core, owns no table; no path here runs a handler but core's redeem.
 */
export interface Confirmations {
  confirm(sessionRef: string, target: ClickTarget): Promise<ClickResult<CardOutcome>>;
  reject(sessionRef: string, target: ClickTarget): Promise<ClickResult<CardOutcome>>;
  repeat(sessionRef: string, target: ClickTarget): Promise<ClickResult<"repeated">>;
  /** Reading goes on while the assistant is switched off, as a waiting card can still be cancelled then. */
  cards(
    sessionRef: string,
    page: { readonly conversationId: string; readonly messageIds: readonly string[] },
  ): Promise<Outcome<CardsAnswer, ActRefusal>>;
  /** One card whole, under the same refusals. */
  card(
    sessionRef: string,
    target: { readonly conversationId: string; readonly messageId: string },
  ): Promise<Outcome<{ readonly now: string; readonly card: Card }, ActRefusal | "not_waiting">>;
  /** Every waiting card of the chat, oldest first, wherever it is. */
  waitingCards(
    sessionRef: string,
    target: { readonly conversationId: string },
  ): Promise<Outcome<CardsAnswer & { readonly messages: readonly Message[] }, ActRefusal>>;
  /** Gives cards that stopped waiting with no click their notice. Nothing is written, and no lock asked for, when there is none. */
  settleLapsed(
    sessionRef: string,
    target: { readonly conversationId: string },
  ): Promise<Outcome<object, ActRefusal | "turn_running" | "click_running"> & { readonly holder?: LockHolder }>;
  /** The same for a turn, under its own lock, before it reads the history. */
  settleLapsedInTurn(userId: string, target: { readonly conversationId: string }): Promise<void>;
  /** The same for the sweeper, under a click's lock of its own. */
  settleSwept(userId: string, target: { readonly conversationId: string }): Promise<void>;
  /** The same for every spent row that nobody told of, whatever became of its click's lock; run by the sweeper. */
  settleSpent(): Promise<void>;
  outcomes(): readonly CardOutcome[];
  /** Refuses new clicks and waits for those under way, each to its handler's limit. */
  drain(): Promise<void>;
}
