import { v7 as uuid } from "uuid";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sql } from "../database/sql.ts";
import { createTestDatabase, type TestDatabase } from "../testing/test-database.ts";
import type { Message } from "../wire/messages.ts";
import {
  answer,
  askingForWrite,
  createTestHost,
  createTestNode,
  newChat,
  noUsage,
  startTurn,
  type TestNode,
} from "./test-node.ts";

const host = createTestHost();
let db: TestDatabase;
let node: TestNode;
let other: TestNode;
beforeAll(async () => {
  db = await createTestDatabase();
  node = await createTestNode({ connectionString: db.connectionString, host });
  other = await createTestNode({ connectionString: db.connectionString, host });
});
afterAll(async () => {
  await node.close();
  await other.close();
  await db.drop();
});

async function pageOf(place: { session: { ref: string }; conversationId: string }): Promise<readonly Message[]> {
  const page = await node.chat.messages(place.session.ref, place);
  if (!page.ok) throw new Error(page.reason);
  return page.messages;
}

describe("what is stored", () => {
  test("the first question gives the chat its title, and its turn the proof that it asked", async () => {
    const place = await newChat(node, host);
    const turn = await startTurn(node, place, { asked: false });
    const id = uuid();
    const stored = await node.chat.storeQuestion(turn, { id, text: "\n  Which invoices are late?\nAll of them" });
    expect(stored).toEqual({ held: true, gone: false, stopRequested: false, lastSeq: 1 });
    const [row] = await db.database.query(sql`select user_message_id from turns where id = ${turn.turnId}::uuid`);
    expect(row).toEqual({ user_message_id: id });
    await node.chat.finish(turn, { how: "answer", rounds: 1, messages: [] });
    await startTurn(node, place);
    const page = await node.chat.messages(place.session.ref, place);
    expect(page).toMatchObject({ conversation: { title: "Which invoices are late?", lastSeq: 2 } });
  });

  test("a title the user gave stays", async () => {
    const place = await newChat(node, host);
    await node.chat.renameConversation(place.session.ref, { ...place, title: "Mine" });
    await startTurn(node, place);
    expect(await node.chat.messages(place.session.ref, place)).toMatchObject({ conversation: { title: "Mine" } });
  });

  test("text from models and browsers is stored without NUL and lone surrogates, wherever it stands", async () => {
    const place = await newChat(node, host);
    const turn = await startTurn(node, place, { asked: false });
    const bad = "a\0b\ud83d";
    await node.chat.storeQuestion(turn, { id: uuid(), text: bad });
    const assistantMessageId = uuid();
    const call = { id: bad, providerId: bad, name: bad, arguments: bad, providerMetadata: { [bad]: [bad, 1, null] } };
    const callId = "c1";
    await node.chat.store(turn, [
      answer(bad, { id: assistantMessageId, calls: [call], usage: { ...noUsage, model: bad } }),
      { role: "tool", id: uuid(), callId, tool: bad, status: "ok", result: bad, assistantMessageId },
    ]);
    const good = "ab\ufffd";
    const rows = await db.database.query(sql`
select text, tool_calls, tool_name, tool_result, model from messages where conversation_id = ${place.conversationId}::uuid order by seq`);
    expect(rows).toMatchObject([
      { text: good },
      {
        text: good,
        model: good,
        tool_calls: [
          { id: good, providerId: good, name: good, arguments: good, providerMetadata: { [good]: [good, 1, null] } },
        ],
      },
      { tool_name: good, tool_result: good },
    ]);
  });

  test("an answer is not lost to an absurd figure of its provider", async () => {
    const place = await newChat(node, host);
    const turn = await startTurn(node, place);
    const usage = {
      ...{ requestId: uuid(), model: "m", inputTokens: 1e12, outputTokens: -4 },
      ...{ costMicros: 12.6, latencyMs: Number.NaN },
    };
    await node.chat.store(turn, [answer("Dear", { usage })]);
    expect((await pageOf(place)).at(-1)).toMatchObject({
      usage: { model: "m", inputTokens: 2_147_483_647, outputTokens: 0, costMicros: 13, latencyMs: null },
    });
  });

  test("no argument and no result crosses the wire; tools go by the titles people read", async () => {
    const place = await newChat(node, host);
    const turn = await startTurn(node, place);
    const { messages, confirmationId, cardId } = askingForWrite();
    const unknown = { id: "c9", providerId: null, name: "never_offered", arguments: "{}" };
    const assistantMessageId = uuid();
    await node.chat.store(turn, [
      answer("Let me see", { id: assistantMessageId, calls: [unknown] }),
      {
        ...{ role: "tool", id: uuid(), callId: "c9", tool: "never_offered", status: "denied" },
        ...{ result: "a secret", assistantMessageId },
      },
    ]);
    await node.chat.finish(turn, { how: "card", rounds: 2, messages });
    const page = await pageOf(place);
    expect(page).toMatchObject([
      { role: "user", seq: 1, turnId: turn.turnId, conversationId: place.conversationId, text: "A question" },
      { role: "assistant", calls: [{ id: "c9", name: "never_offered", title: "never_offered" }], usage: null },
      { role: "tool", status: "denied", confirmationId: null, followsId: null },
      { role: "assistant", calls: [{ name: "billing.void", title: "Void an invoice" }] },
      { role: "tool", id: cardId, status: "needs_confirmation", title: "Void an invoice", confirmationId },
    ]);
    expect(JSON.stringify(page)).not.toMatch(/secret|arguments/);
  });

  test("a late link of a journal row fills an empty place of its own user's message, and no other", async () => {
    const place = await newChat(node, host);
    const turn = await startTurn(node, place);
    const late = answer("Late");
    await node.chat.store(turn, [late]);
    const link = { userId: place.userId, messageId: late.id, requestId: uuid() };
    expect(await node.chat.linkUsage({ ...link, userId: "another" })).toBe(false);
    expect(await node.chat.linkUsage(link)).toBe(true);
    expect(await node.chat.linkUsage({ ...link, requestId: uuid() })).toBe(false);
    const [row] = await db.database.query(sql`select ai_request_id from messages where id = ${late.id}::uuid`);
    expect(row).toEqual({ ai_request_id: link.requestId });
  });
});
