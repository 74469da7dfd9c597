import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../src/testing/test-database.ts";
import { run } from "./command.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

const named = (schema: string) => ({ DATABASE_URL: db.connectionString, COUNTERSIGN_SCHEMA: schema });

test("the program brings a schema to its version, says what it did, and does nothing a second time", async () => {
  const first = await run(["migrate"], named("made"));
  expect(first.status).toBe(0);
  expect(first.text).toMatch(/^The schema "made" was brought to \d{4}_\w+: 0001_foundation, .* applied\.$/m);
  const again = await run(["migrate"], named("made"));
  expect(again.status).toBe(0);
  expect(again.text).toMatch(/^The schema "made" is at \d{4}_\w+ already; nothing was changed\.$/m);
});

test("of two that run at once one does it, and both end well", async () => {
  const both = await Promise.all([
    run(["migrate", "--json"], named("both")),
    run(["migrate", "--json"], named("both")),
  ]);
  expect(both.map(({ status }) => status)).toEqual([0, 0]);
  const applied = both.map(({ text }) => (JSON.parse(text) as { applied: readonly string[] }).applied.length);
  expect(applied.filter((n) => n > 0)).toHaveLength(1);
});

test("--check changes nothing, and exits with 1 where the schema is behind", async () => {
  for (let time = 0; time < 2; time++) {
    const behind = await run(["migrate", "--check"], named("checked"));
    expect(behind.status).toBe(1);
    expect(behind.text).toMatch(/^The schema "checked" is behind: it lacks 0001_foundation, /m);
  }
  expect((await run(["migrate"], named("checked"))).status).toBe(0);
  expect((await run(["migrate", "--check"], named("checked"))).status).toBe(0);
});
