import { sql, type Statement } from "../database/sql.ts";

export interface SweptRow {
  readonly user_id: string;
  readonly kind: "turn" | "click";
  readonly conversation_id: string;
  readonly turn_id: string | null;
  /** Null when the turn had ended before. */
  readonly asked: boolean | null;
  readonly notice_id: string | null;
  readonly notice_seq: number | null;
  readonly notice_at: Date | null;
}

/**
 * Frees lapsed locks and ends the turns they bore, with their notices. Within a hold of the database's start all locks
 * look lapsed, though their keepers live: nothing is swept then.
 */
export function sweepLapsed(holdMs: number, limit: number): Statement {
  return sql`
with lapsed as materialized (
  select user_id, token from locks
  where kept_at not between clock_timestamp() - ${holdMs}::float8 * interval '1 millisecond'
      and clock_timestamp() + ${holdMs}::float8 * interval '1 millisecond'
    and clock_timestamp() - pg_postmaster_start_time() >= ${holdMs}::float8 * interval '1 millisecond'
  order by kept_at limit ${limit}::int
  for update skip locked
), freed as (
  delete from locks l using lapsed
  where l.user_id = lapsed.user_id and l.token = lapsed.token
  returning l.user_id, l.kind, l.conversation_id, l.turn_id
), ended as (
  update turns t set ended_at = clock_timestamp(), how = 'interrupted'
  from freed f
  where t.user_id = f.user_id and t.id = f.turn_id and t.ended_at is null
  returning t.user_id, t.id, t.conversation_id, t.user_message_id
), touched as (
  update conversations c set last_seq = c.last_seq + 1, last_message_at = clock_timestamp()
  from ended e
  where c.user_id = e.user_id and c.id = e.conversation_id and e.user_message_id is not null and c.deleted_at is null
  returning c.user_id, c.id, c.last_seq, e.id as turn_id
), told as (
  insert into messages (user_id, id, conversation_id, seq, role, code, turn_id)
  select t.user_id, gen_random_uuid(), t.id, t.last_seq, 'notice', 'interrupted', t.turn_id from touched t
  returning user_id, turn_id, id, seq, created_at
)
select f.user_id, f.kind, f.conversation_id, f.turn_id,
  case when e.id is not null then e.user_message_id is not null end as asked,
  told.id as notice_id, told.seq as notice_seq, told.created_at as notice_at
from freed f
left join ended e on e.user_id = f.user_id and e.id = f.turn_id
left join told on told.user_id = f.user_id and told.turn_id = f.turn_id`;
}

/** Ends open turns that no lock bears (a row somebody removed by hand): turn and lock come and go together in every statement here. */
export function sweepOrphans(limit: number): Statement {
  return sql`
with orphan as materialized (
  select t.user_id, t.id from turns t
  where t.ended_at is null and not exists (select from locks l where l.user_id = t.user_id and l.turn_id = t.id)
  order by t.started_at limit ${limit}::int
), ended as (
  update turns t set ended_at = clock_timestamp(), how = 'interrupted'
  from orphan o
  where t.user_id = o.user_id and t.id = o.id and t.ended_at is null
  returning t.user_id, t.id, t.conversation_id, t.user_message_id
), touched as (
  update conversations c set last_seq = c.last_seq + 1, last_message_at = clock_timestamp()
  from ended e
  where c.user_id = e.user_id and c.id = e.conversation_id and e.user_message_id is not null and c.deleted_at is null
  returning c.user_id, c.id, c.last_seq, e.id as turn_id
), told as (
  insert into messages (user_id, id, conversation_id, seq, role, code, turn_id)
  select t.user_id, gen_random_uuid(), t.id, t.last_seq, 'notice', 'interrupted', t.turn_id from touched t
  returning user_id, turn_id, id, seq, created_at
)
select e.user_id, 'turn' as kind, e.conversation_id, e.id as turn_id, e.user_message_id is not null as asked,
  told.id as notice_id, told.seq as notice_seq, told.created_at as notice_at
from ended e left join told on told.user_id = e.user_id and told.turn_id = e.id`;
}
