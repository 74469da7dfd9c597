import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as door from "countersign";
import { createAssistant, defineModule, isStartError, readTool, type AssistantOptions } from "countersign";
import { createTestDatabase, scriptedModel, type TestDatabase } from "countersign/testing";
import { createDesk } from "../desk.ts";

const desk = createDesk();
let base: TestDatabase;
let options: AssistantOptions;

beforeAll(async () => {
  base = await createTestDatabase();
  options = {
    database: base.connectionString,
    modules: desk.modules,
    sessions: desk.sessions,
    models: [{ name: "m", provider: "openai-compatible", model: "m", languageModel: scriptedModel([]) }],
  };
});

afterAll(() => base.drop());

/** How many connections the database has but this test's own. */
async function connections(): Promise<number> {
  const [row] = await base.database.query<{ count: number }>({
    name: "connections",
    text: `select count(*)::int as count from pg_stat_activity
           where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`,
    values: [],
  });
  return row?.count ?? -1;
}

test("the server's door shows these names, and no others", () => {
  expect(Object.keys(door).toSorted()).toEqual([
    "createAssistant",
    "defineModule",
    "demoEndpoint",
    "endpointFromEnvironment",
    "isStartError",
    "modelsFromEnvironment",
    "previewByRollback",
    "readTool",
    "refuse",
    "settingsSchema",
    "startEmbedded",
    "startError",
    "writeTool",
  ]);
});

describe("What is wired wrongly throws at start-up, and nothing stays open", () => {
  const twice = readTool({
    name: "list",
    description: "Lists.",
    permission: "p",
    input: { type: "object" },
    run: () => [],
  });
  const wrong: readonly (readonly [string, Partial<AssistantOptions>, RegExp])[] = [
    ["two tools of one name", { modules: [defineModule({ key: "m", title: "M", tools: [twice, twice] })] }, /m\.list/],
    ["a setting out of its bounds", { settings: { confirmationTtl: 1 } }, /confirmationTtl/],
    ["a base path that is none", { basePath: "assistant" }, /basePath/],
    ["an origin that is none", { allowedOrigins: ["app.example.com"] }, /allowedOrigins/],
  ];

  test.each(wrong)("%s", async (_what, change, words) => {
    const before = await connections();
    await expect(createAssistant({ ...options, ...change })).rejects.toThrow(words);
    await expect.poll(connections).toBe(before);
  });

  test("a database that is not there is a start error with one sentence", async () => {
    const failed = await createAssistant({ ...options, database: "postgresql://127.0.0.1:1/none" }).catch(
      (error: unknown) => error,
    );
    expect(isStartError(failed) && failed.startSentence).toMatch(/^no PostgreSQL answers at 127\.0\.0\.1:1/);
  });
});

test("two nodes start on one empty schema at once; closing twice is closing once, and leaves no connection", async () => {
  const before = await connections();
  const schema = "own_schema";
  const nodes = await Promise.all([1, 2].map(() => createAssistant({ ...options, schema })));
  for (const node of nodes) {
    await node.drain();
    await Promise.all([node.close(), node.close()]);
  }
  await expect.poll(connections).toBe(before);
  const [row] = await base.database.query<{ found: boolean }>({
    name: "own_schema",
    text: "select to_regclass('own_schema.conversations') is not null as found",
    values: [],
  });
  expect(row?.found).toBe(true);
});
