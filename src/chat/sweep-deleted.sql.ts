import { sql, type Statement } from "../database/sql.ts";

export interface ChatRow {
  readonly user_id: string;
  readonly id: string;
}

/** Deletes chats without a message for so many days for good: they are beyond taking back at once. One that a turn or a click works in is left for the next time. */
export function letGoChats(keepDays: number, limit: number): Statement {
  return sql`
with old as materialized (
  select c.user_id, c.id from conversations c
  where c.deleted_at is null
    and coalesce(c.last_message_at, c.created_at) < (select clock_timestamp() - ${keepDays}::float8 * interval '1 day')
    and not exists (select from locks l where l.user_id = c.user_id and l.conversation_id = c.id)
  limit ${limit}::int
)
update conversations c set deleted_at = clock_timestamp() - interval '1 day'
from old
where c.user_id = old.user_id and c.id = old.id and c.deleted_at is null
  and coalesce(c.last_message_at, c.created_at) < clock_timestamp() - ${keepDays}::float8 * interval '1 day'
returning c.user_id, c.id`;
}

export interface DeadChatRow extends ChatRow {
  /** Whether its cards' confirmations go too: it is older than chats are kept. */
  readonly outlived: boolean;
}

/** Chats that were deleted so long ago that they cannot be taken back. */
export function readDeadChats(of: {
  readonly afterHours: number;
  readonly keepDays: number | null;
  readonly limit: number;
}): Statement {
  return sql`
select user_id, id,
  coalesce(coalesce(last_message_at, created_at) < clock_timestamp() - ${of.keepDays}::float8 * interval '1 day', false) as outlived
from conversations
where deleted_at < (select clock_timestamp() - ${of.afterHours}::float8 * interval '1 hour')
order by deleted_at
limit ${of.limit}::int`;
}

/** The confirmations of a chat's cards. */
export function readConfirmationIds(userId: string, conversationId: string): Statement {
  return sql`
select confirmation_id from messages
where user_id = ${userId} and conversation_id = ${conversationId}::uuid and role = 'tool' and confirmation_id is not null`;
}

/** Deletes some messages of a chat. */
export function deleteMessages(of: {
  readonly userId: string;
  readonly conversationId: string;
  readonly limit: number;
}): Statement {
  return sql`
delete from messages
where user_id = ${of.userId} and id = any(array(
  select id from messages where user_id = ${of.userId} and conversation_id = ${of.conversationId}::uuid limit ${of.limit}::int))
returning 1`;
}

/** Deletes a chat that has no message left, with its turns: in the order turns, conversations. */
export function deleteChat(userId: string, conversationId: string): Statement {
  return sql`
with answers as (
  delete from turns where user_id = ${userId} and conversation_id = ${conversationId}::uuid and ended_at is not null returning 1
)
delete from conversations c using (select count(*) from answers) first
where c.user_id = ${userId} and c.id = ${conversationId}::uuid
  and not exists (select from messages m where m.user_id = c.user_id and m.conversation_id = c.id)
  and not exists (select from turns t where t.user_id = c.user_id and t.conversation_id = c.id and t.ended_at is null)
returning 1`;
}
