import type { Conversation, Message } from "./messages.ts";

/** What a running turn does at this moment. */
export type TurnActivity = "starting" | "thinking" | "answering" | "tool" | "stopping";

/** A turn under way, as a watcher who arrives now sees it. */
export interface RunningTurn {
  readonly turnId: string;
  readonly conversationId: string;
  readonly activity: TurnActivity;
  /** The title of the tool being run, when `activity` is `tool`. */
  readonly toolTitle: string | null;
  /** Text streamed so far of the answer that is not stored yet. */
  readonly text: string;
}

/**
 * What the server tells those who watch a chat. Only `message` carries an id (the chat's seq); a client that comes
 * back with the last one misses no stored message. All else is a state that `hello` tells anew.
 */
export type ServerEvent =
  /** First on every connection: the chat as it is now, and the turn that runs in it. */
  | {
      readonly type: "hello";
      readonly now: string;
      readonly lastSeq: number;
      readonly conversation: Conversation;
      readonly turn: RunningTurn | null;
    }
  | { readonly type: "message"; readonly message: Message }
  /** A stored message learned something late: its usage, or how an open write ended. */
  | { readonly type: "message_changed"; readonly message: Message }
  | { readonly type: "turn"; readonly turn: RunningTurn }
  /** More text of the answer under way; `at` is the length of the text before it, in UTF-16 units. */
  | { readonly type: "delta"; readonly turnId: string; readonly at: number; readonly text: string }
  /** Text that was shown and will not be stored is taken back. */
  | { readonly type: "retract"; readonly turnId: string }
  /** `asked` is false when the user's message was never stored: the composer keeps its text. */
  | { readonly type: "turn_ended"; readonly turnId: string; readonly how: TurnEnd; readonly asked: boolean }
  /** A card changed in a way its messages do not say (a click began or ended): read it again. */
  | { readonly type: "card"; readonly messageId: string }
  | { readonly type: "conversation"; readonly conversation: Conversation }
  /** The chat was deleted, or this session may no longer watch: the stream ends. */
  | { readonly type: "bye"; readonly reason: "deleted" | "session_ended" | "not_allowed" | "slow" | "shutting_down" };

/** How a turn ended; stored in `turns.how`. */
export type TurnEnd = "answer" | "card" | "notice" | "stopped" | "deadline" | "interrupted" | "chat_gone";
