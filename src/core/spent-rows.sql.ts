import { sql, type Statement } from "../database/sql.ts";

/** A row that a click has spent. */
export interface SpentRow {
  readonly userId: string;
  readonly id: string;
  readonly usedAt: Date;
  /** Whether its handler may still be running. */
  readonly running: boolean;
}

/** Spent rows of all users, the longest ago first, by the sweepers' index; without a time, those of the last day. */
export function selectSpent(from: Date | null, limit: number): Statement {
  return sql`
    select user_id as "userId", id, used_at as "usedAt", finished_at is null and run_until > clock_timestamp() as running
      from confirmations
     where status = 'used' and used_at >= (select coalesce(${from}::timestamptz, clock_timestamp() - interval '1 day'))
     order by used_at limit ${limit}::int`;
}
