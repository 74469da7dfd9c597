import { v7 as uuid } from "uuid";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sql } from "../database/sql.ts";
import { createTestDatabase, type TestDatabase } from "../testing/test-database.ts";
import { createTestHost, createTestNode, rowsOf, untilWaiting, type TestNode } from "./test-node.ts";
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

describe("the card that follows", () => {
  test("`changed` and its new card come together, of the same call", async () => {
    const card = await newCard(node, host);
    const nextConfirmationId = uuid();
    const changed = card.notice({ outcome: "changed", nextConfirmationId });
    expect(await node.chat.tellCard(card.userId, changed)).toBe("stored");
    const [old, next] = await node.chat.cardsOf(card.userId, {
      conversationId: card.conversationId,
      messageIds: [card.cardId],
      andWaiting: true,
    });
    expect(old).toMatchObject({ seq: 3, outcome: "changed", finished: true, followed: true });
    expect(next).toMatchObject({ seq: 5, confirmationId: nextConfirmationId, outcome: null, followed: false });
    expect(next?.call).toEqual(old?.call);
    expect(next?.assistantMessageId).toBe(old?.assistantMessageId);
  });

  test("asking again stores the `expired` notice of a card that has none, and the new card right after it", async () => {
    const card = await newCard(node, host);
    const release = await card.click();
    const follow = { ...card, nextConfirmationId: uuid(), release };
    expect(await node.chat.followCard(card.userId, follow)).toBe("stored");
    expect(await node.chat.lockNow(card.userId)).toBeNull();
    expect((await rowsOf(db.database, card.conversationId)).slice(2)).toMatchObject([
      { seq: 3, told: true },
      { seq: 4, role: "notice", tool_outcome: "expired", finished: true },
      { seq: 5, role: "tool", tool_status: "needs_confirmation", told: false },
    ]);
  });

  test("asking again for a card that has its notice stores the new card alone", async () => {
    const card = await newCard(node, host);
    await node.chat.tellCard(card.userId, card.notice({ outcome: "expired" }));
    expect(await node.chat.followCard(card.userId, { ...card, nextConfirmationId: uuid() })).toBe("stored");
    expect(await rowsOf(db.database, card.conversationId)).toHaveLength(5);
  });

  test("a card is followed once, however many ask at once, and every click's lock is given back", async () => {
    const card = await newCard(node, host);
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, n) =>
        (n % 2 === 0 ? node : other).chat.followCard(card.userId, { ...card, nextConfirmationId: uuid() }),
      ),
    );
    expect(answers.toSorted()).toEqual([...Array.from({ length: 5 }, () => "followed_already"), "stored"]);
    const release = await card.click();
    expect(await node.chat.followCard(card.userId, { ...card, nextConfirmationId: uuid(), release })).toBe(
      "followed_already",
    );
    expect(await node.chat.lockNow(card.userId)).toBeNull();
    expect(await rowsOf(db.database, card.conversationId)).toHaveLength(5);
  });

  test("a card whose notice comes in the same moment is followed without a second notice", async () => {
    const card = await newCard(node, host);
    let followed: Promise<string> | undefined;
    await db.database.transaction(async (on) => {
      await on.query(sql`select 1 from conversations where id = ${card.conversationId}::uuid for no key update`);
      const told = other.chat.tellCard(card.userId, card.notice({ outcome: "expired" }));
      await untilWaiting(db.database, 1);
      followed = told.then(() => node.chat.followCard(card.userId, { ...card, nextConfirmationId: uuid() }));
      const both = node.chat.followCard(card.userId, { ...card, nextConfirmationId: uuid() });
      await untilWaiting(db.database, 2);
      followed = Promise.all([followed, both]).then((answers) => answers.toSorted().join());
    });
    expect(await followed).toBe("followed_already,stored");
    const rows = (await rowsOf(db.database, card.conversationId)).slice(3);
    expect(rows.map(({ role }) => role)).toEqual(["notice", "tool"]);
    expect(rows.map(({ seq }) => seq)).toEqual([4, 5]);
  });

  test("no card follows in a deleted chat, and no card follows what is no card", async () => {
    const card = await newCard(node, host);
    const follow = { ...card, nextConfirmationId: uuid() };
    expect(await node.chat.followCard(card.userId, { ...follow, confirmationId: uuid() })).toBe("chat_gone");
    await node.chat.removeConversation(card.session.ref, card);
    expect(await node.chat.followCard(card.userId, follow)).toBe("chat_gone");
  });
});
