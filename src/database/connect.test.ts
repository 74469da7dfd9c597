import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../testing/test-database.ts";
import { sql } from "./sql.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

test("a bigint is read as a number", async () => {
  expect(await db.database.query(sql`select 5::int8 as n, '{1,null}'::int8[] as a`)).toEqual([{ n: 5, a: [1, null] }]);
});
