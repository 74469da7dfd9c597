import { v7 as uuid } from "uuid";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sql } from "../database/sql.ts";
import { createTestDatabase, type TestDatabase } from "../testing/test-database.ts";
import {
  ageLock,
  answer,
  createTestHost,
  createTestNode,
  rowsOf,
  startTurn,
  untilWaiting,
  type TestNode,
} from "./test-node.ts";
import { newCard } from "./test-card.ts";

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

describe("a card's notice", () => {
  test("is stored with the release of its click, and the card waits no more", async () => {
    const card = await newCard(node, host);
    expect(await node.chat.openCards(card.userId, card.conversationId)).toEqual([
      { messageId: card.cardId, confirmationId: card.confirmationId, tool: "billing.void", told: false },
    ]);
    const release = await card.click();
    expect(await node.chat.tellCard(card.userId, card.notice({ release }))).toBe("stored");
    expect(await node.chat.lockNow(card.userId)).toBeNull();
    expect(await node.chat.openCards(card.userId, card.conversationId)).toEqual([]);
    expect((await rowsOf(db.database, card.conversationId)).slice(2)).toMatchObject([
      { seq: 3, tool_status: "needs_confirmation", told: true },
      { seq: 4, role: "notice", tool_outcome: "confirmed", finished: true, turn_id: null },
    ]);
  });

  test("is stored though the click's lock was taken by another", async () => {
    const card = await newCard(node, host);
    const release = await card.click();
    await ageLock(db.database, card.userId);
    const turn = await startTurn(other, card);
    expect(await node.chat.tellCard(card.userId, card.notice({ release }))).toBe("stored");
    expect(await other.chat.keep(turn)).toMatchObject({ held: true });
  });

  test("is stored once, however many tell it at once", async () => {
    const card = await newCard(node, host);
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) => (n % 2 === 0 ? node : other).chat.tellCard(card.userId, card.notice())),
    );
    expect(answers.toSorted()).toEqual(["stored", ...Array.from({ length: 7 }, () => "told_already")]);
    expect(await rowsOf(db.database, card.conversationId)).toHaveLength(4);
  });

  test("told by another in the same moment, it gives back its click's lock all the same", async () => {
    const card = await newCard(node, host);
    const release = await card.click();
    let answered: Promise<string> | undefined;
    await db.database.transaction(async (on) => {
      // Another teller's statement, up to its commit: it has the chat's row and its notice.
      await on.query(sql`update conversations set last_seq = last_seq + 1 where id = ${card.conversationId}::uuid`);
      await on.query(sql`
insert into messages (user_id, id, conversation_id, seq, role, confirmation_id, tool_name, tool_outcome, finished)
values (${card.userId}, ${uuid()}::uuid, ${card.conversationId}::uuid, 4, 'notice', ${card.confirmationId}::uuid, 'billing.void', 'rejected', true)`);
      await on.query(sql`update messages set told = true where id = ${card.cardId}::uuid`);
      answered = node.chat.tellCard(card.userId, card.notice({ release }));
      await untilWaiting(db.database, 1);
    });
    expect(await answered).toBe("told_already");
    expect(await node.chat.lockNow(card.userId)).toBeNull();
    const [chat] = await db.database.query(
      sql`select last_seq from conversations where id = ${card.conversationId}::uuid`,
    );
    expect(chat).toEqual({ last_seq: 4 });
  });

  test("of an end that is not known is given its end later, once, and nothing else", async () => {
    const card = await newCard(node, host);
    const open = card.notice({ finished: false });
    expect(await node.chat.tellCard(card.userId, open)).toBe("stored");
    expect(await node.chat.openCards(card.userId, card.conversationId)).toEqual([
      { messageId: card.cardId, confirmationId: card.confirmationId, tool: "billing.void", told: true },
    ]);
    expect(await node.chat.tellCard(card.userId, open)).toBe("told_already");
    expect(await node.chat.tellCard(card.userId, card.notice({ outcome: "expired" }))).toBe("told_already");
    const release = await card.click();
    const ends = await Promise.all([
      node.chat.tellCard(card.userId, card.notice({ outcome: "failed", release })),
      other.chat.tellCard(card.userId, card.notice({ outcome: "failed" })),
    ]);
    expect(ends.toSorted()).toEqual(["told_already", "upgraded"]);
    expect(await node.chat.lockNow(card.userId)).toBeNull();
    expect(await node.chat.tellCard(card.userId, card.notice({ outcome: "confirmed" }))).toBe("told_already");
    expect((await rowsOf(db.database, card.conversationId)).at(-1)).toMatchObject({
      seq: 4,
      tool_outcome: "failed",
      finished: true,
    });
    expect(await node.chat.openCards(card.userId, card.conversationId)).toEqual([]);
  });

  test("a deleted chat takes none, and the lock is given back", async () => {
    const card = await newCard(node, host);
    const release = await card.click();
    await node.chat.removeConversation(card.session.ref, card);
    expect(await node.chat.tellCard(card.userId, card.notice({ release }))).toBe("chat_gone");
    expect(await node.chat.lockNow(card.userId)).toBeNull();
    expect(await node.chat.tellCard("nobody", card.notice())).toBe("chat_gone");
    expect(await rowsOf(db.database, card.conversationId)).toHaveLength(3);
  });

  test("a chat that is deleted while the notice waits for it takes none", async () => {
    const card = await newCard(node, host);
    let answered: Promise<string> | undefined;
    await db.database.transaction(async (on) => {
      await on.query(
        sql`update conversations set deleted_at = clock_timestamp() where id = ${card.conversationId}::uuid`,
      );
      answered = node.chat.tellCard(card.userId, card.notice());
      await untilWaiting(db.database, 1);
    });
    expect(await answered).toBe("chat_gone");
  });
});

describe("reading cards", () => {
  test("only cards of this chat and user are found, whatever ids are named", async () => {
    const [card, foreign] = [await newCard(node, host), await newCard(node, host)];
    const rows = await node.chat.messages(card.session.ref, card);
    const ids = rows.ok ? rows.messages.map(({ id }) => id) : [];
    const found = await node.chat.cardsOf(card.userId, {
      conversationId: card.conversationId,
      messageIds: [...ids, foreign.cardId, uuid(), "no id"],
    });
    expect(found.map(({ messageId }) => messageId)).toEqual([card.cardId]);
    expect(found[0]).toMatchObject({
      call: { name: "billing.void", arguments: `{"id":"${card.cardId}"}` },
      outcome: null,
      finished: null,
      followed: false,
      clicked: false,
    });
    const where = { conversationId: foreign.conversationId, messageIds: [foreign.cardId] };
    expect(await node.chat.cardsOf(card.userId, where)).toEqual([]);
    expect(await node.chat.cardsOf(card.userId, { ...where, messageIds: [] })).toEqual([]);
  });

  test("a card says whether a click is on it, until that click's lock lapses", async () => {
    const card = await newCard(node, host);
    const where = { conversationId: card.conversationId, messageIds: [card.cardId] };
    await card.click();
    expect(await node.chat.cardsOf(card.userId, where)).toMatchObject([{ clicked: true }]);
    await ageLock(db.database, card.userId);
    expect(await node.chat.cardsOf(card.userId, where)).toMatchObject([{ clicked: false }]);
  });

  test("a card whose call cannot be found has none", async () => {
    const card = await newCard(node, host);
    await db.database.query(
      sql`update messages set tool_calls = null where conversation_id = ${card.conversationId}::uuid`,
    );
    const where = { conversationId: card.conversationId, messageIds: [card.cardId] };
    expect(await node.chat.cardsOf(card.userId, where)).toMatchObject([{ call: null }]);
  });

  test("messages by id are of this chat alone, oldest first", async () => {
    const card = await newCard(node, host);
    const foreign = await newCard(node, host);
    const turn = await startTurn(node, card);
    const last = answer("Last");
    await node.chat.store(turn, [last]);
    const { userId, conversationId } = card;
    const messageIds = [last.id, foreign.cardId, card.cardId, "no id"];
    const found = await node.chat.messagesById(userId, { conversationId, messageIds });
    expect(found.map(({ id }) => id)).toEqual([card.cardId, last.id]);
  });
});
