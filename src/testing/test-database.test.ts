import { readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { afterEach, beforeEach, expect, test } from "vitest";
import { sql } from "../database/sql.ts";
import { createTestDatabase, sharedServer } from "./test-database.ts";

const shared = process.env[sharedServer];
beforeEach(() => {
  process.env[sharedServer] = shared;
});
afterEach(() => {
  process.env[sharedServer] = shared;
});

test("each database is migrated, empty and nobody else's", async () => {
  const [one, two] = await Promise.all([createTestDatabase(), createTestDatabase()]);
  await one.database.query(sql`insert into settings (key, value) values ('aiOn', 'false')`);
  expect(await one.database.query(sql`select key from settings`)).toEqual([{ key: "aiOn" }]);
  expect(await two.database.query(sql`select key from settings`)).toEqual([]);
  await Promise.all([one.drop(), two.drop()]);
});

test("a dropped database is gone, with the connections to it", async () => {
  const dropped = await createTestDatabase();
  const stays = await createTestDatabase();
  const name = new URL(dropped.connectionString).pathname.slice(1);
  await dropped.drop();
  await dropped.drop();
  expect(await stays.database.query(sql`select from pg_database where datname = ${name}`)).toEqual([]);
  await stays.drop();
});

test("without a set-up a server is started, and stopped with the last database", async () => {
  delete process.env[sharedServer];
  const own = async (): Promise<readonly string[]> =>
    (await readdir(tmpdir())).filter((name) => name.startsWith(`countersign-test-${process.pid}-`));
  const [one, two] = await Promise.all([createTestDatabase(), createTestDatabase()]);
  const given = process.env["COUNTERSIGN_TEST_DATABASE_URL"] !== undefined;
  expect(await own()).toHaveLength(given ? 0 : 1);
  await one.drop();
  expect(await two.database.query(sql`select 1 as one`)).toEqual([{ one: 1 }]);
  await two.drop();
  expect(await own()).toEqual([]);
});
