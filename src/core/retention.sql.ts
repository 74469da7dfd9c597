import { sql, type Statement } from "../database/sql.ts";

/**
 * Deletes a batch of rows that ran out, were turned down, or were never clicked, 30 days after their time. Used and
 * replaced rows stay: one that vanished could be told as expired, asked for again, and run twice.
 */
export function deleteLapsed(batch: number): Statement {
  return sql`
    with old as materialized (
      select user_id, id from confirmations
       where status in ('held', 'expired', 'rejected') and expires_at < clock_timestamp() - interval '30 days'
       order by expires_at limit ${batch}::int for update skip locked
    )
    delete from confirmations c using old
     where c.user_id = old.user_id and c.id = old.id
    returning c.id`;
}

/** Deletes rows of a user by id, whatever their status. */
export function deleteConfirmations(userId: string, ids: readonly string[]): Statement {
  return sql`delete from confirmations where user_id = ${userId} and id = any(${ids}::uuid[])`;
}

/** Deletes a batch of a user's confirmations. */
export function deleteConfirmationsOf(userId: string, batch: number): Statement {
  return sql`
    delete from confirmations
     where user_id = ${userId} and id in (select id from confirmations where user_id = ${userId} limit ${batch}::int)
    returning id`;
}

/** Deletes a batch of a user's audit rows. */
export function deleteToolCallsOf(userId: string, batch: number): Statement {
  return sql`
    delete from tool_calls
     where user_id = ${userId} and id in (select id from tool_calls where user_id = ${userId} limit ${batch}::int)
    returning id`;
}

/** Deletes a user's counters: a handful. */
export function deleteRatesOf(userId: string): Statement {
  return sql`delete from rates where user_id = ${userId}`;
}
