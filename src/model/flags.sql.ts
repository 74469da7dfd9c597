import type { Queryable } from "../database/database.ts";
import { sql } from "../database/sql.ts";

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
