import type { Queryable } from "../database/database.ts";
import { type PageRow, readPageCursor, toPage } from "../database/page-cursor.ts";
import { sql } from "../database/sql.ts";
import type { FlagEntry, FlagsPage, StandingFlags } from "./model-admin.ts";

/** Writes a turn's flag, once. */
export async function writeFlag(
  on: Queryable,
  flag: { readonly userId: string; readonly turnId: string; readonly reason: string },
): Promise<void> {
  await on.query(sql`
    insert into flags (user_id, turn_id, reason) values (${flag.userId}, ${flag.turnId}::uuid, ${flag.reason})
    on conflict do nothing
  `);
}

/** Takes a user's standing flags back: a suspension ends at once. */
export async function clearFlags(on: Queryable, userId: string): Promise<void> {
  await on.query(sql`
    update flags set cleared_at = clock_timestamp() where user_id = ${userId} and cleared_at is null
  `);
}

export async function deleteFlags(on: Queryable, userId: string): Promise<void> {
  await on.query(sql`delete from flags where user_id = ${userId}`);
}

const pageRows = 50;

/** Flags of all users, newest first. `user_id <> ''` names the index of this list: every flag has a user. */
export async function selectFlags(
  on: Queryable,
  page: { readonly before: string | null; readonly standing: boolean },
): Promise<FlagsPage> {
  const after = readPageCursor(page.before);
  const looked = pageRows + 1;
  const found = await on.query<FlagEntry & PageRow>(sql`
    select f.user_id as "userId", f.turn_id as "turnId", f.at, f.reason, f.cleared_at as "clearedAt",
      to_char(f.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') || '|' || f.turn_id as cursor, 0 as seen,
      null as last
    from flags f
    where f.user_id <> '' and (not ${page.standing}::boolean or f.cleared_at is null)
      and f.at <= coalesce(${after?.at ?? null}::timestamptz, 'infinity')
      and (${after?.at ?? null}::timestamptz is null
        or (f.at, f.turn_id) < (${after?.at ?? null}::timestamptz, ${after?.id ?? null}::uuid))
    order by f.at desc, f.turn_id desc
    limit ${looked}::integer
  `);
  const { rows, next } = toPage(found, { page: pageRows, looked });
  return {
    flags: rows.map(({ userId, turnId, at, reason, clearedAt }) => ({ userId, turnId, at, reason, clearedAt })),
    next,
  };
}

/** Who has flags that count, as the guard counts them. */
export function selectStanding(on: Queryable, windowSeconds: number): Promise<readonly StandingFlags[]> {
  return on.query<StandingFlags>(sql`
    select f.user_id as "userId", count(*)::integer as count, max(f.at) as "lastAt"
    from flags f
    where f.user_id <> '' and f.cleared_at is null
      and f.at > clock_timestamp() - make_interval(secs => ${windowSeconds}::double precision)
    group by f.user_id
    order by max(f.at) desc
    limit 200
  `);
}
