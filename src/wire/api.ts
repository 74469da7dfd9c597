import type { Card } from "./cards.ts";
import type { Conversation, Message } from "./messages.ts";
import type { AttachmentCode, CardOutcome } from "./reasons.ts";

/** The header every state-changing request must carry, with the value `1`: a foreign page cannot set it. */
export const requestHeader = "x-countersign";

/** An RFC 9457 problem document. `code` is the reason; `retryAfter` is in seconds. */
export interface Problem {
  readonly type: "about:blank";
  readonly title: string;
  readonly status: number;
  readonly code: string;
  /** Beside `refused`: core's code. */
  readonly detailCode?: string;
  /** The one sentence a tool wrote for a person beside its own refusal. */
  readonly detail?: string;
  /** Beside `turn_running`, `click_running`, `click_in_flight`: the chat that holds the user's lock. */
  readonly conversationId?: string;
  readonly retryAfter?: number;
  /** Beside `not_waiting`: what the card's notice says, and whether the end is known. */
  readonly outcome?: CardOutcome;
  readonly finished?: boolean;
  /** Beside `changed_meanwhile`: how it is now. */
  readonly newer?: object;
}

/** `GET /me` */
export interface MeAnswer {
  readonly displayName: string | null;
  readonly locale: string | null;
  readonly timeZone: string | null;
  readonly mayManage: boolean;
  /** The model that answers, and whether it is the demo stand-in rather than a language model. */
  readonly model: { readonly name: string; readonly demo: boolean; readonly images: boolean } | null;
  readonly limits: {
    readonly messageChars: number;
    /** Bytes of one file. */
    readonly attachmentBytes: number;
    readonly attachmentsPerMessage: number;
    /** Media types and endings that a picker of files may offer. What a file is, is found in its content alone. */
    readonly attachmentAccept: readonly string[];
    /** Turns this user may start in an hour, and in a day. */
    readonly turnsPerHour: number;
    readonly turnsPerDay: number;
    /** US dollars this user may spend in a UTC day, and in a month; null: no budget. */
    readonly budgetDay: number | null;
    readonly budgetMonth: number | null;
  };
}

/** `GET /conversations?before=&query=` (newest first) */
export interface ConversationsAnswer {
  readonly conversations: readonly Conversation[];
  /** Pass as `before` for the next page; null at the end. */
  readonly next: string | null;
}

/** `POST /conversations` → 201, `PATCH /conversations/:id` (a `RenameRequest`), `POST /conversations/:id/restore`. `DELETE` answers 204. */
export interface ConversationAnswer {
  readonly conversation: Conversation;
}
export interface RenameRequest {
  readonly title: string;
}

/** `GET /conversations/:id/messages?before=` (the newest 50 before that seq, oldest first in the answer) */
export interface MessagesAnswer {
  readonly now: string;
  readonly conversation: Conversation;
  readonly messages: readonly Message[];
  readonly hasEarlier: boolean;
  readonly cards: Readonly<Record<string, Card>>;
}

/** `GET /conversations/:id/cards`: every waiting card, oldest first, wherever it is. */
export interface WaitingCardsAnswer {
  readonly now: string;
  readonly messages: readonly Message[];
  readonly cards: Readonly<Record<string, Card>>;
}

/** `POST /conversations/:id/turns` → 202. The same `clientId` again answers the same `turnId`. */
export interface StartTurnRequest {
  /** May be empty beside a file. */
  readonly text: string;
  readonly clientId: string;
  /** Waiting files of this chat that are `ready`, in the order in which they are sent. */
  readonly attachmentIds?: readonly string[] | undefined;
}
export interface StartTurnAnswer {
  readonly turnId: string;
}

export type AttachmentState = "uploading" | "reading" | "ready" | "failed";

/** A file that waits in the composer of a chat. */
export interface Attachment {
  readonly id: string;
  readonly conversationId: string;
  readonly name: string;
  /** The media type found in its content; null until it was read. */
  readonly type: string | null;
  /** Bytes. */
  readonly size: number;
  readonly picture: boolean;
  readonly state: AttachmentState;
  /** Beside `failed`. */
  readonly code: AttachmentCode | null;
  /** Whether it can be read again: it was received whole, and its reading was interrupted. */
  readonly again: boolean;
  readonly createdAt: string;
}

/** `POST /conversations/:id/attachments?name=` (the file itself as the body) → 201; `POST /attachments/:id/read` → 202. */
export interface AttachmentAnswer {
  readonly attachment: Attachment;
}

/** `GET /conversations/:id/attachments`: those that wait, in the order in which they came. */
export interface AttachmentsAnswer {
  readonly attachments: readonly Attachment[];
}

/** `POST …/cards/:messageId/{confirm,reject,repeat}` */
export interface ClickAnswer {
  readonly outcome: CardOutcome | "repeated";
  /** False: started, whether it finished is not known. */
  readonly finished: boolean;
}

/** `GET /settings` and `PATCH /settings` (the same shape both ways): what a user sets for their own assistant. */
export interface OwnSettings {
  readonly instructions: string;
}
