import type { Outcome } from "../outcome.ts";
import type { Session } from "../core/session.ts";
import type { Beside } from "../database/beside.ts";
import type { Queryable } from "../database/database.ts";
import type { Statement } from "../database/sql.ts";
import type { RunningTurn, ServerEvent, TurnEnd } from "../wire/events.ts";
import type { Conversation, Message, SentFile } from "../wire/messages.ts";
import type { ActRefusal, CardOutcome } from "../wire/reasons.ts";
import type { ChatAdmin } from "./chat-admin.ts";
import type { NewMessage, StoredCall, StoredMessage } from "./stored-message.ts";

/**
 * What was said, who speaks now, and telling those who watch. Owns conversations, messages, turns and locks; decides
 * nothing about models, tools or confirmations.
 */
export interface Chat {
  // --- who may act: the refusals of every function that takes a session ref, in the order of `ActRefusal`
  /** Loads the session and looks whether it may act (in this chat, if one is named) before anything else is read. `whileOff`: allowed although the assistant is switched off. */
  authorize(
    sessionRef: string,
    options?: { readonly conversationId?: string; readonly whileOff?: boolean },
  ): Promise<Outcome<{ readonly session: Session; readonly conversation: Conversation | null }, ActRefusal>>;

  // --- chats of a user
  conversations(
    sessionRef: string,
    page: { readonly before?: string; readonly query?: string },
  ): Promise<Outcome<{ readonly conversations: readonly Conversation[]; readonly next: string | null }, ActRefusal>>;
  createConversation(sessionRef: string): Promise<Outcome<{ readonly conversation: Conversation }, ActRefusal>>;
  renameConversation(
    sessionRef: string,
    change: { readonly conversationId: string; readonly title: string },
  ): Promise<Outcome<{ readonly conversation: Conversation }, ActRefusal | "title_invalid">>;
  /** Gone for everyone at once; its rows go within the day. Until then `restoreConversation` takes it back. */
  removeConversation(
    sessionRef: string,
    target: { readonly conversationId: string },
  ): Promise<Outcome<object, ActRefusal>>;
  restoreConversation(
    sessionRef: string,
    target: { readonly conversationId: string },
  ): Promise<Outcome<{ readonly conversation: Conversation }, ActRefusal>>;
  messages(
    sessionRef: string,
    page: { readonly conversationId: string; readonly before?: number },
  ): Promise<
    Outcome<
      { readonly conversation: Conversation; readonly messages: readonly Message[]; readonly hasEarlier: boolean },
      ActRefusal
    >
  >;

  // --- watching
  /** Sends what a watcher missed after `afterSeq`, then what happens, until `signal` fires or the watcher may no longer watch. `send` takes an event encoded once for all (a server-sent event's text) and answers false when the watcher is too far behind. */
  watch(sessionRef: string, watcher: Watcher): Promise<Outcome<{ readonly done: Promise<void> }, ActRefusal>>;
  /** What no row holds: a turn's activity, deltas, taken-back text, a click on a card. Best effort, on every node. Ends of turns and chats are told by what ends them (`finish`, `discardTurn`, a takeover, the sweep), once. */
  publish(target: { readonly userId: string; readonly conversationId: string }, event: ServerEvent): void;
  /** The turn of this node that runs in a chat, as a newcomer should see it; kept from the published events. */
  running(userId: string, conversationId: string): RunningTurn | null;

  // --- the lock
  /** Takes a user's lock in a chat that is there: for a turn, inserting its row (a repeated `clientId` answers that turn; over the limits nothing is stored), or for a click, answering its card as it is under the lock (null when the message is no card). `beside`: a look of another room at what is so under the lock. A lapsed lock is taken over: the turn that held it is ended in the same statement. */
  acquireForTurn(request: AcquireTurn, beside?: Statement | null): Promise<AcquireTurnAnswer>;
  acquireForClick(request: AcquireClick): Promise<
    Outcome<
      { readonly fence: Fence; readonly card: CardRow | null },
      "not_found" | "turn_running" | "click_running"
    > & {
      readonly holder?: LockHolder;
    }
  >;
  /** Takes back a turn that was refused under its lock: the row and the lock, as if it had never been. */
  discardTurn(fence: Fence): Promise<void>;
  keep(fence: Fence): Promise<{ readonly held: boolean; readonly stopRequested: boolean }>;
  /** For clicks alone: a turn's lock is given back only by `finish`. */
  releaseClick(fence: Fence): Promise<void>;
  /** Asks the turn to stop, on whatever node it runs; false when the lock does not bear that turn. */
  requestStop(userId: string, turnId: string): Promise<boolean>;
  /** Calls back on this node as soon as a stop is asked for a turn (a hint; keeps and fenced stores tell it too). */
  onStop(hear: (turnId: string) => void): () => void;

  // --- what a turn stores: every one of these is one statement that carries the fence
  /** The user's message: sets `turns.user_message_id`, and the chat's title when it has none. */
  storeQuestion(fence: Fence, message: NewQuestion): Promise<QuestionStored>;
  /** Takes its files off the turn's own question: a message without text says so. `giveBack` runs in the same transaction. */
  takeFilesBack(
    fence: Fence,
    message: { readonly id: string; giveBack(on: Queryable): Promise<void> },
  ): Promise<Omit<Stored, "lastSeq">>;
  /** One or several messages in a row. `beside`: what of other rooms goes along, here and in `finish`: all or none, whether or not the lock is held. */
  store(fence: Fence, messages: readonly NewMessage[], beside?: readonly Beside[]): Promise<Stored>;
  /** The last messages, the end of the turn and the release of its lock. `ended` is false when somebody else ended it. Messages are left out when the turn never stored its question. */
  finish(
    fence: Fence,
    end: { readonly how: TurnEnd; readonly rounds: number; readonly messages: readonly NewMessage[] },
    beside?: readonly Beside[],
  ): Promise<{ readonly ended: boolean; readonly asked: boolean }>;
  /** Ends turns whose lock lapsed and frees lapsed clicks; answers the chats of the clicks, whose cards want settling. Waits one hold after a restart of the database. */
  sweepLocks(): Promise<readonly { readonly userId: string; readonly conversationId: string }[]>;

  // --- what a turn reads
  /** The newest messages that fit `characters`, oldest first, with the newest notice of each card in them whether or not it lies in the window. Reads no further back than it needs. */
  history(
    userId: string,
    window: { readonly conversationId: string; readonly characters: number; readonly beforeSeq: number },
  ): Promise<readonly StoredMessage[]>;

  // --- cards, for `confirmation` (which owns no table)
  /** Cards that wait (no notice), and cards whose notice says that the end is not known. Uses the partial indexes. */
  openCards(userId: string, conversationId: string): Promise<readonly OpenCard[]>;
  /** Those among these confirmations of any users whose card, in a chat that is there, has no notice. */
  untoldCards(
    rows: readonly { readonly userId: string; readonly id: string }[],
  ): Promise<readonly { readonly userId: string; readonly conversationId: string; readonly confirmationId: string }[]>;
  /** The cards among these messages of a chat, with their call, their notice and whether a click is on them; one query. `andWaiting`: with every waiting card of the chat beside them. Ordered by seq. */
  cardsOf(
    userId: string,
    where: { readonly conversationId: string; readonly messageIds: readonly string[]; readonly andWaiting?: boolean },
  ): Promise<readonly CardRow[]>;
  /** Stores a card's notice, guarded by the unique index alone; an open notice (`finished: false`) is given its end. With `next`, the new card right after it, in the same statement. With `release`, gives the click's lock back in the same statement. */
  tellCard(userId: string, notice: CardNotice): Promise<"stored" | "upgraded" | "told_already" | "chat_gone">;
  /** Asks again: the `expired` notice of a card not yet closed and the new card, or only the new card; one statement. */
  followCard(
    userId: string,
    follow: {
      readonly conversationId: string;
      readonly confirmationId: string;
      readonly nextConfirmationId: string;
      readonly release?: Fence;
    },
  ): Promise<"stored" | "followed_already" | "chat_gone">;
  /** Messages by id, as they cross the wire. */
  messagesById(
    userId: string,
    where: { readonly conversationId: string; readonly messageIds: readonly string[] },
  ): Promise<readonly Message[]>;
  /** The click or turn that works on a card of this user now, if its lock has not lapsed. */
  lockNow(userId: string): Promise<LockHolder | null>;

  /** Links a journal row to a message of its own user that has none yet (the one write outside the fence). */
  linkUsage(row: { readonly userId: string; readonly messageId: string; readonly requestId: string }): Promise<boolean>;
  /** Deletes what deleted chats left, and chats that outlived `keepChatsFor` with their confirmations, in small batches; run by the sweeper. `others` delete what is theirs of a chat before its rows go. */
  sweepDeleted(others: (userId: string, conversationId: string) => Promise<void>): Promise<void>;
  /** What administrators see: the turns that run. */
  readonly admin: ChatAdmin;
  /** Deletes everything of a user: takes the user's lock over, deletes the chats, lets the `others` delete what is theirs, and gives the lock back last. Done again after a failure, it goes on. */
  forgetUser(userId: string, others: () => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

/** The right to store: a user's lock held under this token. */
export interface Fence {
  readonly userId: string;
  readonly conversationId: string;
  readonly token: string;
  readonly turnId: string | null;
}

/** A user's message to be stored. */
export interface NewQuestion {
  readonly id: string;
  readonly text: string;
  /** What it is sent with; linked in the transaction that stores it. */
  readonly files?: {
    readonly sent: readonly SentFile[];
    /** False: not all of them can be sent any more. */
    link(on: Queryable): Promise<boolean>;
  };
  /** Given, the chat's history before it is read in the same round trip, where there is no reason to settle cards first. */
  readonly history?: { readonly characters: number };
}

export interface QuestionStored extends Stored {
  /** Not all of its files could be linked, and nothing was stored. */
  readonly unlinked?: true;
  /** `openCards` would find some. */
  readonly openCards?: true;
  /** As `history` would answer; absent where it was not asked for, has files, or the chat has open cards. */
  readonly history?: readonly StoredMessage[];
}

export interface LockHolder {
  readonly kind: "turn" | "click";
  readonly conversationId: string;
  readonly turnId: string | null;
  readonly cardId: string | null;
  /** Seconds after which asking again makes sense. */
  readonly retryAfter: number;
}

export interface AcquireTurn {
  readonly session: Session;
  readonly conversationId: string;
  readonly clientId: string;
  /** Made by the caller, so that an acquire whose answer was lost can be repeated. */
  readonly token: string;
  readonly turnId: string;
  readonly deadlineSeconds: number;
  readonly perHour: number;
  readonly perDay: number;
}

export type AcquireTurnAnswer =
  | { readonly ok: true; readonly fence: Fence; readonly beside: readonly object[] | null }
  | { readonly ok: false; readonly reason: "not_found" }
  | { readonly ok: false; readonly reason: "already_started"; readonly turnId: string }
  | { readonly ok: false; readonly reason: "turn_running" | "click_in_flight"; readonly holder: LockHolder }
  | { readonly ok: false; readonly reason: "turn_limit"; readonly retryAfter: number };

export interface AcquireClick {
  readonly session: Session | { readonly userId: string };
  readonly conversationId: string;
  /** The card's message id; null while cards are settled. */
  readonly cardId: string | null;
  readonly token: string;
}

/** What a fenced statement answers: `held` false means the lock is gone and nothing was stored; `gone` that the chat was deleted and nothing was stored. */
export interface Stored {
  readonly held: boolean;
  readonly gone: boolean;
  readonly stopRequested: boolean;
  /** The seq of the last message stored; null when nothing was. A question's is what `history` is read before. */
  readonly lastSeq: number | null;
}

export interface OpenCard {
  readonly messageId: string;
  readonly confirmationId: string;
  readonly tool: string;
  /** True when it has a notice with `finished: false`. */
  readonly told: boolean;
}

export interface CardRow {
  readonly messageId: string;
  readonly seq: number;
  readonly confirmationId: string;
  readonly tool: string;
  readonly assistantMessageId: string;
  /** The call it holds, read from its assistant message; null when that cannot be found. */
  readonly call: StoredCall | null;
  readonly outcome: CardOutcome | null;
  readonly finished: boolean | null;
  /** Whether another card follows it. */
  readonly followed: boolean;
  /** Whether a click holds its user's lock for this card now (by the lock row, not lapsed). */
  readonly clicked: boolean;
}

export interface CardNotice {
  readonly conversationId: string;
  readonly confirmationId: string;
  readonly tool: string;
  readonly outcome: CardOutcome;
  readonly finished: boolean;
  /** Beside `changed`: the row the new card waits for. */
  readonly nextConfirmationId?: string;
  readonly release?: Fence;
}

export interface Watcher {
  readonly conversationId: string;
  readonly afterSeq: number | null;
  send(encoded: string): boolean;
  readonly signal: AbortSignal;
}

export type { NewMessage, StoredCall, StoredMessage };
