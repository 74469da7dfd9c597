import type { Queryable } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import type { JournalEntry, JournalPage, Spending } from "./model-admin.ts";

/** A user's, or with null the site's: the sum of its users', whether or not a budget ever made the site a row. */
export async function readSpending(on: Queryable, userId: string | null): Promise<Spending> {
  const [row] = await on.query<Spending>(sql`
    with spans as (
      select to_char(at at time zone 'UTC', 'YYYY-MM-DD') as day, to_char(at at time zone 'UTC', 'YYYY-MM') as month
      from (select clock_timestamp() as at) as moment
    )
    select
      coalesce(sum(s.spent_micros + s.reserved_micros) filter (where s.period = spans.day), 0)::float8 as "dayMicros",
      coalesce(sum(s.spent_micros + s.reserved_micros) filter (where s.period = spans.month), 0)::float8 as "monthMicros"
    from spans left join spend s on s.period in (spans.day, spans.month)
      and (s.user_id = ${userId}::text or (${userId}::text is null and s.user_id <> ''))
  `);
  return row ?? { dayMicros: 0, monthMicros: 0 };
}

const pageRows = 100;

/** `before` is a cursor of an earlier page: the last row's time and id. */
export async function selectJournal(
  on: Queryable,
  page: { readonly before: string | null; readonly userId: string | null },
): Promise<JournalPage> {
  const [at = null, id = null] = page.before?.split("|") ?? [];
  const rows = await on.query<JournalEntry & { readonly cursor: string }>(sql`
    select r.id as "requestId", r.user_id as "userId", r.at, r.source, r.task, r.endpoint,
      coalesce(r.model_answered, r.model_asked) as model, r.status, r.code, r.http_status as "httpStatus", r.attempts,
      r.input_tokens as "inputTokens", r.output_tokens as "outputTokens", r.cost_micros::float8 as "costMicros",
      r.latency_ms as "latencyMs", r.first_token_ms as "firstTokenMs", r.at::text || '|' || r.id as cursor
    from ai_requests r
    where (${page.userId}::text is null or r.user_id = ${page.userId}::text)
      and (${at}::timestamptz is null or (r.at, r.id) < (${at}::timestamptz, ${id}::uuid))
    order by r.at desc, r.id desc
    limit ${pageRows}::integer
  `);
  return {
    entries: rows.map(({ cursor: _cursor, ...entry }) => entry),
    next: rows.length < pageRows ? null : (rows.at(-1)?.cursor ?? null),
  };
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
