import { v7 as uuid } from "uuid";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sql } from "../database/sql.ts";
import { createTestDatabase, type TestDatabase } from "../testing/test-database.ts";
import { newCard } from "./test-card.ts";
import {
  answer,
  createTestHost,
  createTestNode,
  newChat,
  rowsOf,
  startTurn,
  until,
  type TestNode,
} from "./test-node.ts";

const host = createTestHost();
let db: TestDatabase;
let node: TestNode;
let keeping: TestNode;
beforeAll(async () => {
  db = await createTestDatabase();
  node = await createTestNode({ connectionString: db.connectionString, host });
  keeping = await createTestNode({ connectionString: db.connectionString, host, values: { keepChatsFor: 30 } });
});
afterAll(async () => {
  await node.close();
  await keeping.close();
  await db.drop();
});

const ageChat = (conversationId: string, days: number): Promise<unknown> =>
  db.database.query(sql`
update conversations set last_message_at = clock_timestamp() - ${days}::float8 * interval '1 day', created_at = clock_timestamp() - interval '1 year'
where id = ${conversationId}::uuid`);

/** The row core would have for a card: spent and ended, the kind that nothing else deletes. */
async function spentRow(userId: string, confirmationId: string): Promise<void> {
  await db.database.query(sql`
insert into confirmations (user_id, id, session_hash, module, tool, tool_title, args_hash, fingerprint, status, expires_at, used_at, spent_by, run_until)
values (${userId}, ${confirmationId}::uuid, '', 'billing', 'billing.void', '', '', '', 'used', clock_timestamp(), clock_timestamp(), ${uuid()}::uuid, clock_timestamp())`);
}

const countOf = async (userId: string): Promise<unknown> => {
  const [row] = await db.database.query(sql`
select (select count(*) from messages where user_id = ${userId}) as messages, (select count(*) from turns where user_id = ${userId}) as turns,
  (select count(*) from conversations where user_id = ${userId}) as chats, (select count(*) from locks where user_id = ${userId}) as locks,
  (select count(*) from confirmations where user_id = ${userId}) as confirmations`);
  return row;
};
const nothing = { messages: 0, turns: 0, chats: 0, locks: 0, confirmations: 0 };

describe("a deleted chat", () => {
  test("goes within the day, once it cannot be taken back any more; others stay", async () => {
    const [old, fresh, kept] = [await newChat(node, host), await newChat(node, host), await newChat(node, host)];
    for (const place of [old, fresh, kept]) {
      const turn = await startTurn(node, place);
      const messages = Array.from({ length: 600 }, () => answer("x"));
      await node.chat.finish(turn, { how: "answer", rounds: 1, messages });
    }
    for (const { session, conversationId } of [old, fresh]) {
      await node.chat.removeConversation(session.ref, { conversationId });
    }
    await db.database.query(sql`
update conversations set deleted_at = clock_timestamp() - interval '23 hours 30 minutes' where id = ${old.conversationId}::uuid`);
    expect(await node.chat.restoreConversation(old.session.ref, old)).toEqual({ ok: false, reason: "not_found" });
    await node.chat.sweepDeleted(async () => {});
    expect(await countOf(old.userId)).toEqual(nothing);
    for (const place of [fresh, kept]) expect(await rowsOf(db.database, place.conversationId)).toHaveLength(601);
  });

  test("leaves its spent confirmations: what ran must not be told as expired", async () => {
    const card = await newCard(node, host);
    await spentRow(card.userId, card.confirmationId);
    await node.chat.removeConversation(card.session.ref, card);
    await db.database.query(sql`
update conversations set deleted_at = clock_timestamp() - interval '2 days' where id = ${card.conversationId}::uuid`);
    await node.chat.sweepDeleted(async () => {});
    expect(await countOf(card.userId)).toEqual({ ...nothing, confirmations: 1 });
  });
});

describe("chats without a message for `keepChatsFor`", () => {
  test("go with their confirmations; newer ones, and one that a turn works in, stay", async () => {
    const [old, young, busy] = [await newCard(node, host), await newCard(node, host), await newChat(node, host)];
    for (const card of [old, young]) await spentRow(card.userId, card.confirmationId);
    await startTurn(node, busy);
    await ageChat(old.conversationId, 31);
    await ageChat(young.conversationId, 29);
    await ageChat(busy.conversationId, 31);
    await node.chat.sweepDeleted(async () => {});
    expect(await rowsOf(db.database, old.conversationId)).not.toEqual([]);
    await keeping.chat.sweepDeleted(async () => {});
    expect(await countOf(old.userId)).toEqual(nothing);
    expect(await countOf(young.userId)).toMatchObject({ messages: 3, chats: 1, confirmations: 1 });
    expect(await countOf(busy.userId)).toMatchObject({ messages: 1, chats: 1, locks: 1 });
  });
});

describe("forgetting a user", () => {
  test("deletes everything under the user's lock, so that nothing that runs can store, and the lock last", async () => {
    const place = await newChat(node, host);
    const turn = await startTurn(node, place);
    await node.chat.store(
      turn,
      Array.from({ length: 1_200 }, () => answer("x")),
    );
    const heard: string[] = [];
    const forget = node.chat.onStop((id) => heard.push(id));
    const other = await newChat(node, host);
    await keeping.chat.forgetUser(place.userId, async () => {
      expect(await node.chat.store(turn, [answer("late")])).toMatchObject({ held: false });
      expect(await node.chat.finish(turn, { how: "answer", rounds: 1, messages: [] })).toMatchObject({ ended: false });
      expect(await node.chat.lockNow(place.userId)).toMatchObject({ kind: "click" });
      expect(await node.chat.messages(place.session.ref, place)).toEqual({ ok: false, reason: "not_found" });
      expect(await node.chat.restoreConversation(place.session.ref, place)).toEqual({ ok: false, reason: "not_found" });
      expect(await rowsOf(db.database, place.conversationId)).toHaveLength(1_201);
    });
    await until(() => heard.length > 0);
    forget();
    expect(heard).toEqual([turn.turnId]);
    expect(await countOf(place.userId)).toEqual(nothing);
    expect(await countOf(other.userId)).toMatchObject({ chats: 1 });
  });

  test("that failed half-way goes on when it is done again", async () => {
    const card = await newCard(node, host);
    const broken = node.chat.forgetUser(card.userId, () => Promise.reject(new Error("half-way")));
    await expect(broken).rejects.toThrow("half-way");
    expect(await rowsOf(db.database, card.conversationId)).toHaveLength(3);
    await node.chat.forgetUser(card.userId, async () => {});
    expect(await countOf(card.userId)).toEqual(nothing);
    await node.chat.forgetUser(card.userId, async () => {});
    expect(await countOf(card.userId)).toEqual(nothing);
  });
});
