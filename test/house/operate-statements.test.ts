import { afterAll, beforeAll, expect, test } from "vitest";
import { administer } from "../../src/database/administer.ts";
import { createTestDatabase, type TestDatabase } from "../../src/testing/test-database.ts";
import { filesOf, read } from "./source-files.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

const statements = filesOf("docs/*.md").flatMap((page) =>
  [...read(page).matchAll(/^```sql\n([\s\S]*?)^```$/gm)].flatMap(([, block = ""]) =>
    block
      .split(";")
      .map((text) => ({ page, text: text.trim() }))
      .filter(({ text }) => text !== ""),
  ),
);

test("every statement that the docs give operators runs on the schema as it is", async () => {
  expect(statements.length).toBeGreaterThan(3);
  for (const { page, text } of statements) {
    await administer(db.connectionString, async (run) => {
      await expect(run(text), `${page}: ${text}`).resolves.toBeUndefined();
    });
  }
});
