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
