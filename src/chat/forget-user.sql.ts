import { sql, type Statement } from "../database/sql.ts";

/** Takes a user's lock, whoever holds it, and ends the turn that ran, without a notice: nothing more is told in these chats. */
export function seizeLock(to: { readonly userId: string; readonly token: string; readonly node: string }): Statement {
  return sql`
with got as (
  insert into locks (user_id, kind, token, conversation_id, node)
  values (${to.userId}, 'click', ${to.token}::uuid, ${to.token}::uuid, ${to.node})
  on conflict (user_id) do update
  set kind = 'click', token = excluded.token, conversation_id = excluded.conversation_id, turn_id = null, card_id = null,
    node = excluded.node, kept_at = clock_timestamp(), stop_requested_at = null
  returning user_id
)
update turns t set ended_at = clock_timestamp(), how = 'chat_gone'
from got
where t.user_id = ${to.userId} and t.ended_at is null
returning t.id, t.conversation_id, t.user_message_id is not null as asked`;
}

/** Deletes all chats of a user, for good. */
export function deleteAllChats(userId: string): Statement {
  return sql`
update conversations set deleted_at = clock_timestamp() - interval '1 day'
where user_id = ${userId}
returning id`;
}

/** Deletes some messages of a user. */
export function deleteMessagesOf(userId: string, limit: number): Statement {
  return sql`
delete from messages
where user_id = ${userId} and id = any(array(select id from messages where user_id = ${userId} limit ${limit}::int))
returning 1`;
}

/** Deletes some turns of a user. */
export function deleteTurnsOf(userId: string, limit: number): Statement {
  return sql`
delete from turns
where user_id = ${userId} and id = any(array(select id from turns where user_id = ${userId} limit ${limit}::int))
returning 1`;
}

/** Deletes some chats of a user. */
export function deleteChatsOf(userId: string, limit: number): Statement {
  return sql`
delete from conversations
where user_id = ${userId} and id = any(array(select id from conversations where user_id = ${userId} limit ${limit}::int))
returning 1`;
}
