import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createAssistant } from "../../src/assistant.ts";
import { sql } from "../../src/database/sql.ts";
import type { SignIn } from "../desk.ts";
import { serveDesk, type Served } from "../http/served.ts";

const planted = { question: "planted-question", answer: "planted-answer", name: "planted-name" };
let served: Served;
let owner: SignIn;
let chatId: string;

beforeAll(async () => {
  const rename = (name: string) => ({
    text: planted.answer,
    calls: [{ name: "desk__rename", arguments: { name } }],
  });
  served = await serveDesk([rename(planted.name), rename("second"), rename("third")]);
  owner = served.desk.signIn("owner");
  chatId = await openChat();
  await served.turn(owner, chatId, planted.question);
});
afterAll(() => served.close());

async function openChat(): Promise<string> {
  const made = await served.ask("POST", "/conversations", { as: owner });
  return (made.body as { conversation: { id: string } }).conversation.id;
}

async function cardOf(chat: string): Promise<string> {
  const waiting = await served.ask("GET", `/conversations/${chat}/cards`, { as: owner });
  return Object.keys(waiting.body["cards"] as object)[0] ?? "";
}

describe("Whoever may manage the assistant", () => {
  test("reads nobody's chat and clicks nobody's card", async () => {
    const manager = served.desk.signIn("ines", ["assistant.use", "assistant.manage", "desk.read", "desk.write"]);
    const card = await cardOf(chatId);
    for (const [method, path] of [
      ["GET", `/conversations/${chatId}/messages`],
      ["GET", `/conversations/${chatId}/cards/${card}`],
      ["POST", `/conversations/${chatId}/cards/${card}/confirm`],
      ["POST", `/conversations/${chatId}/cards/${card}/reject`],
    ] as const) {
      expect(await served.ask(method, path, { as: manager }), path).toMatchObject({ status: 404 });
    }
    expect(served.desk.runs).toEqual([]);
  });

  test("is told on no page what was asked, answered, or would be written", async () => {
    const manager = served.desk.signIn("ines", ["assistant.manage"]);
    const pages = ["overview", "endpoints", "modules", "limits", "limits?userId=owner", "usage", "journal"];
    const texts = await Promise.all(
      [...pages, "tool-calls", "flags", "turns"].map(async (page) => {
        const answer = await served.ask("GET", `/admin/${page}`, { as: manager });
        return JSON.stringify(answer.body);
      }),
    );
    expect(texts.join("")).toContain("desk.rename");
    for (const hidden of Object.values(planted)) expect(texts.join("")).not.toContain(hidden);
  });
});

test("a user of the same id in another installation on the same database finds nothing of this one", async () => {
  const { desk, base, origin } = served;
  const other = await createAssistant({
    ...{ database: base.connectionString, schema: "other_tenant", modules: desk.modules, sessions: desk.sessions },
    models: [],
  });
  try {
    const ask = (path: string, method = "GET") =>
      other.fetch(
        new Request(`${origin}/assistant${path}`, {
          method,
          headers: { "x-desk-session": owner.ref, "x-countersign": "1", origin },
        }),
      );
    expect((await ask(`/conversations/${chatId}/messages`)).status).toBe(404);
    expect((await ask(`/conversations/${chatId}/cards/${await cardOf(chatId)}/confirm`, "POST")).status).toBe(404);
    expect(await (await ask("/conversations")).json()).toMatchObject({ conversations: [] });
  } finally {
    await other.close();
  }
});

test("no answer lets a foreign page read it, and none is promised to one that asks before", async () => {
  const foreign = { origin: "https://evil.example", "x-desk-session": owner.ref };
  for (const [method, path] of [
    ["GET", "/me"],
    ["GET", `/conversations/${chatId}/messages`],
    ["OPTIONS", `/conversations/${chatId}/turns`],
    ["POST", `/conversations/${chatId}/turns`],
  ] as const) {
    const headers = {
      ...foreign,
      ...(method === "OPTIONS" && {
        "access-control-request-method": "POST",
        "access-control-request-headers": "x-countersign",
      }),
    };
    const answer = await fetch(`${served.origin}/assistant${path}`, { method, headers });
    const allowed = [...answer.headers.keys()].filter((name) => name.startsWith("access-control-"));
    expect(allowed, `${method} ${path}`).toEqual([]);
    if (method !== "GET") expect(answer.ok, `${method} ${path}`).toBe(false);
  }
});

describe("Whoever may write the database's rows", () => {
  test("can make a card read as spent, and runs nothing by it", async () => {
    const chat = await openChat();
    await served.turn(owner, chat, "Rename me.");
    const card = await cardOf(chat);
    await served.base.database.query(sql`
      update confirmations set status = 'used', preview = null, spent_by = gen_random_uuid(), used_at = clock_timestamp(), run_until = clock_timestamp()
       where user_id = 'owner' and status = 'held' and id =
         (select confirmation_id from messages where user_id = 'owner' and id = ${card}::uuid)`);
    const before = served.desk.runs.length;
    await served.ask("POST", `/conversations/${chat}/cards/${card}/confirm`, { as: owner });
    expect(served.desk.runs).toHaveLength(before);
  });

  test("can make no handler run with other arguments than its row was made of", async () => {
    const chat = await openChat();
    await served.turn(owner, chat, "Rename me.");
    const card = await cardOf(chat);
    await served.base.database.query(sql`
      update messages set tool_calls = replace(tool_calls::text, 'third', 'forged')::jsonb
       where user_id = 'owner' and conversation_id = ${chat}::uuid and role = 'assistant'`);
    const before = served.desk.runs.length;
    const clicked = await served.ask("POST", `/conversations/${chat}/cards/${card}/confirm`, { as: owner });
    expect(clicked.status).toBeGreaterThanOrEqual(400);
    expect(served.desk.runs).toHaveLength(before);
  });
});
