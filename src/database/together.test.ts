import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../testing/test-database.ts";
import type { Database } from "./database.ts";
import { sql, type Statement } from "./sql.ts";

let db: TestDatabase;
let database: Database;

beforeAll(async () => {
  db = await createTestDatabase({ poolSize: 1 });
  database = db.database;
  await database.query(sql`create table things (id int primary key, at timestamptz, n int8)`);
});

afterAll(() => db.drop());

beforeEach(async () => void (await database.query(sql`delete from things`)));

const put = (id: number): Statement => sql`insert into things (id) values (${id}::int) returning id`;
const all = (): Promise<readonly object[]> => database.query(sql`select id from things order by id`);

test("statements together answer the rows of each, in their order, time after time on one connection", async () => {
  for (const round of [1, 2, 3]) {
    const answers = await database.together([
      put(round * 10),
      sql`select count(*) as n, '2026-01-02T03:04:05Z'::timestamptz as at from things`,
      sql`update things set n = 1 where id < 0`,
      put(round * 10 + 1),
    ]);
    expect(answers).toEqual([
      [{ id: round * 10 }],
      [{ n: round * 2 - 1, at: new Date("2026-01-02T03:04:05Z") }],
      [],
      [{ id: round * 10 + 1 }],
    ]);
  }
});

test("one that fails undoes them all, and the next ones run", async () => {
  await expect(database.together([put(1), put(1), put(2)])).rejects.toMatchObject({ code: "23505" });
  expect(await all()).toEqual([]);
  expect(await database.together([put(1), put(2)])).toEqual([[{ id: 1 }], [{ id: 2 }]]);
  expect(await all()).toEqual([{ id: 1 }, { id: 2 }]);
});

test("each sees what those before it did, and their commit waits for the disk whatever one of them says", async () => {
  const [, seen, commit] = await database.together([
    put(7),
    sql`select id, set_config('synchronous_commit', 'off', true) from things`,
    sql`select current_setting('synchronous_commit') as now`,
  ]);
  expect(seen).toEqual([{ id: 7, set_config: "off" }]);
  expect(commit).toEqual([{ now: "off" }]);
  expect(await database.query(sql`select current_setting('synchronous_commit') as after`)).toEqual([{ after: "on" }]);
});

test("a connection that is cut fails all of them, and the next ones get another", async () => {
  const cut = database.together([put(1), sql`select pg_terminate_backend(pg_backend_pid())`, put(2)]);
  await expect(cut).rejects.toThrow("terminat");
  expect(await all()).toEqual([]);
  expect(await database.together([put(3)])).toEqual([[{ id: 3 }]]);
});

test("a value that cannot be sent fails all of them before anything is done", async () => {
  const thrower = {
    toPostgres: () => {
      throw new Error("no such value");
    },
  };
  await expect(database.together([put(1), sql`select ${thrower}::text`])).rejects.toThrow("no such value");
  expect(await all()).toEqual([]);
});
