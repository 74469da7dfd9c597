import { sql, type Statement } from "../database/sql.ts";
import type { ConfirmationStatus } from "./core.ts";

/** A row as it is now, by the database's clock. */
export interface StateRow {
  readonly id: string;
  readonly status: ConfirmationStatus;
  readonly ranOut: boolean;
  readonly running: boolean;
  readonly succeeded: boolean | null;
  readonly runUntil: Date | null;
  readonly replacedBy: string | null;
  readonly replacementHolds: boolean;
}

export interface DetailRow extends StateRow {
  readonly tool: string;
  readonly title: string;
  readonly preview: unknown;
  readonly expiresAt: Date;
  readonly expiresInMs: number;
}

/** Reads rows of a user with what their cards show. */
export function selectDetails(userId: string, ids: readonly string[]): Statement {
  return sql`
    select c.id, c.status, c.status = 'held' and c.expires_at <= clock_timestamp() as "ranOut",
           c.status = 'used' and c.finished_at is null and c.run_until > clock_timestamp() as running,
           c.succeeded, c.run_until as "runUntil", c.replaced_by as "replacedBy",
           coalesce((select n.status = 'held' and n.expires_at > clock_timestamp() from confirmations n
                      where n.user_id = ${userId} and n.id = c.replaced_by), false) as "replacementHolds",
           c.tool, c.tool_title as title, c.preview, c.expires_at as "expiresAt",
           (extract(epoch from c.expires_at - clock_timestamp()) * 1000)::float8 as "expiresInMs"
      from confirmations c
     where c.user_id = ${userId} and c.id = any(${ids}::uuid[])`;
}

/** Reads what rows of a user are now, without what they hold. */
export function selectStates(userId: string, ids: readonly string[]): Statement {
  return sql`
    select c.id, c.status, c.status = 'held' and c.expires_at <= clock_timestamp() as "ranOut",
           c.status = 'used' and c.finished_at is null and c.run_until > clock_timestamp() as running,
           c.succeeded, c.run_until as "runUntil", c.replaced_by as "replacedBy",
           coalesce((select n.status = 'held' and n.expires_at > clock_timestamp() from confirmations n
                      where n.user_id = ${userId} and n.id = c.replaced_by), false) as "replacementHolds"
      from confirmations c
     where c.user_id = ${userId} and c.id = any(${ids}::uuid[])`;
}

/**
 * Makes held rows past their time `expired` and reads what all of them are. Locked in the order of their ids, so that
 * two of these never wait for each other; a row that a spend took meanwhile is left alone and reads as before it.
 */
export function expireHeld(userId: string, ids: readonly string[]): Statement {
  return sql`
    with locked as materialized (
      select id from confirmations
       where user_id = ${userId} and id = any(${ids}::uuid[]) and status = 'held' and expires_at <= clock_timestamp()
       order by id for update
    ), lapsed as (
      update confirmations c set status = 'expired', preview = null
        from locked l
       where c.user_id = ${userId} and c.id = any(${ids}::uuid[]) and c.id = l.id and c.status = 'held'
         and c.expires_at <= clock_timestamp()
      returning c.id
    )
    select c.id, case when l.id is null then c.status else 'expired' end as status,
           l.id is null and c.status = 'held' and c.expires_at <= clock_timestamp() as "ranOut",
           c.status = 'used' and c.finished_at is null and c.run_until > clock_timestamp() as running,
           c.succeeded, c.run_until as "runUntil", c.replaced_by as "replacedBy",
           coalesce((select n.status = 'held' and n.expires_at > clock_timestamp() from confirmations n
                      where n.user_id = ${userId} and n.id = c.replaced_by), false) as "replacementHolds"
      from confirmations c
      left join lapsed l on l.id = c.id
     where c.user_id = ${userId} and c.id = any(${ids}::uuid[])`;
}
