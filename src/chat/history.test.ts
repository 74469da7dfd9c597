import { v7 as uuid } from "uuid";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../testing/test-database.ts";
import {
  answer,
  askingForWrite,
  createTestHost,
  createTestNode,
  newChat,
  startTurn,
  type TestNode,
} from "./test-node.ts";

const host = createTestHost();
let db: TestDatabase;
let node: TestNode;
beforeAll(async () => {
  db = await createTestDatabase();
  node = await createTestNode({ connectionString: db.connectionString, host });
});
afterAll(async () => {
  await node.close();
  await db.drop();
});

const wide = { characters: 1_000_000, beforeSeq: 2_147_483_647 };

test("the newest messages that fit are read, oldest first, and none that does not", async () => {
  const { conversationId, userId, session } = await newChat(node, host);
  const turn = await startTurn(node, { session, conversationId });
  await node.chat.store(
    turn,
    Array.from({ length: 30 }, (_, n) => answer(`${n}`.padStart(10, "."))),
  );
  const seqs = async (characters: number): Promise<readonly number[]> => {
    const rows = await node.chat.history(userId, { ...wide, conversationId, characters });
    return rows.map(({ seq }) => seq);
  };
  expect(await seqs(0)).toEqual([]);
  expect(await seqs(9)).toEqual([]);
  expect(await seqs(10)).toEqual([31]);
  expect(await seqs(39)).toEqual([29, 30, 31]);
  expect(await seqs(300)).toHaveLength(30);
  expect(await seqs(310)).toHaveLength(31);
});

test.each(["a", "ж", "漢", "😀"])("what fits is counted in characters and not in bytes: %s", async (letter) => {
  const { conversationId, userId, session } = await newChat(node, host);
  const turn = await startTurn(node, { session, conversationId });
  await node.chat.store(
    turn,
    Array.from({ length: 20 }, () => answer(letter.repeat(10))),
  );
  const units = letter.length * 10;
  const rows = await node.chat.history(userId, { ...wide, conversationId, characters: units * 12 });
  expect(rows.length).toBeGreaterThanOrEqual(12);
  const one = await node.chat.history(userId, { ...wide, conversationId, characters: units });
  expect(one.map(({ seq }) => seq)).toEqual([21]);
});

test("many short messages are read in pieces without a gap or a double", async () => {
  const { conversationId, userId, session } = await newChat(node, host);
  const turn = await startTurn(node, { session, conversationId });
  for (let n = 0; n < 5; n++) {
    await node.chat.store(
      turn,
      Array.from({ length: 100 }, () => answer("x")),
    );
  }
  const rows = await node.chat.history(userId, { ...wide, conversationId });
  expect(rows.map(({ seq }) => seq)).toEqual(Array.from({ length: 501 }, (_, n) => n + 1));
  const some = await node.chat.history(userId, { ...wide, conversationId, characters: 250 });
  expect(some.map(({ seq }) => seq)).toEqual(Array.from({ length: 250 }, (_, n) => n + 252));
});

test("results and calls count as characters too", async () => {
  const { conversationId, userId, session } = await newChat(node, host);
  const turn = await startTurn(node, { session, conversationId });
  const asking = answer("", { calls: [{ id: "c1", providerId: null, name: "t", arguments: "a".repeat(1_000) }] });
  const result = {
    role: "tool",
    id: uuid(),
    callId: "c1",
    tool: "t",
    status: "ok",
    result: "r".repeat(2_000),
  } as const;
  await node.chat.store(turn, [asking, { ...result, assistantMessageId: asking.id }]);
  const read = (characters: number) => node.chat.history(userId, { ...wide, conversationId, characters });
  expect(await read(1_999)).toEqual([]);
  expect(await read(2_000)).toMatchObject([{ role: "tool", status: "ok", result: result.result, callId: "c1" }]);
  expect(await read(2_999)).toHaveLength(1);
  expect(await read(4_000)).toMatchObject([{ role: "user" }, { calls: [{ id: "c1", name: "t" }] }, { role: "tool" }]);
});

test("what settling told of cards beside the running turn goes along, wherever it stands", async () => {
  const { conversationId, userId, session } = await newChat(node, host);
  const asked = askingForWrite();
  const first = await startTurn(node, { session, conversationId });
  await node.chat.finish(first, { how: "card", rounds: 1, messages: asked.messages });
  const second = await startTurn(node, { session, conversationId }, { asked: false });
  const question = await node.chat.storeQuestion(second, { id: uuid(), text: "And now?" });
  const next = uuid();
  await node.chat.tellCard(userId, {
    ...{ conversationId, confirmationId: asked.confirmationId, tool: "billing.void", outcome: "changed" },
    ...{ finished: true, nextConfirmationId: next },
  });
  await node.chat.store(second, [answer("Of this turn")]);
  const rows = await node.chat.history(userId, {
    conversationId,
    characters: 10_000,
    beforeSeq: question.lastSeq ?? 0,
  });
  expect(rows).toMatchObject([
    { seq: 1, role: "user" },
    { seq: 2, role: "assistant", turnId: first.turnId },
    { seq: 3, role: "tool", status: "needs_confirmation", confirmationId: asked.confirmationId },
    { seq: 5, role: "notice", outcome: "changed", finished: true, confirmationId: asked.confirmationId },
    { seq: 6, role: "tool", status: "needs_confirmation", confirmationId: next, followsId: asked.confirmationId },
  ]);
});
