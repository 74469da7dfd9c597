import { afterAll, beforeAll, expect, test } from "vitest";
import pg from "pg";
import { v7 as uuid } from "uuid";
import { type Assistant, createAssistant } from "../src/assistant.ts";
import { scriptedModel } from "../src/testing/scripted-model.ts";
import { createTestDatabase, type TestDatabase } from "../src/testing/test-database.ts";
import { requestHeader } from "../src/wire/api.ts";
import { createDesk } from "./desk.ts";

let at: TestDatabase;
let assistant: Assistant;
const desk = createDesk();
const leaving = desk.signIn("leaving");
const staying = desk.signIn("staying");

beforeAll(async () => {
  at = await createTestDatabase();
  const rename = {
    calls: [{ name: "desk__rename", arguments: '{"name":"Bo"}' }],
    usage: { input: 10, output: 5, cost: 0.5 },
  };
  assistant = await createAssistant({
    database: at.connectionString,
    modules: desk.modules,
    sessions: desk.sessions,
    models: [
      {
        name: "scripted",
        provider: "openai-compatible",
        model: "scripted",
        languageModel: scriptedModel({ always: rename }),
      },
    ],
  });
});

afterAll(async () => {
  await assistant.drain();
  await assistant.close();
  await at.drop();
});

async function ask<Answer>(ref: string, line: string, body: object = {}): Promise<Answer> {
  const [method = "GET", path = "/"] = line.split(" ");
  const headers = {
    "x-desk-session": ref,
    origin: "http://desk.test",
    [requestHeader]: "1",
    "content-type": "application/json",
  };
  const init = { method, headers, ...(method === "GET" ? {} : { body: JSON.stringify(body) }) };
  const response = await assistant.fetch(new Request(`http://desk.test/assistant${path}`, init));
  expect(response.status, `${method} ${path}`).toBeLessThan(300);
  return response.json();
}

/** A chat with a card, and settings of one's own. */
async function liveHere(ref: string): Promise<void> {
  const { conversation } = await ask<{ conversation: { id: string } }>(ref, "POST /conversations");
  await ask(ref, "PATCH /settings", { instructions: "Be brief." });
  await ask(ref, `POST /conversations/${conversation.id}/turns`, { text: "Rename it", clientId: uuid() });
  const cards = () => ask<{ cards: object }>(ref, `GET /conversations/${conversation.id}/cards`);
  await expect.poll(async () => Object.keys((await cards()).cards).length).toBe(1);
}

async function rowsOf(userId: string): Promise<Readonly<Record<string, number>>> {
  const client = new pg.Client({ connectionString: at.connectionString });
  await client.connect();
  try {
    const tables = await client.query<{ name: string }>(
      "select table_name as name from information_schema.columns where table_schema = $1 and column_name = 'user_id' order by 1",
      [at.database.schema],
    );
    const counted: Record<string, number> = {};
    for (const { name } of tables.rows) {
      const { rows } = await client.query<{ count: number }>(
        `select count(*)::int as count from "${at.database.schema}"."${name}" where user_id = $1`,
        [userId],
      );
      if ((rows[0]?.count ?? 0) > 0) counted[name] = rows[0]?.count ?? 0;
    }
    return counted;
  } finally {
    await client.end();
  }
}

test("a user who is forgotten leaves no row in any table; what was spent stays, under no name; others keep theirs", async () => {
  await liveHere(leaving.ref);
  await liveHere(staying.ref);
  const before = await rowsOf(leaving.userId);
  expect(Object.keys(before)).toEqual(
    expect.arrayContaining([
      "ai_requests",
      "confirmations",
      "conversations",
      "messages",
      "settings",
      "tool_calls",
      "turns",
    ]),
  );
  const others = await rowsOf(staying.userId);
  const unnamed = await rowsOf("");
  await assistant.forgetUser(leaving.userId);
  expect(await rowsOf(leaving.userId)).toEqual({});
  expect(await rowsOf(staying.userId)).toEqual(others);
  expect(await rowsOf("")).toMatchObject({ ai_requests: (unnamed["ai_requests"] ?? 0) + 1 });
});
