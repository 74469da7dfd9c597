import { sql, type Statement } from "../database/sql.ts";
import type { CardOutcome } from "../wire/reasons.ts";
import type { StoredCall } from "./stored-message.ts";

export interface OpenCardRow {
  readonly id: string;
  readonly confirmation_id: string;
  readonly tool_name: string;
  readonly told: boolean;
}

/** Cards with no notice, and cards whose notice is open, by the two partial indexes: the same at any length of the chat. */
export function readOpenCards(userId: string, conversationId: string): Statement {
  return sql`
select m.id, m.confirmation_id, m.tool_name, false as told, m.seq
from messages m
where m.user_id = ${userId} and m.conversation_id = ${conversationId}::uuid and m.tool_status = 'needs_confirmation' and not m.told
union all
select m.id, m.confirmation_id, m.tool_name, true as told, m.seq
from messages n
cross join lateral (
  select id, confirmation_id, tool_name, seq from messages m
  where m.user_id = n.user_id and m.conversation_id = n.conversation_id and m.confirmation_id = n.confirmation_id
    and m.role = 'tool' and m.confirmation_id is not null
  limit 1
) m
where n.user_id = ${userId} and n.conversation_id = ${conversationId}::uuid and n.role = 'notice' and n.finished = false
order by seq`;
}

export interface ReadCardRow {
  readonly id: string;
  readonly seq: number;
  readonly confirmation_id: string;
  readonly tool_name: string;
  readonly assistant_message_id: string;
  readonly call: StoredCall | null;
  readonly outcome: CardOutcome | null;
  readonly finished: boolean | null;
  readonly followed: boolean;
  readonly clicked: boolean;
}

/**
 * The cards among these messages, and if asked for every waiting one of the chat, each with its call, its notice, and
 * whether a click is on it. The limits keep each look-up one of its own: as joins, planned on tables that were small, they
 * read all messages of the user.
 */
export function readCards(of: {
  readonly userId: string;
  readonly conversationId: string;
  readonly messageIds: readonly string[];
  readonly andWaiting: boolean;
  readonly holdMs: number;
}): Statement {
  return sql`
select m.id, m.seq, m.confirmation_id, m.tool_name, m.assistant_message_id,
  (select c from jsonb_array_elements(a.tool_calls) c where c ->> 'id' = m.tool_call_id limit 1) as call,
  n.tool_outcome as outcome, n.finished,
  (select true from messages f where f.user_id = ${of.userId} and f.follows_id = m.confirmation_id limit 1) is not null as followed,
  (select true from locks l where l.user_id = ${of.userId} and l.kind = 'click' and l.card_id = m.id
    and l.kept_at between clock_timestamp() - ${of.holdMs}::float8 * interval '1 millisecond'
      and clock_timestamp() + ${of.holdMs}::float8 * interval '1 millisecond') is not null as clicked
from (
  select id, seq, conversation_id, confirmation_id, tool_name, tool_call_id, assistant_message_id
  from messages
  where user_id = ${of.userId} and id = any(${of.messageIds}::uuid[]) and conversation_id = ${of.conversationId}::uuid
    and tool_status = 'needs_confirmation'
  union all
  select id, seq, conversation_id, confirmation_id, tool_name, tool_call_id, assistant_message_id
  from messages
  where ${of.andWaiting}::boolean and user_id = ${of.userId} and conversation_id = ${of.conversationId}::uuid
    and tool_status = 'needs_confirmation' and not told and id <> all(${of.messageIds}::uuid[])
) m
left join lateral (
  select tool_outcome, finished from messages n
  where n.user_id = ${of.userId} and n.conversation_id = m.conversation_id and n.confirmation_id = m.confirmation_id
    and n.role = 'notice' and n.confirmation_id is not null
  limit 1
) n on true
left join lateral (
  select tool_calls from messages a where a.user_id = ${of.userId} and a.id = m.assistant_message_id limit 1
) a on true
order by m.seq`;
}
