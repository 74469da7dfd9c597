import { sql, type Statement } from "../database/sql.ts";

export interface AcquireTurnRow {
  readonly acquired: boolean;
  /** Another turn of this chat with the same client id, unless it ended without ever storing its question. */
  readonly known_turn_id: string | null;
  readonly over_limit: boolean;
  readonly chat_there: boolean;
  readonly ended_turn_id: string | null;
  readonly ended_conversation_id: string | null;
  readonly ended_asked: boolean | null;
  readonly notice_seq: number | null;
  readonly notice_at: Date | null;
}

/**
 * Takes a user's lock for a turn and inserts the turn's row: if the chat is there, no turn of it has the same client id, the user is
 * within the limits, and the lock is free, lapsed, or bears this token already. Any other turn of the user that is still
 * open has lost its lock then: it is ended, with its notice, here. Unless it did that, its commit is not waited for on the
 * disk: the question's takes it along.
 */
export function acquireTurn(to: {
  readonly userId: string;
  readonly conversationId: string;
  readonly turnId: string;
  readonly token: string;
  readonly clientId: string;
  readonly sessionHash: string;
  readonly node: string;
  readonly holdMs: number;
  readonly deadlineSeconds: number;
  readonly perHour: number;
  readonly perDay: number;
  readonly noticeId: string;
}): Statement {
  return sql`
with prev as materialized (
  select token from locks where user_id = ${to.userId} for update
), known as materialized (
  select id, ended_at is not null and user_message_id is null as never_asked
  from turns
  where user_id = ${to.userId} and conversation_id = ${to.conversationId}::uuid and client_id = ${to.clientId}
    and (id <> ${to.turnId}::uuid or ended_at is not null)
), recent as materialized (
  -- a volatile clock in the condition would keep the index from being used: it is read once, apart
  select count(*) filter (where started_at > (select clock_timestamp() - interval '1 hour')) as in_hour, count(*) as in_day
  from (
    select started_at from turns
    where user_id = ${to.userId} and started_at > (select clock_timestamp() - interval '1 day') and id <> ${to.turnId}::uuid
    order by started_at desc
    limit ${to.perDay}::int
  ) latest
), allowed as materialized (
  select in_hour >= ${to.perHour}::int or in_day >= ${to.perDay}::int as over_limit,
    exists (select from conversations where user_id = ${to.userId} and id = ${to.conversationId}::uuid and deleted_at is null) as chat_there
  from recent
), got as (
  insert into locks as l (user_id, kind, token, conversation_id, turn_id, node, kept_at)
  select ${to.userId}, 'turn', ${to.token}::uuid, ${to.conversationId}::uuid, ${to.turnId}::uuid, ${to.node}, clock_timestamp()
  from (select count(*) from prev) locked, allowed
  where allowed.chat_there and not allowed.over_limit and not exists (select from known where not never_asked)
  on conflict (user_id) do update
  set kind = excluded.kind, token = excluded.token, conversation_id = excluded.conversation_id, turn_id = excluded.turn_id,
    card_id = null, node = excluded.node, kept_at = clock_timestamp(), stop_requested_at = null
  where l.token = excluded.token
    or (l.token = (select token from prev)
      and l.kept_at not between clock_timestamp() - ${to.holdMs}::float8 * interval '1 millisecond'
        and clock_timestamp() + ${to.holdMs}::float8 * interval '1 millisecond')
  returning token
), ended as (
  update turns t set ended_at = clock_timestamp(), how = 'interrupted'
  from got
  where t.user_id = ${to.userId} and t.ended_at is null and t.id <> ${to.turnId}::uuid
  returning t.id, t.conversation_id, t.user_message_id
), forgotten as (
  delete from turns t using got
  where t.user_id = ${to.userId} and t.id = (select id from known where never_asked)
  returning t.id
), touched as (
  update conversations c set last_seq = c.last_seq + 1, last_message_at = clock_timestamp()
  where c.user_id = ${to.userId} and c.id = (select conversation_id from ended where user_message_id is not null) and c.deleted_at is null
  returning c.id, c.last_seq, (select id from ended) as turn_id
), told as (
  insert into messages (user_id, id, conversation_id, seq, role, code, turn_id)
  select ${to.userId}, ${to.noticeId}::uuid, t.id, t.last_seq, 'notice', 'interrupted', t.turn_id from touched t
  returning seq, created_at
), started as (
  -- after the other open turn's end and the namesake's deletion: the unique indexes allow one of each
  insert into turns (user_id, id, conversation_id, client_id, session_hash, node, token, deadline_at)
  select ${to.userId}, ${to.turnId}::uuid, ${to.conversationId}::uuid, ${to.clientId}, ${to.sessionHash}, ${to.node}, got.token,
    clock_timestamp() + ${to.deadlineSeconds}::float8 * interval '1 second'
  from got, (select count(*) from ended) e, (select count(*) from forgotten) f
  on conflict (user_id, id) do nothing
)
select exists (select from got) as acquired, (select id from known where not never_asked) as known_turn_id, allowed.over_limit, allowed.chat_there,
  e.id as ended_turn_id, e.conversation_id as ended_conversation_id, e.user_message_id is not null as ended_asked,
  told.seq as notice_seq, told.created_at as notice_at,
  case when e.id is null then set_config('synchronous_commit', 'off', true) end as unflushed
from allowed left join ended e on true left join told on true`;
}

export interface TurnRefusalRow {
  readonly known_turn_id: string | null;
  readonly kind: "turn" | "click" | null;
  readonly conversation_id: string | null;
  readonly turn_id: string | null;
  readonly card_id: string | null;
  readonly free_in_ms: number | null;
  readonly over_limit_for_ms: number | null;
}

/** Why a turn was refused, read anew: a statement that waited for a row knows nothing younger than its beginning. */
export function readTurnRefusal(of: {
  readonly userId: string;
  readonly conversationId: string;
  readonly clientId: string;
  readonly token: string;
  readonly holdMs: number;
  readonly perHour: number;
  readonly perDay: number;
}): Statement {
  return sql`
select
  (select id from turns where user_id = ${of.userId} and conversation_id = ${of.conversationId}::uuid and client_id = ${of.clientId}
    and (ended_at is null or user_message_id is not null)) as known_turn_id,
  l.kind, l.conversation_id, l.turn_id, l.card_id,
  extract(epoch from l.kept_at - clock_timestamp())::float8 * 1000 + ${of.holdMs}::float8 as free_in_ms,
  extract(epoch from greatest(
    (select started_at + interval '1 hour' from turns where user_id = ${of.userId} order by started_at desc offset ${of.perHour}::int - 1 limit 1),
    (select started_at + interval '1 day' from turns where user_id = ${of.userId} order by started_at desc offset ${of.perDay}::int - 1 limit 1)
  ) - clock_timestamp())::float8 * 1000 as over_limit_for_ms
from (select) nothing
left join locks l on l.user_id = ${of.userId} and l.token <> ${of.token}::uuid
  and l.kept_at between clock_timestamp() - ${of.holdMs}::float8 * interval '1 millisecond'
    and clock_timestamp() + ${of.holdMs}::float8 * interval '1 millisecond'`;
}
