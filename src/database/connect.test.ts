import { once } from "node:events";
import { createServer } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../testing/test-database.ts";
import { connectDatabase } from "./connect.ts";
import type { Queryable } from "./database.ts";
import { sql } from "./sql.ts";
import { isStartError } from "./start-error.ts";
import { tooOldSentence } from "./start-sentences.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase({ poolSize: 3 });
});
afterAll(() => db.drop());

async function startSentence(options: Parameters<typeof connectDatabase>[0]): Promise<string> {
  const error: unknown = await connectDatabase(options).then(
    (database) => database.close(),
    (thrown: unknown) => thrown,
  );
  return isStartError(error) ? error.startSentence : `no start error: ${String(error)}`;
}

describe("a connection", () => {
  test("carries the settings that the promises rest on, whatever the address says", async () => {
    const address = new URL(db.connectionString);
    address.searchParams.set("options", "-c statement_timeout=1h -c work_mem=8MB");
    const database = await connectDatabase({ connectionString: address.href });
    const settings = await database.query(sql`
      select current_setting('transaction_isolation') as isolation,
             current_setting('plan_cache_mode') as plans,
             current_setting('enable_seqscan') as whole,
             current_setting('statement_timeout') as statement,
             current_setting('idle_in_transaction_session_timeout') as idle,
             current_setting('synchronous_commit') as commit,
             current_setting('search_path') as path,
             current_setting('timezone') as zone,
             current_setting('work_mem') as given`);
    expect(settings).toEqual([
      {
        isolation: "read committed",
        plans: "force_generic_plan",
        whole: "off",
        statement: "15s",
        idle: "5s",
        commit: "on",
        path: "countersign",
        zone: "UTC",
        given: "8MB",
      },
    ]);
    await database.close();
  });

  test("prepares each statement once under its own name", async () => {
    await db.database.transaction(async (on) => {
      const both = (value: number): Promise<readonly object[]> => on.query(sql`select ${value}::int as twice`);
      expect(await both(1)).toEqual([{ twice: 1 }]);
      expect(await both(2)).toEqual([{ twice: 2 }]);
      const prepared = await on.query<{ count: number }>(sql`
        select count(*) from pg_prepared_statements where statement like '%as twice'`);
      expect(prepared).toEqual([{ count: 1 }]);
    });
  });

  test("reads bigints as numbers and times as dates", async () => {
    const rows = await db.database.query(sql`
      select 9007199254740991::int8 as n, '{1,null}'::int8[] as some, '{}'::int8[] as none,
             '2026-01-02T03:04:05.678Z'::timestamptz as at`);
    expect(rows).toEqual([
      { n: Number.MAX_SAFE_INTEGER, some: [1, null], none: [], at: new Date("2026-01-02T03:04:05.678Z") },
    ]);
  });

  test("that was cut fails its statement, and the next one gets another", async () => {
    const cut = db.database.query(sql`select pg_terminate_backend(pg_backend_pid())`);
    await expect(cut).rejects.toThrow("terminating connection");
    expect(await db.database.query(sql`select 1 as one`)).toEqual([{ one: 1 }]);
  });

  test("that was cut while idle ends no process and fails no statement", async () => {
    const idle = await db.database.query<{ pid: number }>(sql`select pg_backend_pid() as pid`);
    const other = await connectDatabase({ connectionString: db.connectionString });
    await other.query(sql`select pg_terminate_backend(${idle[0]?.pid})`);
    // The pool drops it when the end arrives.
    for (let gone = false; !gone;) {
      const rows = await other.query(sql`select from pg_stat_activity where pid = ${idle[0]?.pid}`);
      gone = rows.length === 0;
    }
    await other.close();
    await new Promise(setImmediate);
    expect(await db.database.query(sql`select 1 as one`)).toEqual([{ one: 1 }]);
  });
});

describe("a transaction", () => {
  const put = (key: string) => sql`insert into settings (key, value) values (${key}, '1')`;
  const has = async (key: string): Promise<boolean> =>
    (await db.database.query(sql`select from settings where key = ${key}`)).length === 1;

  test("stores everything when its work is done", async () => {
    await expect(db.database.transaction(async (on) => (await on.query(put("a")), "done"))).resolves.toBe("done");
    expect(await has("a")).toBe(true);
  });

  test("stores nothing when its work throws, and throws the same", async () => {
    const error = new Error("changed its mind");
    const work = db.database.transaction(async (on) => {
      await on.query(put("b"));
      throw error;
    });
    await expect(work).rejects.toBe(error);
    expect(await has("b")).toBe(false);
  });

  test("does not pass for stored when a statement of it failed and the work went on", async () => {
    const work = db.database.transaction(async (on: Queryable) => {
      await on.query(put("c"));
      await on.query(put("c")).catch(() => {});
    });
    await expect(work).rejects.toThrow("rolled back by a statement whose failure was ignored");
    expect(await has("c")).toBe(false);
  });

  test("whose connection is cut throws and gives its place back", async () => {
    for (let round = 0; round < 5; round++) {
      const work = db.database.transaction((on) => on.query(sql`select pg_terminate_backend(pg_backend_pid())`));
      await expect(work).rejects.toThrow("terminating connection");
    }
    expect(await db.database.query(sql`select 1 as one`)).toEqual([{ one: 1 }]);
  });
});

describe("what keeps a node from starting is one sentence with the mend", () => {
  test("no server at the address", async () => {
    const sentence = await startSentence({ connectionString: "postgresql://anna:secret@127.0.0.1:1/app" });
    expect(sentence).toBe(
      "no PostgreSQL answers at 127.0.0.1:1 (ECONNREFUSED); start it or correct the address of the database.",
    );
  });

  test("no such host", async () => {
    expect(await startSentence({ host: "nowhere.invalid" })).toMatch(
      /^the database's host nowhere\.invalid is not known/,
    );
  });

  test("no such database, no such user", async () => {
    const other = new URL(db.connectionString);
    other.pathname = "/nothing";
    expect(await startSentence({ connectionString: other.href })).toMatch(/has no database "nothing"; create it/);
    const stranger = new URL(db.connectionString);
    stranger.username = "stranger";
    stranger.password = "secret";
    const sentence = await startSentence({ connectionString: stranger.href });
    expect(sentence).toMatch(/refuses the user "stranger"/);
    expect(sentence).not.toContain("secret");
  });

  test("an address that is none", async () => {
    const sentence = await startSentence({ connectionString: "postgresql://anna:secret@[host/app" });
    expect(sentence).toBe("the address of the database is not one: expected postgresql://user@host/name.");
  });

  test("something else that listens there", async () => {
    const server = createServer((socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"));
    await once(server.listen(0, "127.0.0.1"), "listening");
    const address = server.address();
    const port = typeof address === "object" ? address?.port : undefined;
    expect(await startSentence({ connectionString: `postgresql://a@127.0.0.1:${port}/b` })).toMatch(/cannot be used/);
    server.close();
  });

  test("a server older than PostgreSQL 14", () => {
    expect(tooOldSentence({ version: 130_022, name: "13.22" })).toMatch(/^the server is PostgreSQL 13\.22; version 14/);
    expect(tooOldSentence({ version: 140_000, name: "14.0" })).toBeUndefined();
  });

  test("a schema whose name is no plain word", async () => {
    for (const schema of ["Countersign", "a b", 'x"; drop', "pg_own", ""]) {
      expect(await startSentence({ connectionString: db.connectionString, schema })).toMatch(/^schema: expected/);
    }
  });
});
