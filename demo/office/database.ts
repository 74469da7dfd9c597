// The office's own PostgreSQL: its tables stand in the schema `demo`, those of its sign-in in `demo_auth`.
import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import pg from "pg";

export interface OfficeDatabase {
  /** For the office's tables. */
  readonly pool: pg.Pool;
  /** For the tables of its sign-in. */
  readonly authPool: pg.Pool;
  /**
   * Makes the tables that are missing, fills them once, and then lets `work` prepare what else is on this database, while
   * no other process does. `secret` signs cookies; it is the same for every process.
   */
  prepare<T>(work: (secret: string) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** Makes the office's pools; nothing connects before it is used. */
export function createOfficeDatabase(connectionString: string): OfficeDatabase {
  const open = (schema: string): pg.Pool => {
    const pool = new pg.Pool({ connectionString, max: 6, options: `-c search_path=${schema}`, types: dates });
    // The end of an idle connection is told here; without a listener it would end the process.
    pool.on("error", () => {});
    return pool;
  };
  const pool = open("demo");
  const authPool = open("demo_auth");
  return {
    pool,
    authPool,
    async prepare(work) {
      const client = await pool.connect();
      try {
        // Two processes that make the same tables at once would both fail.
        await client.query("select pg_advisory_lock(hashtextextended('demo.prepare', 0))");
        return await work(await fill(client));
      } finally {
        // With its end the lock is free, whatever became of the connection.
        client.release(true);
      }
    },
    async close() {
      await Promise.all([pool.end(), authPool.end()]);
    },
  };
}

const dates = { getTypeParser: keepDates };

async function fill(on: pg.PoolClient): Promise<string> {
  await on.query("create schema if not exists demo; create schema if not exists demo_auth;");
  await on.query(await readFile(new URL("schema.sql", import.meta.url), "utf8"));
  const { rows } = await on.query<{ filled: boolean }>("select exists (select from customers) as filled");
  if (rows[0]?.filled !== true) await on.query(await readFile(new URL("seed.sql", import.meta.url), "utf8"));
  const made = await on.query<{ value: string }>(
    `insert into secrets (name, value) values ('cookies', $1)
     on conflict (name) do update set name = excluded.name returning value`,
    [randomBytes(32).toString("hex")],
  );
  return made.rows[0]?.value ?? "";
}

/** A date stays the text it is: as a moment it would move with the time zone. Amounts in cents stay far below 2^53. */
function keepDates(oid: number, format?: "text" | "binary"): (text: string) => unknown {
  if (format !== "binary" && oid === pg.types.builtins.DATE) return (text) => text;
  if (format !== "binary" && oid === pg.types.builtins.INT8) return Number;
  return pg.types.getTypeParser(oid, format === "binary" ? "text" : format) as (text: string) => unknown;
}
