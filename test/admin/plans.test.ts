import { afterAll, beforeAll, expect, test } from "vitest";
import { selectRunningTurns } from "../../src/chat/admin.sql.ts";
import { selectToolCalls } from "../../src/core/tool-call-pages.sql.ts";
import type { Database } from "../../src/database/database.ts";
import type { Statement } from "../../src/database/sql.ts";
import { readSpending } from "../../src/model/admin.sql.ts";
import { selectFlags, selectStanding } from "../../src/model/flags.sql.ts";
import { selectJournal } from "../../src/model/journal-pages.sql.ts";
import { selectUsage } from "../../src/model/usage.sql.ts";
import { selectOwnValues } from "../../src/settings/settings.sql.ts";
import { createTestDatabase, type TestDatabase } from "../../src/testing/test-database.ts";

let own: TestDatabase;

beforeAll(async () => {
  own = await createTestDatabase();
});

afterAll(() => own.drop());

/** The statements that work with a database runs. */
async function statementsOf(work: (on: Database) => Promise<unknown>): Promise<readonly Statement[]> {
  const asked: Statement[] = [];
  await work({
    ...own.database,
    query(statement) {
      asked.push(statement);
      return own.database.query(statement);
    },
  });
  return asked;
}

const lists: Readonly<Record<string, (on: Database) => Promise<unknown>>> = {
  journal: (on) => selectJournal(on, { status: "ok" }),
  usage: (on) => selectUsage(on, { from: "2026-01-01", to: "2026-01-31" }),
  "the site's spending": (on) => readSpending(on, null),
  flags: (on) => selectFlags(on, { before: null, standing: true }),
  "standing flags": (on) => selectStanding(on, 60),
  "tool calls": (on) => on.query(selectToolCalls({ outcome: "refused" })),
  "running turns": (on) => on.query(selectRunningTurns(10)),
  "users' own values": (on) => on.query(selectOwnValues(["endpoint"])),
};

test.each(Object.entries(lists))("%s are found by an index, never by reading a table whole", async (_, list) => {
  const [statement] = await statementsOf(list);
  const { name, text, values } = statement ?? { name: "", text: "", values: [] };
  const lines = await own.database.transaction(async (on) => {
    await on.query({ name: `prepare_${name}`, text: `prepare plan_${name} as ${text}`, values: [] });
    const nulls = values.map(() => "null").join(", ");
    const explain = `explain (costs off) execute plan_${name}${nulls === "" ? "" : `(${nulls})`}`;
    const plan = await on.query<{ readonly "QUERY PLAN": string }>({
      name: `explain_${name}`,
      text: explain,
      values: [],
    });
    return plan.map((line) => line["QUERY PLAN"].trim());
  });
  expect(lines.filter((line) => line.includes("Seq Scan"))).toEqual([]);
  expect(lines.some((line) => line.includes("Index"))).toBe(true);
});
