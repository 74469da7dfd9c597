import type { CardOutcome, NoticeCode } from "./reasons.ts";

/** A chat, as its owner sees it in the list. Times are ISO 8601 strings in UTC, everywhere in `wire`. */
export interface Conversation {
  readonly id: string;
  readonly title: string | null;
  readonly createdAt: string;
  readonly lastMessageAt: string | null;
  readonly lastSeq: number;
}

interface Base {
  readonly id: string;
  /** The message's place in its chat: 1, 2, 3 … without gaps. */
  readonly seq: number;
  readonly conversationId: string;
  readonly turnId: string | null;
  readonly createdAt: string;
}

export interface UserMessage extends Base {
  readonly role: "user";
  readonly text: string;
  /** What was sent with it. Files that were given back are no longer here. */
  readonly files: readonly SentFile[];
}

/** A file of a message; `GET /attachments/:id` is its content, `…/thumbnail` a small picture of a picture. */
export interface SentFile {
  readonly id: string;
  readonly name: string;
  /** The media type found in its content. */
  readonly type: string;
  /** Bytes, as it was uploaded. */
  readonly size: number;
  readonly picture: boolean;
}

export interface AssistantMessage extends Base {
  readonly role: "assistant";
  readonly text: string;
  /** The tools this answer asked for, by the titles people read. Arguments never cross the wire here. */
  readonly calls: readonly { readonly id: string; readonly name: string; readonly title: string }[];
  readonly usage: MessageUsage | null;
}

/** What one answer cost; every figure is null when the provider did not say it. */
export interface MessageUsage {
  readonly model: string | null;
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  /** Millionths of a US dollar. */
  readonly costMicros: number | null;
  readonly latencyMs: number | null;
}

export type ToolStatus = "ok" | "error" | "denied" | "needs_confirmation";

/** The result of a read, a denial, or (status `needs_confirmation`) a card. */
export interface ToolMessage extends Base {
  readonly role: "tool";
  readonly callId: string;
  readonly tool: string;
  readonly title: string;
  readonly status: ToolStatus;
  /** Names the held write of a card; null for anything else. */
  readonly confirmationId: string | null;
  /** The confirmation this card follows after `changed` or "Ask again". */
  readonly followsId: string | null;
}

export interface NoticeMessage extends Base {
  readonly role: "notice";
  /** Set on a turn's notice; null on a card's. */
  readonly code: NoticeCode | null;
  /** Set on a card's notice, with `outcome` and `tool`. */
  readonly confirmationId: string | null;
  readonly outcome: CardOutcome | null;
  readonly tool: string | null;
  readonly title: string | null;
  /** False: the handler was started and whether it finished is not known. */
  readonly finished: boolean | null;
}

/** A stored message, as the browser gets it. */
export type Message = UserMessage | AssistantMessage | ToolMessage | NoticeMessage;
