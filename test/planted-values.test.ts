import { afterAll, beforeAll, expect, test } from "vitest";
import { v7 as uuid } from "uuid";
import { z } from "zod";
import { type Assistant, createAssistant } from "../src/assistant.ts";
import { defineModule, readTool, writeTool } from "../src/core/define-tool.ts";
import { requestHeader } from "../src/wire/api.ts";
import type { Logger } from "../src/logger.ts";
import { scriptedModel } from "../src/testing/scripted-model.ts";
import { createTestDatabase, type TestDatabase } from "../src/testing/test-database.ts";
import { createDesk } from "./desk.ts";

// A run with values nobody would write by chance, then every column of every table and every log line is searched for
// them. They may stand only where the product needs them.

const planted = {
  question: "planted-question-7f31",
  answer: "planted-answer-0be2",
  readArgument: "planted-read-argument-51aa",
  readResult: "planted-read-result-c0de",
  writeArgument: "planted-write-argument-9d04",
  previewed: "planted-preview-1c77",
  previewData: "planted-data-aa38",
  writeResult: "planted-write-result-e511",
  handlerError: "planted-handler-error-4410",
} as const;

let at: TestDatabase;
let assistant: Assistant;
const lines: string[] = [];
const write = (fields: object, message: string): void => void lines.push(JSON.stringify([fields, message], showErrors));
const logger: Logger = { debug: write, info: write, warn: write, error: write };

function showErrors(_key: string, value: unknown): unknown {
  return value instanceof Error ? { ...value, message: value.message, stack: value.stack, cause: value.cause } : value;
}

const desk = createDesk();
const signIn = desk.signIn("user", ["assistant.use", "plant.use"]);
const module = defineModule({
  key: "plant",
  title: "Plant",
  sessionWrites: true,
  tools: [
    readTool({
      name: "look",
      description: "Looks.",
      permission: "plant.use",
      input: z.object({ value: z.string() }),
      run: () => ({ found: planted.readResult }),
    }),
    writeTool({
      name: "change",
      description: "Changes.",
      permission: "plant.use",
      input: z.object({ value: z.string(), fail: z.boolean() }),
      preview: () => ({
        title: "Change it",
        changes: [{ label: "Value", before: null, after: planted.previewed }],
        data: { secret: planted.previewData },
      }),
      run: (_ctx, { fail }) => {
        if (fail) throw new Error(planted.handlerError);
        return { done: planted.writeResult };
      },
    }),
  ],
});

const call = (name: string, args: object) => ({ calls: [{ name: `plant__${name}`, arguments: JSON.stringify(args) }] });
const model = scriptedModel([
  call("look", { value: planted.readArgument }),
  call("change", { value: planted.writeArgument, fail: false }),
  call("change", { value: planted.writeArgument, fail: true }),
  planted.answer,
]);

beforeAll(async () => {
  at = await createTestDatabase();
  assistant = await createAssistant({
    database: at.connectionString,
    modules: [module],
    sessions: desk.sessions,
    models: [{ name: "scripted", provider: "openai-compatible", model: "scripted", languageModel: model }],
    logger,
  });
});

afterAll(async () => {
  await assistant.drain();
  await assistant.close();
  await at.drop();
});

async function ask<Answer>(method: string, path: string, body?: object): Promise<Answer> {
  const headers = {
    "x-desk-session": signIn.ref,
    origin: "http://desk.test",
    [requestHeader]: "1",
    "content-type": "application/json",
  };
  const request = { method, headers, ...(method === "GET" ? {} : { body: JSON.stringify(body ?? {}) }) };
  const response = await assistant.fetch(new Request(`http://desk.test/assistant${path}`, request));
  expect(response.status, `${method} ${path}`).toBeLessThan(300);
  return response.json();
}

interface Seen {
  readonly messages: readonly { readonly id: string; readonly role: string; readonly status?: string }[];
  readonly cards: Readonly<Record<string, { readonly state: string; readonly messageId: string }>>;
}

async function turn(conversation: string, text: string): Promise<string | undefined> {
  const before = (await ask<Seen>("GET", `/conversations/${conversation}/messages`)).messages.length;
  await ask("POST", `/conversations/${conversation}/turns`, { text, clientId: uuid() });
  let seen: Seen | undefined;
  await expect
    .poll(async () => {
      seen = await ask<Seen>("GET", `/conversations/${conversation}/messages`);
      const last = seen.messages.at(-1);
      const ended = last?.role === "assistant" ? model.requests.length === 4 : last?.status === "needs_confirmation";
      return ended && seen.messages.length > before;
    })
    .toBe(true);
  return Object.values(seen?.cards ?? {}).find((card) => card.state === "waiting")?.messageId;
}

async function dump(): Promise<ReadonlyMap<string, string>> {
  const client = await import("pg").then(({ default: pg }) => new pg.Client({ connectionString: at.connectionString }));
  await client.connect();
  try {
    const columns = await client.query<{ table_name: string; column_name: string }>(
      "select table_name, column_name from information_schema.columns where table_schema = $1",
      [at.database.schema],
    );
    const found = new Map<string, string>();
    for (const { table_name: table, column_name: column } of columns.rows) {
      const { rows } = await client.query<{ all: string | null }>(
        `select string_agg("${column}"::text, ' ') as all from "${at.database.schema}"."${table}"`,
      );
      found.set(`${table}.${column}`, rows[0]?.all ?? "");
    }
    return found;
  } finally {
    await client.end();
  }
}

async function places(value: string): Promise<readonly string[]> {
  return [...(await dump())].filter(([, text]) => text.includes(value)).map(([place]) => place);
}

test("arguments, previews and results stand in the database only where they are needed, and in no log line", async () => {
  const { conversation } = await ask<{ conversation: { id: string } }>("POST", "/conversations");
  const chat = conversation.id;
  const first = await turn(chat, planted.question);
  expect(await places(planted.previewed)).toEqual(["confirmations.preview"]);
  expect(await places(planted.previewData)).toEqual(["confirmations.preview"]);
  await ask("POST", `/conversations/${chat}/cards/${first}/confirm`);
  const second = await turn(chat, "and once more");
  await ask("POST", `/conversations/${chat}/cards/${second}/confirm`);
  await turn(chat, "and now tell me");
  model.assertUsedUp();

  expect(await places(planted.question)).toEqual(["conversations.title", "messages.text"]);
  expect(await places(planted.answer)).toEqual(["messages.text"]);
  expect(await places(planted.readArgument)).toEqual(["messages.tool_calls"]);
  expect(await places(planted.readResult)).toEqual(["messages.tool_result"]);
  expect(await places(planted.writeArgument)).toEqual(["messages.tool_calls"]);
  expect(await places(planted.previewed), "a settled row keeps no preview").toEqual([]);
  expect(await places(planted.previewData)).toEqual([]);
  expect(await places(planted.writeResult)).toEqual([]);
  expect(await places(planted.handlerError)).toEqual([]);

  const log = lines.join("\n");
  expect(lines.length).toBeGreaterThan(0);
  for (const value of Object.values(planted)) expect(log.includes(value), value).toBe(false);
});
