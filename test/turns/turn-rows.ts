import type { Database } from "../../src/database/database.ts";
import { sql } from "../../src/database/sql.ts";

/** How a turn ended, by its row; `how` is null while it is open. */
export interface TurnRow {
  readonly how: string | null;
  readonly rounds: number;
  readonly asked: boolean;
}

export async function readTurn(database: Database, turnId: string): Promise<TurnRow | undefined> {
  const [row] = await database.query<TurnRow>(
    sql`select how, rounds, user_message_id is not null as asked from turns where id = ${turnId}::uuid`,
  );
  return row;
}

export interface UserRows {
  readonly turns: number;
  readonly locks: number;
  readonly messages: number;
}

/** How many rows a user has. */
export async function countRows(database: Database, userId: string): Promise<UserRows | undefined> {
  const [row] = await database.query<UserRows>(sql`
select (select count(*)::int from turns where user_id = ${userId}) as turns,
  (select count(*)::int from locks where user_id = ${userId}) as locks,
  (select count(*)::int from messages where user_id = ${userId}) as messages`);
  return row;
}

export interface Money {
  /** The user's rows of the journal, in their order. */
  readonly rows: readonly JournalRow[];
  /** Of the day, in millionths of a dollar. */
  readonly spent: number;
  readonly reserved: number;
}

export interface JournalRow {
  readonly status: string;
  readonly code: string | null;
  readonly attempts: number;
  readonly model: string | null;
  readonly cost: number | null;
  readonly reserve: number;
  /** Whether it has its times. */
  readonly begun: boolean;
  readonly ended: boolean;
  readonly latency: boolean;
  readonly firstToken: boolean;
}

/** A user's model calls, and what the counters hold of them. */
export async function readMoney(database: Database, userId: string): Promise<Money> {
  const rows = await database.query<JournalRow>(sql`
select status, code, coalesce(attempts, 0) as attempts, model_answered as model, cost_micros::float8 as cost,
  reserved_micros::float8 as reserve, at is not null as begun, ended_at is not null as ended,
  latency_ms is not null as latency, first_token_ms is not null as "firstToken"
from ai_requests where user_id = ${userId} order by at`);
  const [counter] = await database.query<{ spent: number; reserved: number }>(sql`
select spent_micros::float8 as spent, reserved_micros::float8 as reserved from spend
where user_id = ${userId} and length(period) = 10`);
  return { rows, spent: counter?.spent ?? 0, reserved: counter?.reserved ?? 0 };
}
