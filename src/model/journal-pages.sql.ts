import type { Queryable } from "../database/database.ts";
import { mostLookedAt, type PageRow, readPageCursor, toPage } from "../database/page-cursor.ts";
import { sql } from "../database/sql.ts";
import type { JournalEntry, JournalFilter, JournalPage } from "./model-admin.ts";

const usualRows = 100;

/**
 * A page of the journal, newest first. Of the three lists exactly one is read, each in the order of its own index: a
 * user's rows, those in trouble, or all. The other filters are looked at after that, over no more rows than are bounded.
 */
export async function selectJournal(
  on: Queryable,
  page: JournalFilter & { readonly before?: string | undefined; readonly limit?: number | undefined },
): Promise<JournalPage> {
  const { limit = usualRows } = page;
  const after = readPageCursor(page.before);
  const at = after?.at ?? null;
  const id = after?.id ?? null;
  const userId = page.userId ?? null;
  const status = page.status ?? null;
  const isTrouble = status === "trouble" && userId === null;
  const [endpoint, model, code] = [page.endpoint ?? null, page.model ?? null, page.code ?? null];
  const [from, to] = [page.from ?? null, page.to ?? null];
  const filters = [endpoint, model, code, isTrouble ? null : status];
  const looked = filters.every((filter) => filter === null) ? limit + 1 : Math.max(mostLookedAt, limit + 1);
  const found = await on.query<JournalEntry & PageRow>(sql`
    with span as materialized (
      select coalesce(${at}::timestamptz, 'infinity') as at, coalesce(${id}::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff') as id,
        coalesce((${from}::date)::timestamp at time zone 'UTC', '-infinity') as since,
        coalesce((${to}::date + 1)::timestamp at time zone 'UTC', 'infinity') as until
    ),
    seen as materialized (
      (
        select r.user_id, r.id, r.at from ai_requests r
        where ${userId}::text is null and not ${isTrouble}::boolean
          and r.at <= (select at from span) and (r.at, r.id) < ((select at from span), (select id from span))
          and r.at >= (select since from span) and r.at < (select until from span)
        order by r.at desc, r.id desc limit ${looked}::integer
      )
      union all
      (
        select r.user_id, r.id, r.at from ai_requests r
        where ${isTrouble}::boolean and r.status in ('error', 'refused', 'lost')
          and r.at <= (select at from span) and (r.at, r.id) < ((select at from span), (select id from span))
          and r.at >= (select since from span) and r.at < (select until from span)
        order by r.at desc, r.id desc limit ${looked}::integer
      )
      union all
      (
        select r.user_id, r.id, r.at from ai_requests r
        where ${userId}::text is not null and r.user_id = ${userId}::text
          and r.at <= (select at from span) and (r.at, r.id) < ((select at from span), (select id from span))
          and r.at >= (select since from span) and r.at < (select until from span)
        order by r.at desc, r.id desc limit ${looked}::integer
      )
    ),
    ends as materialized (
      select count(*)::integer as seen, (
        select to_char(s.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') || '|' || s.id
        from seen s order by s.at, s.id limit 1
      ) as last
      from seen
    ),
    shown as (
      select r.id as "requestId", r.user_id as "userId", r.at, r.source, r.task, r.endpoint,
        coalesce(r.model_answered, r.model_asked) as model, r.status, r.code, r.http_status as "httpStatus", r.attempts,
        r.input_tokens as "inputTokens", r.output_tokens as "outputTokens", r.cost_micros::float8 as "costMicros",
        r.latency_ms as "latencyMs", r.first_token_ms as "firstTokenMs",
        to_char(r.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') || '|' || r.id as cursor
      from seen s, lateral (
        -- one row: so that it is looked up by its key, however small the table was when this was planned
        select a.id, a.user_id, a.at, a.source, a.task, a.endpoint, a.model_asked, a.model_answered, a.status, a.code,
          a.http_status, a.attempts, a.input_tokens, a.output_tokens, a.cost_micros, a.latency_ms, a.first_token_ms
        from ai_requests a where a.user_id = s.user_id and a.id = s.id limit 1
      ) as r
      where (${endpoint}::text is null or r.endpoint = ${endpoint}::text)
        and (${model}::text is null or r.model_asked = ${model}::text or r.model_answered = ${model}::text)
        and (${code}::text is null or r.code = ${code}::text)
        and (${status}::text is null or r.status = ${status}::text
          or (${status}::text = 'trouble' and r.status in ('error', 'refused', 'lost')))
      order by r.at desc, r.id desc
      limit ${limit + 1}::integer
    )
    select shown.*, ends.seen, ends.last from ends left join shown on true
    order by shown.at desc, shown."requestId" desc
  `);
  const { rows, next } = toPage(found, { page: limit, looked });
  return { entries: rows.map(({ cursor: _cursor, seen: _seen, last: _last, ...entry }) => entry), next };
}
