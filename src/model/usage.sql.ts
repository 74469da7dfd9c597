import type { Queryable } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import type { UsageReport, UsageSum } from "./model-admin.ts";

type Cut = "total" | "day" | "user" | "model" | "endpoint";

const nothing: UsageSum = { calls: 0, errors: 0, refused: 0, costMicros: 0, inputTokens: 0, outputTokens: 0 };

/**
 * Sums the journal between two UTC days in one pass. A call that was lost counts what it had reserved, as the budgets
 * count it. Of the two lists one is read, by its own index.
 */
export async function selectUsage(
  on: Queryable,
  range: { readonly from: string; readonly to: string; readonly userId?: string | undefined },
): Promise<UsageReport> {
  const { from, to, userId = null } = range;
  const found = await on.query<UsageSum & { readonly cut: Cut; readonly name: string }>(sql`
    with span as materialized (
      select (${from}::date)::timestamp at time zone 'UTC' as since, (${to}::date + 1)::timestamp at time zone 'UTC' as until
    ),
    counted as (
      select r.user_id, r.endpoint, r.model_asked, r.model_answered, r.at, r.status, r.cost_micros, r.reserved_micros,
        r.input_tokens, r.output_tokens
      from ai_requests r
      where ${userId}::text is null and r.at >= (select since from span) and r.at < (select until from span)
      union all
      select r.user_id, r.endpoint, r.model_asked, r.model_answered, r.at, r.status, r.cost_micros, r.reserved_micros,
        r.input_tokens, r.output_tokens
      from ai_requests r
      where ${userId}::text is not null and r.user_id = ${userId}::text
        and r.at >= (select since from span) and r.at < (select until from span)
    ),
    named as (
      select c.user_id as of_user, c.endpoint as of_endpoint, coalesce(c.model_answered, c.model_asked) as of_model,
        to_char(c.at at time zone 'UTC', 'YYYY-MM-DD') as of_day, c.status, c.input_tokens, c.output_tokens,
        coalesce(c.cost_micros, case when c.status = 'lost' then c.reserved_micros end, 0) as cost
      from counted c
    ),
    sums as (
      select
        case grouping(of_day, of_user, of_model, of_endpoint)
          when 15 then 'total' when 7 then 'day' when 11 then 'user' when 13 then 'model' else 'endpoint'
        end as cut,
        coalesce(of_day, of_user, of_model, of_endpoint, '') as name,
        count(*) filter (where status <> 'refused')::float8 as calls,
        count(*) filter (where status in ('error', 'lost'))::float8 as errors,
        count(*) filter (where status = 'refused')::float8 as refused,
        coalesce(sum(cost), 0)::float8 as cost,
        coalesce(sum(input_tokens), 0)::float8 as input,
        coalesce(sum(output_tokens), 0)::float8 as output
      from named
      group by grouping sets ((), (of_day), (of_user), (of_model), (of_endpoint))
    ),
    placed as (
      select s.*, row_number() over (partition by s.cut order by s.cost desc, s.calls desc, s.name) as place from sums s
    )
    select cut, name, calls, errors, refused, cost as "costMicros", input as "inputTokens", output as "outputTokens"
    from placed
    where cut = 'day' or place <= 20
    order by cut, place
  `);
  const cut = (wanted: Cut) =>
    found.filter((row) => row.cut === wanted).map(({ cut: _cut, ...sum }): UsageSum & { name: string } => sum);
  const [total = nothing] = cut("total").map(({ name: _name, ...sum }) => sum);
  const days = cut("day").map(({ name, ...sum }) => ({ day: name, ...sum }));
  return {
    total,
    days: days.toSorted((one, other) => one.day.localeCompare(other.day)),
    users: cut("user"),
    models: cut("model"),
    endpoints: cut("endpoint"),
  };
}
