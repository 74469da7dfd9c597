import { sql, type Statement } from "../database/sql.ts";

export interface AcquireClickRow {
  readonly acquired: boolean;
  readonly chat_there: boolean;
  readonly ended_turn_id: string | null;
  readonly ended_conversation_id: string | null;
  readonly ended_asked: boolean | null;
  readonly notice_seq: number | null;
  readonly notice_at: Date | null;
}

/** Takes a user's lock for a click, if it is free, lapsed, or bears this token already. A turn of the user that is still open has lost its lock then: it is ended, with its notice, here. Unless it did that, its commit is not waited for on the disk: the lock is for admission, and the spend's commit is. */
export function acquireClick(to: {
  readonly userId: string;
  readonly conversationId: string;
  readonly cardId: string | null;
  readonly token: string;
  readonly node: string;
  readonly holdMs: number;
  readonly noticeId: string;
}): Statement {
  return sql`
with prev as materialized (
  select token from locks where user_id = ${to.userId} for update
), chat as materialized (
  select exists (select from conversations where user_id = ${to.userId} and id = ${to.conversationId}::uuid and deleted_at is null) as there
), got as (
  insert into locks as l (user_id, kind, token, conversation_id, card_id, node, kept_at)
  select ${to.userId}, 'click', ${to.token}::uuid, ${to.conversationId}::uuid, ${to.cardId}::uuid, ${to.node}, clock_timestamp()
  from (select count(*) from prev) locked, chat
  where chat.there
  on conflict (user_id) do update
  set kind = excluded.kind, token = excluded.token, conversation_id = excluded.conversation_id, turn_id = null,
    card_id = excluded.card_id, node = excluded.node, kept_at = clock_timestamp(), stop_requested_at = null
  where l.token = excluded.token
    or (l.token = (select token from prev)
      and l.kept_at not between clock_timestamp() - ${to.holdMs}::float8 * interval '1 millisecond'
        and clock_timestamp() + ${to.holdMs}::float8 * interval '1 millisecond')
  returning token
), ended as (
  update turns t set ended_at = clock_timestamp(), how = 'interrupted'
  from got
  where t.user_id = ${to.userId} and t.ended_at is null
  returning t.id, t.conversation_id, t.user_message_id
), touched as (
  update conversations c set last_seq = c.last_seq + 1, last_message_at = clock_timestamp()
  where c.user_id = ${to.userId} and c.id = (select conversation_id from ended where user_message_id is not null) and c.deleted_at is null
  returning c.id, c.last_seq, (select id from ended) as turn_id
), told as (
  insert into messages (user_id, id, conversation_id, seq, role, code, turn_id)
  select ${to.userId}, ${to.noticeId}::uuid, t.id, t.last_seq, 'notice', 'interrupted', t.turn_id from touched t
  returning seq, created_at
)
select exists (select from got) as acquired, chat.there as chat_there, e.id as ended_turn_id, e.conversation_id as ended_conversation_id,
  e.user_message_id is not null as ended_asked, told.seq as notice_seq, told.created_at as notice_at,
  case when e.id is null then set_config('synchronous_commit', 'off', true) end as unflushed
from chat left join ended e on true left join told on true`;
}
