import type { MeAnswer, OwnSettings } from "../wire/api.ts";
import type { Card, CardPreview } from "../wire/cards.ts";
import type { RunningTurn } from "../wire/events.ts";
import type { Conversation, Message } from "../wire/messages.ts";
import type { CardOutcome } from "../wire/reasons.ts";

/** Why a request did not do what was asked: the server's problem document, or no answer at all (`code` is `offline`, `status` 0). */
export interface Failure {
  readonly code: string;
  readonly status: number;
  /** Beside `refused`: core's code, or a tool's own. */
  readonly detailCode?: string;
  /** The one sentence a tool wrote for people. */
  readonly detail?: string;
  /** The chat that holds the user's lock. */
  readonly conversationId?: string;
  /** Seconds. */
  readonly retryAfter?: number;
  /** Beside `not_waiting`: what the card's notice says. */
  readonly outcome?: CardOutcome;
  readonly finished?: boolean;
}

/** How the stream of the open chat is doing. `idle`: no chat is watched. */
export type Connection = "idle" | "connecting" | "live" | "reconnecting";

export type ClickVerb = "confirm" | "reject" | "repeat";

/** A click under way. `queued`: a turn or another click of the user goes first. `retrying`: no answer yet, asked again. */
export interface Click {
  readonly verb: ClickVerb;
  readonly phase: "sending" | "queued" | "retrying";
  /** The chat of what goes first. */
  readonly holder?: string | undefined;
}

export interface CardView {
  readonly card: Card;
  /** The last preview this page was given: it stays readable here after the card is settled. */
  readonly shown: CardPreview | null;
  readonly click: Click | null;
  /** Why the last click did nothing; the card is as it was. */
  readonly refusal: Failure | null;
  /** Whether a cut card was fetched whole. */
  readonly whole: "no" | "loading" | "failed" | "yes";
}

/** The turn under way. */
export interface LiveTurn extends RunningTurn {
  /** Stays the same while one answer grows, and for the stored answer it becomes. */
  readonly rowKey: string;
  /** The user asked to stop; the server has not said so yet. */
  readonly stopAsked: boolean;
}

export interface Draft {
  readonly text: string;
  /** Set once this text was sent: the same again sends once. Dropped when the text changes. */
  readonly clientId: string | null;
  readonly turnId: string | null;
}

export interface ChatView {
  /** Stays the same when a new chat gets its id. */
  readonly key: string;
  /** Null for a chat that has no message yet. */
  readonly id: string | null;
  readonly conversation: Conversation | null;
  readonly status: "loading" | "ready" | "failed" | "gone";
  readonly failure: Failure | null;
  readonly messages: readonly Message[];
  /** Answers that were seen growing keep the key of that row, so that nothing is drawn anew when they are stored. */
  readonly rowKeys: Readonly<Record<string, string>>;
  readonly hasEarlier: boolean;
  readonly earlier: "idle" | "loading" | "failed";
  /** By message id. */
  readonly cards: Readonly<Record<string, CardView>>;
  /** The messages of cards that waited when the chat was loaded, oldest first: also those before the loaded messages. */
  readonly waiting: readonly Message[];
  readonly turn: LiveTurn | null;
  /** The turn that ended last, if its question was never stored. */
  readonly unasked: string | null;
  readonly draft: Draft;
  /** The composer keeps the text until the stored message comes back. */
  readonly sending: "no" | "sending" | "retrying";
  /** Why the last send, or stop, did nothing. `not_asked`: its turn ended before the message was stored. */
  readonly refusal: Failure | null;
}

export interface ChatList {
  readonly status: "loading" | "ready" | "failed";
  readonly failure: Failure | null;
  readonly items: readonly Conversation[];
  readonly hasMore: boolean;
  readonly loadingMore: boolean;
  readonly query: string;
  /** The chat removed last, as long as it can be taken back. */
  readonly removed: Conversation | null;
}

export interface SettingsView {
  readonly status: "none" | "loading" | "ready" | "saving" | "saved" | "failed";
  readonly failure: Failure | null;
  readonly value: OwnSettings | null;
}

/** Everything the client knows: immutable, and only what changed is a new object. */
export interface Snapshot {
  readonly me: MeAnswer | null;
  /** Why this session may not use the assistant at all, now. */
  readonly blocked: Failure | null;
  readonly connection: Connection;
  readonly chats: ChatList;
  readonly chat: ChatView;
  readonly settings: SettingsView;
}

export const emptyDraft: Draft = { text: "", clientId: null, turnId: null };

/** A chat before anything of it is known; without an id, one that starts with its first message. */
export function toBlankChat(id: string | null, key: string): ChatView {
  return {
    key,
    id,
    conversation: null,
    status: id === null ? "ready" : "loading",
    failure: null,
    messages: [],
    rowKeys: {},
    hasEarlier: false,
    earlier: "idle",
    cards: {},
    waiting: [],
    turn: null,
    unasked: null,
    draft: emptyDraft,
    sending: "no",
    refusal: null,
  };
}

export const initialSnapshot: Snapshot = {
  me: null,
  blocked: null,
  connection: "idle",
  chats: { status: "loading", failure: null, items: [], hasMore: false, loadingMore: false, query: "", removed: null },
  chat: toBlankChat(null, "new"),
  settings: { status: "none", failure: null, value: null },
};

/** The seq of the newest message that is loaded; 0 for none. */
export function lastSeqOf(chat: ChatView): number {
  return chat.messages.at(-1)?.seq ?? 0;
}
