import type { CardOutcome, NoticeCode } from "../wire/reasons.ts";
import type { SentFile, ToolStatus } from "../wire/messages.ts";

/** A call as it is stored in its answer. */
export interface StoredCall {
  /** Ours, unique in the chat's history window. */
  readonly id: string;
  readonly providerId: string | null;
  /** The registry name; for a name that was never offered, a safe form of what the model wrote. */
  readonly name: string;
  /** JSON text, as it will run. */
  readonly arguments: string;
  /** What the provider wants back beside the call within the same turn. */
  readonly providerMetadata?: unknown;
}

/** What journal and model said of an answer; stored with it. */
export interface StoredUsage {
  readonly requestId: string | null;
  readonly model: string | null;
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  readonly costMicros: number | null;
  readonly latencyMs: number | null;
}

/** A message of a turn to be stored. Its id is made by the caller; seq, time and turn by the statement. */
export type NewMessage =
  | {
      readonly role: "assistant";
      readonly id: string;
      readonly text: string;
      readonly calls: readonly StoredCall[];
      readonly usage: StoredUsage;
    }
  | {
      readonly role: "tool";
      readonly id: string;
      readonly callId: string;
      readonly tool: string;
      readonly status: Exclude<ToolStatus, "needs_confirmation">;
      readonly result: string;
      readonly assistantMessageId: string;
    }
  | {
      readonly role: "card";
      readonly id: string;
      readonly callId: string;
      readonly tool: string;
      readonly confirmationId: string;
      readonly assistantMessageId: string;
    }
  | { readonly role: "notice"; readonly id: string; readonly code: NoticeCode; readonly usage: StoredUsage | null };

/** A row of `messages` as the history reads it. */
export interface StoredMessage {
  readonly id: string;
  readonly seq: number;
  readonly role: "user" | "assistant" | "tool" | "notice";
  readonly text: string | null;
  readonly calls: readonly StoredCall[];
  readonly callId: string | null;
  readonly tool: string | null;
  readonly status: ToolStatus | null;
  readonly result: string | null;
  readonly confirmationId: string | null;
  readonly followsId: string | null;
  readonly assistantMessageId: string | null;
  readonly code: NoticeCode | null;
  readonly outcome: CardOutcome | null;
  readonly finished: boolean | null;
  readonly turnId: string | null;
  /** What a user's message was sent with; names alone, their text is the attachment room's. */
  readonly files: readonly SentFile[];
}
