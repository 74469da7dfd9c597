import { v7 as uuid } from "uuid";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sql } from "../database/sql.ts";
import { createTestDatabase, type TestDatabase } from "../testing/test-database.ts";
import type { NewMessage } from "./stored-message.ts";
import {
  ageLock,
  answer,
  askingForWrite,
  createTestHost,
  createTestNode,
  newChat,
  rowsOf,
  startTurn,
  turnRequest,
  untilWaiting,
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

describe("the fence", () => {
  test("a task whose lock was taken over stores nothing, however late it wakes", async () => {
    const place = await newChat(node, host);
    const late = await startTurn(node, place);
    await ageLock(db.database, place.userId);
    const next = await startTurn(other, place);
    const nothing = { held: false, gone: false, stopRequested: false, lastSeq: null };
    expect(await node.chat.store(late, [answer("Late")])).toEqual(nothing);
    expect(await node.chat.storeQuestion(late, { id: uuid(), text: "Late" })).toEqual(nothing);
    expect(await node.chat.finish(late, { how: "answer", rounds: 1, messages: [answer("Late")] })).toMatchObject({
      ended: false,
    });
    await node.chat.discardTurn(late);
    expect(await other.chat.keep(next)).toMatchObject({ held: true });
    const roles = (await rowsOf(db.database, place.conversationId)).map(({ role, code }) => code ?? role);
    expect(roles).toEqual(["user", "interrupted", "user"]);
  });

  test("a store that waited behind the takeover of its lock stores nothing", async () => {
    const place = await newChat(node, host);
    const turn = await startTurn(node, place);
    let stored: Promise<unknown> | undefined;
    await db.database.transaction(async (on) => {
      await on.query(sql`select 1 from locks where user_id = ${place.userId} for update`);
      stored = node.chat.store(turn, [answer("Late")]);
      await untilWaiting(db.database, 1);
      await on.query(sql`update locks set token = ${uuid()}::uuid where user_id = ${place.userId}`);
    });
    expect(await stored).toMatchObject({ held: false, lastSeq: null });
    expect(await rowsOf(db.database, place.conversationId)).toHaveLength(1);
  });

  test("a turn of a deleted chat is told that the chat is gone, not its lock, and stores nothing", async () => {
    const place = await newChat(node, host);
    const early = await startTurn(node, place, { asked: false });
    await node.chat.removeConversation(place.session.ref, place);
    const gone = { held: true, gone: true, stopRequested: true, lastSeq: null };
    expect(await node.chat.storeQuestion(early, { id: uuid(), text: "Hello" })).toEqual(gone);
    expect(await node.chat.store(early, [answer("Hello")])).toEqual(gone);
    expect(await node.chat.finish(early, { how: "chat_gone", rounds: 1, messages: [answer("Hello")] })).toEqual({
      ended: true,
      asked: false,
    });
    expect(await rowsOf(db.database, place.conversationId)).toEqual([]);
    expect(await node.chat.lockNow(place.userId)).toBeNull();
  });

  test("each store keeps the lock", async () => {
    const place = await newChat(node, host);
    const turn = await startTurn(node, place);
    await ageLock(db.database, place.userId, 25);
    await node.chat.store(turn, [answer("Working")]);
    const [row] = await db.database.query(
      sql`select kept_at > clock_timestamp() - interval '20 seconds' as kept from locks where user_id = ${place.userId}`,
    );
    expect(row).toEqual({ kept: true });
  });
});

describe("the order", () => {
  test("several messages in one store follow each other without a gap, in their order", async () => {
    const place = await newChat(node, host);
    const turn = await startTurn(node, place);
    const texts = ["a", "b", "c", "d", "e"];
    expect(
      await node.chat.store(
        turn,
        texts.map((text) => answer(text)),
      ),
    ).toMatchObject({ lastSeq: 6 });
    const rows = await rowsOf(db.database, place.conversationId);
    expect(rows.map(({ seq, text }) => [seq, text])).toEqual([
      [1, "A question"],
      ...texts.map((text, n) => [n + 2, text]),
    ]);
  });

  test("stores of a turn and notices of cards at the same time leave no gap and no double", async () => {
    const place = await newChat(node, host);
    const cards = [];
    for (let n = 0; n < 6; n++) {
      const asked = askingForWrite();
      const turn = await startTurn(node, place);
      await node.chat.finish(turn, { how: "card", rounds: 1, messages: asked.messages });
      cards.push(asked.confirmationId);
    }
    const turn = await startTurn(node, place);
    const before = (await rowsOf(db.database, place.conversationId)).length;
    await Promise.all([
      ...Array.from({ length: 12 }, (_, n) => node.chat.store(turn, [answer(`${n}`), answer(`${n}'`)])),
      ...cards.flatMap((confirmationId) =>
        [node, other].map((teller) =>
          teller.chat.tellCard(place.userId, {
            ...{ conversationId: place.conversationId, confirmationId, tool: "billing.void" },
            ...{ outcome: "changed", finished: true, nextConfirmationId: uuid() },
          }),
        ),
      ),
    ]);
    const rows = await rowsOf(db.database, place.conversationId);
    expect(rows.map(({ seq }) => seq)).toEqual(rows.map((_, n) => n + 1));
    expect(rows).toHaveLength(before + 24 + 2 * cards.length);
    const [chat] = await db.database.query(
      sql`select last_seq from conversations where id = ${place.conversationId}::uuid`,
    );
    expect(chat).toEqual({ last_seq: rows.length });
  });

  test("a message the database refuses burns no number", async () => {
    const place = await newChat(node, host);
    const turn = await startTurn(node, place);
    const twice = answer("Twice");
    await expect(node.chat.store(turn, [twice, twice])).rejects.toThrow("messages_pkey");
    expect(await node.chat.store(turn, [answer("Next")])).toMatchObject({ lastSeq: 2 });
  });
});

describe("the end", () => {
  test("last messages, end and release are one: the user's next turn meets no lock", async () => {
    const place = await newChat(node, host);
    const turn = await startTurn(node, place);
    const end = { how: "answer", rounds: 3, messages: [answer("Done")] } as const;
    expect(await node.chat.finish(turn, end)).toEqual({ ended: true, asked: true });
    const [row] = await db.database.query(
      sql`select how, rounds, ended_at is not null as ended from turns where id = ${turn.turnId}::uuid`,
    );
    expect(row).toEqual({ how: "answer", rounds: 3, ended: true });
    expect(await node.chat.acquireForTurn(turnRequest(place))).toMatchObject({ ok: true });
  });

  test("a turn ends once, whoever tries, and only the first end is told", async () => {
    const place = await newChat(node, host);
    const turn = await startTurn(node, place);
    const ends = ["answer", "interrupted", "stopped", "deadline"] as const;
    const told = await Promise.all(
      ends.map((how) => node.chat.finish(turn, { how, rounds: 1, messages: [answer(how)] })),
    );
    expect(told.filter(({ ended }) => ended)).toHaveLength(1);
    const first = ends[told.findIndex(({ ended }) => ended)];
    expect((await rowsOf(db.database, place.conversationId)).map(({ text }) => text)).toEqual(["A question", first]);
    expect(await db.database.query(sql`select how from turns where id = ${turn.turnId}::uuid`)).toEqual([
      { how: first },
    ]);
  });

  test("a turn that never stored its question leaves nothing in the chat", async () => {
    const place = await newChat(node, host);
    const turn = await startTurn(node, place, { asked: false });
    const notice: NewMessage = { role: "notice", id: uuid(), code: "stopped", usage: null };
    expect(await node.chat.finish(turn, { how: "stopped", rounds: 0, messages: [notice] })).toEqual({
      ended: true,
      asked: false,
    });
    expect(await rowsOf(db.database, place.conversationId)).toEqual([]);
  });

  test("nothing is stored after the end", async () => {
    const place = await newChat(node, host);
    const turn = await startTurn(node, place);
    await node.chat.finish(turn, { how: "answer", rounds: 1, messages: [] });
    expect(await node.chat.store(turn, [answer("More")])).toMatchObject({ held: false });
    expect(await rowsOf(db.database, place.conversationId)).toHaveLength(1);
  });
});
