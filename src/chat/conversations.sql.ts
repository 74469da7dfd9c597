import { sql, type Statement } from "../database/sql.ts";

/** A chat of this user that is not deleted (`ConversationRow`). */
export function readConversation(userId: string, conversationId: string): Statement {
  return sql`
select id, title, created_at, last_message_at, last_seq
from conversations
where user_id = ${userId} and id = ${conversationId}::uuid and deleted_at is null`;
}

/** Where a page of the list goes on: microseconds since 1970 of a chat's last message, and its id. */
export interface ListPlace {
  readonly micros: number;
  readonly id: string;
}

/** Chats, newest first, with their place in the list (`ConversationRow` and `ListPlace`). */
export function listConversations(of: {
  readonly userId: string;
  readonly before: ListPlace | null;
  readonly limit: number;
}): Statement {
  return sql`
select id, title, created_at, last_message_at, last_seq,
  (extract(epoch from coalesce(last_message_at, created_at)) * 1000000)::bigint as micros
from conversations
where user_id = ${of.userId} and deleted_at is null
  and (coalesce(last_message_at, created_at), id) < (
    coalesce('epoch'::timestamptz + ${of.before?.micros ?? null}::float8 * interval '1 microsecond', 'infinity'::timestamptz),
    coalesce(${of.before?.id ?? null}::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid))
order by coalesce(last_message_at, created_at) desc, id desc
limit ${of.limit}::int`;
}

/**
 * The same, with whether a chat's title, or the text of one of its newest `depth` messages, is like a pattern: a chat is
 * looked at, not skipped, so that the caller knows where a bounded search ended.
 */
export function searchConversations(of: {
  readonly userId: string;
  readonly before: ListPlace | null;
  readonly limit: number;
  readonly pattern: string;
  readonly depth: number;
}): Statement {
  return sql`
with looked_at as materialized (
  select id, title, created_at, last_message_at, last_seq
  from conversations
  where user_id = ${of.userId} and deleted_at is null
    and (coalesce(last_message_at, created_at), id) < (
      coalesce('epoch'::timestamptz + ${of.before?.micros ?? null}::float8 * interval '1 microsecond', 'infinity'::timestamptz),
      coalesce(${of.before?.id ?? null}::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid))
  order by coalesce(last_message_at, created_at) desc, id desc
  limit ${of.limit}::int
)
select id, title, created_at, last_message_at, last_seq,
  (extract(epoch from coalesce(last_message_at, created_at)) * 1000000)::bigint as micros,
  coalesce(title ilike ${of.pattern}, false) or exists (
    select from (
      select text, role from messages m
      where m.user_id = ${of.userId} and m.conversation_id = looked_at.id and m.seq > looked_at.last_seq - ${of.depth}::int
    ) newest
    where role in ('user', 'assistant') and text ilike ${of.pattern}
  ) as found
from looked_at
order by coalesce(last_message_at, created_at) desc, id desc`;
}

export function insertConversation(userId: string, id: string): Statement {
  return sql`
insert into conversations (user_id, id) values (${userId}, ${id}::uuid)
returning id, title, created_at, last_message_at, last_seq`;
}

export function renameConversation(change: {
  readonly userId: string;
  readonly conversationId: string;
  readonly title: string;
}): Statement {
  return sql`
update conversations set title = ${change.title}, renamed = true
where user_id = ${change.userId} and id = ${change.conversationId}::uuid and deleted_at is null
returning id, title, created_at, last_message_at, last_seq`;
}

/** Deletes a chat for everyone, and asks a turn that runs in it to stop (`stopped_turn_id`): what it would still say is wanted by nobody. */
export function removeConversation(userId: string, conversationId: string): Statement {
  return sql`
with stopped as (
  update locks set stop_requested_at = coalesce(stop_requested_at, clock_timestamp())
  where user_id = ${userId} and conversation_id = ${conversationId}::uuid and kind = 'turn'
  returning turn_id
)
update conversations c set deleted_at = clock_timestamp()
from (select max(turn_id::text) as turn_id from stopped) s
where c.user_id = ${userId} and c.id = ${conversationId}::uuid and c.deleted_at is null
returning s.turn_id as stopped_turn_id`;
}

/** Takes a deleted chat back, if it was deleted less than `withinHours` ago. */
export function restoreConversation(target: {
  readonly userId: string;
  readonly conversationId: string;
  readonly withinHours: number;
}): Statement {
  return sql`
update conversations set deleted_at = null
where user_id = ${target.userId} and id = ${target.conversationId}::uuid
  and deleted_at > clock_timestamp() - ${target.withinHours}::float8 * interval '1 hour'
returning id, title, created_at, last_message_at, last_seq`;
}
