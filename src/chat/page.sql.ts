import { sql, type Statement } from "../database/sql.ts";

/** The newest messages of a chat before a seq, oldest first (`MessageRow`). */
export function readPage(of: {
  readonly userId: string;
  readonly conversationId: string;
  readonly beforeSeq: number;
  readonly limit: number;
}): Statement {
  return sql`
select id, seq, role, text,
  (select jsonb_agg(jsonb_build_object('id', c -> 'id', 'name', c -> 'name') order by place)
    from jsonb_array_elements(tool_calls) with ordinality as calls (c, place)) as calls,
  tool_call_id, tool_name, tool_status, confirmation_id, follows_id, code, tool_outcome, finished, model, input_tokens, output_tokens,
  cost_micros, latency_ms, turn_id, files, created_at
from (
  select * from messages
  where user_id = ${of.userId} and conversation_id = ${of.conversationId}::uuid and seq < ${of.beforeSeq}::int
  order by seq desc
  limit ${of.limit}::int
) newest
order by seq`;
}

/** The messages of a chat after a seq, oldest first (`MessageRow`). */
export function readAfter(of: {
  readonly userId: string;
  readonly conversationId: string;
  readonly afterSeq: number;
  readonly limit: number;
}): Statement {
  return sql`
select id, seq, role, text,
  (select jsonb_agg(jsonb_build_object('id', c -> 'id', 'name', c -> 'name') order by place)
    from jsonb_array_elements(tool_calls) with ordinality as calls (c, place)) as calls,
  tool_call_id, tool_name, tool_status, confirmation_id, follows_id, code, tool_outcome, finished, model, input_tokens, output_tokens,
  cost_micros, latency_ms, turn_id, files, created_at
from messages
where user_id = ${of.userId} and conversation_id = ${of.conversationId}::uuid and seq > ${of.afterSeq}::int
order by seq
limit ${of.limit}::int`;
}

/** Messages of a chat by id, oldest first (`MessageRow`). */
export function readByIds(of: {
  readonly userId: string;
  readonly conversationId: string;
  readonly messageIds: readonly string[];
}): Statement {
  return sql`
select id, seq, role, text,
  (select jsonb_agg(jsonb_build_object('id', c -> 'id', 'name', c -> 'name') order by place)
    from jsonb_array_elements(tool_calls) with ordinality as calls (c, place)) as calls,
  tool_call_id, tool_name, tool_status, confirmation_id, follows_id, code, tool_outcome, finished, model, input_tokens, output_tokens,
  cost_micros, latency_ms, turn_id, files, created_at
from messages
where user_id = ${of.userId} and id = any(${of.messageIds}::uuid[]) and conversation_id = ${of.conversationId}::uuid
order by seq`;
}

/** Links a journal row to a message of its own user that has none yet. */
export function linkUsage(row: {
  readonly userId: string;
  readonly messageId: string;
  readonly requestId: string;
}): Statement {
  return sql`
update messages set ai_request_id = ${row.requestId}::uuid
where user_id = ${row.userId} and id = ${row.messageId}::uuid and ai_request_id is null
returning conversation_id`;
}
