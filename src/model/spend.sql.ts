import type { Database, Queryable } from "../database/database.ts";
import { sql, type Statement } from "../database/sql.ts";
import type { Limits } from "./journal.sql.ts";

/** What a user and the site have taken (spent and reserved) of the day and the month, and the user's standing flags. */
export interface Standing {
  readonly userDay: number;
  readonly userMonth: number;
  readonly siteDay: number;
  readonly siteMonth: number;
  readonly flags: number;
}

/** Reads the counters and flags an admission is judged by. */
export function readStanding(userId: string, limits: Limits): Statement {
  return sql`
    with spans as materialized (
      select to_char(at at time zone 'UTC', 'YYYY-MM-DD') as day, to_char(at at time zone 'UTC', 'YYYY-MM') as month
      from (select clock_timestamp() as at) as moment
    ),
    taken as materialized (
      select s.user_id, s.period, s.spent_micros + s.reserved_micros as micros
      from spend s, spans where s.user_id in (${userId}, '') and s.period in (spans.day, spans.month)
    )
    select
      coalesce((select micros from taken t, spans where t.user_id <> '' and t.period = spans.day), 0)::float8 as "userDay",
      coalesce((select micros from taken t, spans where t.user_id <> '' and t.period = spans.month), 0)::float8 as "userMonth",
      coalesce((select micros from taken t, spans where t.user_id = '' and t.period = spans.day), 0)::float8 as "siteDay",
      coalesce((select micros from taken t, spans where t.user_id = '' and t.period = spans.month), 0)::float8 as "siteMonth",
      (
        select count(*)::integer from flags f where f.user_id = ${userId} and f.cleared_at is null
          and f.at > clock_timestamp() - make_interval(secs => ${limits.flagWindowSeconds}::double precision)
      ) as flags
  `;
}

/** Gives a user's counters of this day and month their rows. */
export async function ensureUserCounters(on: Queryable, userId: string): Promise<void> {
  await on.query(sql`
    insert into spend (user_id, period)
    select ${userId}, p.period
    from (select clock_timestamp() at time zone 'UTC' as at) as m,
      lateral (values (to_char(m.at, 'YYYY-MM')), (to_char(m.at, 'YYYY-MM-DD'))) as p (period)
    order by p.period
    on conflict do nothing
  `);
}

/**
 * Gives the site's counters of this day and month their rows, as the sum of what its users have spent and reserved
 * since the period began: a budget set in mid-day knows what went before. Site rows exist only while a budget of the
 * site is or was in force in their period; else every call of every user would wait for one row.
 */
export async function ensureSiteCounters(database: Database): Promise<void> {
  await database.transaction(async (on) => {
    // keeps calls from moving a user's counter between the sum and the row that holds it
    await on.query(sql`lock table spend in share row exclusive mode`);
    await on.query(sql`
      insert into spend (user_id, period, spent_micros, reserved_micros)
      select '', p.period, coalesce(sum(s.spent_micros), 0), coalesce(sum(s.reserved_micros), 0)
      from (select clock_timestamp() at time zone 'UTC' as at) as m,
        lateral (values (to_char(m.at, 'YYYY-MM')), (to_char(m.at, 'YYYY-MM-DD'))) as p (period)
        left join spend s on s.period = p.period and s.user_id <> ''
      group by p.period
      order by p.period
      on conflict do nothing
    `);
  });
}
