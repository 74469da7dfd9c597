import type { Queryable } from "../database/database.ts";
import { sql, type Statement } from "../database/sql.ts";
import type { GuardRefusal } from "../wire/reasons.ts";

export interface BeginRow {
  readonly userId: string;
  readonly id: string;
  readonly source: string;
  readonly task: string;
  readonly messageId: string;
  readonly turnId: string;
  readonly endpoint: string;
  readonly modelAsked: string;
  readonly node: string;
  /** The call's own largest possible cost; 0 where no price says it. */
  readonly reserveMicros: number;
  /** Whether the counters move at all. */
  readonly counts: boolean;
  /** A refusal that needed no counter: the row is written as refused. */
  readonly refusal: GuardRefusal | null;
  readonly limits: Limits;
}

/** What is in force, in millionths of a dollar; null is no budget. `flagLimit` 0 turns suspension off. */
export interface Limits {
  readonly userDay: number | null;
  readonly userMonth: number | null;
  readonly siteDay: number | null;
  readonly siteMonth: number | null;
  readonly flagLimit: number;
  readonly flagWindowSeconds: number;
}

export type BeginVerdict = GuardRefusal | "missing" | null;

/**
 * The journal row and the reservation, in one statement: the user's counters are locked first, then the site's, and a
 * call goes through only while all of them fit. A refused call leaves its row as `refused` and moves nothing.
 * `missing` says that a counter has no row yet: nothing was written.
 */
export function beginRequest(row: BeginRow): Statement {
  const { limits } = row;
  return sql`
    with moment as materialized (select clock_timestamp() as at),
    spans as materialized (
      select to_char(at at time zone 'UTC', 'YYYY-MM-DD') as day, to_char(at at time zone 'UTC', 'YYYY-MM') as month
      from moment
    ),
    held as materialized (
      select s.user_id, s.period, s.spent_micros + s.reserved_micros + ${row.reserveMicros}::bigint as taken
      from spend s, spans
      where ${row.counts}::boolean and s.user_id in (${row.userId}, '') and s.period in (spans.day, spans.month)
      order by (s.user_id = ''), s.period
      for update of s
    ),
    limits as materialized (
      select l.user_id, l.period, l.budget
      from spans, lateral (values
        (${row.userId}::text, spans.day, ${limits.userDay}::bigint),
        (${row.userId}, spans.month, ${limits.userMonth}::bigint),
        ('', spans.day, ${limits.siteDay}::bigint),
        ('', spans.month, ${limits.siteMonth}::bigint)
      ) as l (user_id, period, budget)
      where ${row.counts}::boolean
    ),
    verdict as materialized (
      select case
        when ${row.refusal}::text is not null then ${row.refusal}::text
        when ${limits.flagLimit}::integer > 0 and (
          select count(*) from flags f, moment
          where f.user_id = ${row.userId} and f.cleared_at is null
            and f.at > moment.at - make_interval(secs => ${limits.flagWindowSeconds}::double precision)
        ) >= ${limits.flagLimit}::integer then 'suspended'
        when exists (
          select from limits l where (l.user_id <> '' or l.budget is not null)
            and not exists (select from held h where h.user_id = l.user_id and h.period = l.period)
        ) then 'missing'
        when exists (
          select from limits l join held h using (user_id, period) where l.user_id <> '' and h.taken > l.budget
        ) then 'budget_user'
        when exists (
          select from limits l join held h using (user_id, period) where l.user_id = '' and h.taken > l.budget
        ) then 'budget_total'
      end as refusal
    ),
    reserved as (
      update spend s set reserved_micros = s.reserved_micros + ${row.reserveMicros}::bigint
      from held h, verdict v
      where v.refusal is null and s.user_id = h.user_id and s.period = h.period
    ),
    written as (
      insert into ai_requests (user_id, id, at, source, task, message_id, turn_id, endpoint, model_asked, node,
        status, code, reserved_micros, kept_at, ended_at)
      select ${row.userId}, ${row.id}::uuid, m.at, ${row.source}, ${row.task}, ${row.messageId}::uuid,
        ${row.turnId}::uuid, ${row.endpoint}, ${row.modelAsked}, ${row.node},
        case when v.refusal is null then 'running' else 'refused' end, v.refusal,
        case when v.refusal is null then ${row.reserveMicros}::bigint else 0 end,
        clock_timestamp(), case when v.refusal is null then null else clock_timestamp() end
      from moment m, verdict v
      where v.refusal is distinct from 'missing'
    )
    select refusal from verdict
  `;
}

/** What `beginRequest` answers. */
export interface BegunRow {
  readonly refusal: BeginVerdict;
}

/**
 * A row for a turn that a budget refused before there was a call, so that administrators see it: at most one a minute
 * of a user and a reason, however often the user asks.
 */
export function noteRefusal(refusal: {
  readonly userId: string;
  readonly id: string;
  readonly task: string;
  readonly reason: GuardRefusal;
  readonly endpoint: string;
  readonly modelAsked: string;
  readonly node: string;
}): Statement {
  const { userId, reason } = refusal;
  return sql`
    insert into ai_requests (user_id, id, at, source, task, endpoint, model_asked, node, status, code, ended_at)
    select ${userId}, ${refusal.id}::uuid, clock_timestamp(), 'guard', ${refusal.task}, ${refusal.endpoint},
      ${refusal.modelAsked}, ${refusal.node}, 'refused', ${reason}, clock_timestamp()
    where not exists (
      select from ai_requests r
      where r.user_id = ${userId} and r.at > clock_timestamp() - interval '1 minute'
        and r.status = 'refused' and r.code = ${reason}
    )
  `;
}

export interface EndRow {
  readonly userId: string;
  readonly id: string;
  readonly status: "ok" | "error" | "lost";
  readonly code: string | null;
  readonly httpStatus: number | null;
  readonly attempts: number;
  readonly modelAnswered: string | null;
  readonly providerRequestId: string | null;
  readonly inputTokens: number | null;
  readonly cachedTokens: number | null;
  readonly outputTokens: number | null;
  readonly reasoningTokens: number | null;
  readonly costMicros: number | null;
  /** What the counters get; null counts what the row reserved. */
  readonly countMicros: number | null;
  readonly latencyMs: number | null;
  readonly firstTokenMs: number | null;
  /** JSON text. */
  readonly content: string | null;
  /** For the sweeper: ends the row only when it was not kept for this long. Null ends it whatever its lease. */
  readonly lapsedMs: number | null;
}

/**
 * Ends a row and settles its counters in one statement. A row that was given up as lost while its node still worked is
 * set right.
 */
export function endRequest(row: EndRow): Statement {
  return sql`
    with found as materialized (
      select r.status, r.reserved_micros,
        to_char(r.at at time zone 'UTC', 'YYYY-MM-DD') as day, to_char(r.at at time zone 'UTC', 'YYYY-MM') as month
      from ai_requests r
      where r.user_id = ${row.userId} and r.id = ${row.id}::uuid
        and (r.status = 'running' or (r.status = 'lost' and ${row.status} <> 'lost'))
        and (${row.lapsedMs}::double precision is null
          or r.kept_at < clock_timestamp() - make_interval(secs => ${row.lapsedMs}::double precision / 1000))
      for update
    ),
    change as materialized (
      select day, month,
        case when status = 'running' then reserved_micros else 0 end as release,
        coalesce(${row.countMicros}::bigint, reserved_micros)
          - case when status = 'lost' then reserved_micros else 0 end as add
      from found
    ),
    ended as (
      update ai_requests r set
        status = ${row.status}, code = ${row.code}, http_status = ${row.httpStatus}::integer,
        attempts = ${row.attempts}::integer, model_answered = ${row.modelAnswered},
        provider_request_id = ${row.providerRequestId}, input_tokens = ${row.inputTokens}::integer,
        cached_tokens = ${row.cachedTokens}::integer, output_tokens = ${row.outputTokens}::integer,
        reasoning_tokens = ${row.reasoningTokens}::integer, cost_micros = ${row.costMicros}::bigint,
        latency_ms = ${row.latencyMs}::integer, first_token_ms = ${row.firstTokenMs}::integer,
        content = ${row.content}::jsonb, ended_at = clock_timestamp()
      from found
      where r.user_id = ${row.userId} and r.id = ${row.id}::uuid
      returning r.id
    ),
    of_user as (
      insert into spend as s (user_id, period, spent_micros)
      select ${row.userId}, p.period, greatest(c.add, 0)
      from change c, lateral (values (c.day), (c.month)) as p (period)
      where c.add <> 0 or c.release <> 0
      order by p.period
      on conflict (user_id, period) do update set
        spent_micros = greatest(0, s.spent_micros + (select add from change)),
        reserved_micros = greatest(0, s.reserved_micros - (select release from change))
      returning s.period
    ),
    of_site as materialized (
      select s.period from spend s
      where s.user_id = '' and s.period in (select period from of_user)
      order by s.period
      for update
    ),
    settled as (
      update spend s set
        spent_micros = greatest(0, s.spent_micros + c.add),
        reserved_micros = greatest(0, s.reserved_micros - c.release)
      from of_site o, change c
      where s.user_id = '' and s.period = o.period
    )
    select id from ended
  `;
}

/** Keeps the leases of all rows this node works on. */
export async function keepRequests(
  on: Queryable,
  rows: readonly { readonly userId: string; readonly id: string }[],
): Promise<void> {
  await on.query(sql`
    update ai_requests r set kept_at = clock_timestamp()
    from unnest(${rows.map((row) => row.userId)}::text[], ${rows.map((row) => row.id)}::uuid[]) as k (user_id, id)
    where r.user_id = k.user_id and r.id = k.id and r.status = 'running'
  `);
}

/** Rows whose node let their lease lapse, oldest first. */
export async function findLapsed(
  on: Queryable,
  leaseMs: number,
): Promise<readonly { readonly userId: string; readonly id: string }[]> {
  return on.query(sql`
    select user_id as "userId", id from ai_requests
    where status = 'running' and kept_at < clock_timestamp() - make_interval(secs => ${leaseMs}::double precision / 1000)
    order by kept_at limit 100
  `);
}
