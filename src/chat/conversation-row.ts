import type { Conversation } from "../wire/messages.ts";

/** A row of `conversations`, as it crosses the wire. */
export interface ConversationRow {
  readonly id: string;
  readonly title: string | null;
  readonly created_at: Date;
  readonly last_message_at: Date | null;
  readonly last_seq: number;
}

export function toConversation(row: ConversationRow): Conversation {
  return {
    id: row.id,
    title: row.title,
    createdAt: row.created_at.toISOString(),
    lastMessageAt: row.last_message_at?.toISOString() ?? null,
    lastSeq: row.last_seq,
  };
}
