import type { Queryable } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import type { Spending } from "./model-admin.ts";

/** A user's, or with null the site's: the sum of its users', whether or not a budget ever made the site a row. */
export async function readSpending(on: Queryable, userId: string | null): Promise<Spending> {
  const [row] = await on.query<Spending>(sql`
    with spans as (
      select to_char(at at time zone 'UTC', 'YYYY-MM-DD') as day, to_char(at at time zone 'UTC', 'YYYY-MM') as month
      from (select clock_timestamp() as at) as moment
    ),
    counters as (
      select s.period, s.spent_micros + s.reserved_micros as micros from spend s, spans
      where ${userId}::text is not null and s.user_id = ${userId}::text and s.period in (spans.day, spans.month)
      union all
      select s.period, s.spent_micros + s.reserved_micros from spend s, spans
      where ${userId}::text is null and s.user_id <> '' and s.period in (spans.day, spans.month)
    )
    select
      coalesce(sum(c.micros) filter (where c.period = spans.day), 0)::float8 as "dayMicros",
      coalesce(sum(c.micros) filter (where c.period = spans.month), 0)::float8 as "monthMicros"
    from spans left join counters c on true
  `);
  return row ?? { dayMicros: 0, monthMicros: 0 };
}

/** Takes a user out of the journal: what a call cost stays, who made it and what was said does not. */
export async function forgetRequests(on: Queryable, userId: string): Promise<number> {
  const rows = await on.query(sql`
    update ai_requests r set user_id = '', message_id = null, turn_id = null, content = null
    from (select id from ai_requests where user_id = ${userId} limit 1000) as batch
    where r.user_id = ${userId} and r.id = batch.id
    returning r.id
  `);
  return rows.length;
}

export async function deleteCounters(on: Queryable, userId: string): Promise<void> {
  await on.query(sql`delete from spend where user_id = ${userId}`);
}

/** Deletes ended rows older than so many days, at most 1,000. */
export async function deleteOldRequests(on: Queryable, days: number): Promise<number> {
  const rows = await on.query(sql`
    delete from ai_requests r
    using (
      select user_id, id from ai_requests
      where at < clock_timestamp() - make_interval(days => ${days}::integer) and status <> 'running'
      order by at limit 1000
    ) as old
    where r.user_id = old.user_id and r.id = old.id
    returning r.id
  `);
  return rows.length;
}
