import { sql, type Statement } from "../database/sql.ts";
import type { CardOutcome, NoticeCode } from "../wire/reasons.ts";
import type { SentFile, ToolStatus } from "../wire/messages.ts";
import type { StoredCall } from "./stored-message.ts";

export interface HistoryRow {
  readonly id: string;
  readonly seq: number;
  readonly role: "user" | "assistant" | "tool" | "notice";
  readonly text: string | null;
  readonly tool_calls: readonly StoredCall[] | null;
  readonly tool_call_id: string | null;
  readonly tool_name: string | null;
  readonly tool_status: ToolStatus | null;
  readonly tool_result: string | null;
  readonly confirmation_id: string | null;
  readonly follows_id: string | null;
  readonly assistant_message_id: string | null;
  readonly code: NoticeCode | null;
  readonly tool_outcome: CardOutcome | null;
  readonly finished: boolean | null;
  readonly turn_id: string | null;
  readonly files: readonly SentFile[] | null;
  /** Characters of this row and of all newer ones of its piece. */
  readonly running: number;
}

/**
 * The newest `limit` messages before a seq, newest first, as far as they fit `characters`: no older row is touched, however long the chat.
 * Bytes are known without reading a long text, and a character takes three at most (one beyond them counts as two): what
 * cannot fit by its bytes is not read to be counted.
 */
export function readHistory(of: {
  readonly userId: string;
  readonly conversationId: string;
  readonly beforeSeq: number;
  readonly limit: number;
  readonly characters: number;
  /** A message to leave out: one that is stored in the same moment. */
  readonly except: string | null;
}): Statement {
  return sql`
select id, seq, role, text, tool_calls, tool_call_id, tool_name, tool_status, tool_result, confirmation_id, follows_id, assistant_message_id,
  code, tool_outcome, finished, turn_id, files, running
from (
  select *, sum(coalesce(length(text), 0) + coalesce(length(tool_result), 0) + coalesce(length(tool_calls::text), 0))
    over (order by seq desc rows unbounded preceding) as running
  from (
    select *, sum(coalesce(octet_length(text), 0) + coalesce(octet_length(tool_result), 0))
      over (order by seq desc rows unbounded preceding) as bytes
    from (
      select id, seq, role, text, tool_calls, tool_call_id, tool_name, tool_status, tool_result, confirmation_id, follows_id,
        assistant_message_id, code, tool_outcome, finished, turn_id, files
      from messages
      where user_id = ${of.userId} and conversation_id = ${of.conversationId}::uuid and seq < ${of.beforeSeq}::int
        and id is distinct from ${of.except}::uuid
      order by seq desc
      limit ${of.limit}::int
    ) piece
  ) weighed
  where bytes <= 3 * ${of.characters}::bigint
) summed
where running <= ${of.characters}::int
order by seq desc`;
}

/** What was told of cards at and after a seq, newest first: the notices and followers that settling stored beside the running turn. */
export function readNews(userId: string, conversationId: string, fromSeq: number): Statement {
  return sql`
select id, seq, role, text, tool_calls, tool_call_id, tool_name, tool_status, tool_result, confirmation_id, follows_id, assistant_message_id,
  code, tool_outcome, finished, turn_id, files, 0 as running
from messages
where user_id = ${userId} and conversation_id = ${conversationId}::uuid and seq >= ${fromSeq}::int and confirmation_id is not null
order by seq desc
limit 1000`;
}
