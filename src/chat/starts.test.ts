import { v7 as uuid } from "uuid";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sql } from "../database/sql.ts";
import { createTestDatabase, type TestDatabase } from "../testing/test-database.ts";
import {
  answer,
  createTestHost,
  createTestNode,
  newChat,
  raceBehindBarrier,
  startTurn,
  turnRequest,
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

describe("the same start again", () => {
  test("while the first runs, after it ended, and at the very same time, it answers the first turn", async () => {
    const place = await newChat(node, host);
    const clientId = uuid();
    const first = await startTurn(node, place, { clientId });
    const again = { ok: false, reason: "already_started", turnId: first.turnId };
    expect(await other.chat.acquireForTurn(turnRequest(place, { clientId }))).toEqual(again);
    await node.chat.finish(first, { how: "answer", rounds: 1, messages: [answer("Done")] });
    expect(await other.chat.acquireForTurn(turnRequest(place, { clientId }))).toEqual(again);

    const same = uuid();
    const requests = Array.from({ length: 6 }, () => turnRequest(place, { clientId: same }));
    const answers = await raceBehindBarrier([node, other], requests, { ...place, lapsedLock: false });
    const won = answers.find((given) => given.ok)?.fence.turnId;
    expect(answers.filter((given) => !given.ok)).toEqual(
      Array.from({ length: 5 }, () => ({ ok: false, reason: "already_started", turnId: won })),
    );
  });

  test("it is started anew when the first was taken back, or ended without its question", async () => {
    const place = await newChat(node, host);
    const clientId = uuid();
    const refusedTurn = await startTurn(node, place, { clientId, asked: false });
    await node.chat.discardTurn(refusedTurn);
    expect(await db.database.query(sql`select 1 from turns where user_id = ${place.userId}`)).toEqual([]);
    expect(await node.chat.lockNow(place.userId)).toBeNull();

    const neverAsked = await startTurn(node, place, { clientId, asked: false });
    await node.chat.finish(neverAsked, { how: "stopped", rounds: 0, messages: [] });
    const third = turnRequest(place, { clientId });
    expect(await node.chat.acquireForTurn(third)).toMatchObject({ ok: true });
    const turns = await db.database.query(sql`select id from turns where user_id = ${place.userId}`);
    expect(turns).toEqual([{ id: third.turnId }]);
  });

  test("the same client id in another chat is another start", async () => {
    const place = await newChat(node, host);
    const clientId = uuid();
    const first = await startTurn(node, place, { clientId });
    await node.chat.finish(first, { how: "answer", rounds: 1, messages: [] });
    const second = await node.chat.createConversation(place.session.ref);
    if (!second.ok) throw new Error(second.reason);
    const elsewhere = { session: place.session, conversationId: second.conversation.id };
    expect(await node.chat.acquireForTurn(turnRequest(elsewhere, { clientId }))).toMatchObject({ ok: true });
  });

  test("a turn that has its question cannot be taken back", async () => {
    const place = await newChat(node, host);
    const turn = await startTurn(node, place);
    await node.chat.discardTurn(turn);
    expect(await node.chat.keep(turn)).toMatchObject({ held: true });
    expect(await db.database.query(sql`select 1 from turns where id = ${turn.turnId}::uuid`)).toHaveLength(1);
  });
});

describe("how many turns", () => {
  async function finishedTurn(place: Parameters<typeof startTurn>[1], startedSecondsAgo: number): Promise<void> {
    const turn = await startTurn(node, place);
    await node.chat.finish(turn, { how: "answer", rounds: 1, messages: [] });
    await db.database.query(sql`
update turns set started_at = clock_timestamp() - ${startedSecondsAgo}::float8 * interval '1 second' where id = ${turn.turnId}::uuid`);
  }

  test("past the limit of an hour or a day a turn is refused with when it will not be, and nothing is stored", async () => {
    const place = await newChat(node, host);
    await finishedTurn(place, 3_000);
    await finishedTurn(place, 1_000);
    const refusal = await node.chat.acquireForTurn(turnRequest(place, { perHour: 2 }));
    expect(refusal).toMatchObject({ ok: false, reason: "turn_limit" });
    const wait = "retryAfter" in refusal ? refusal.retryAfter : 0;
    expect(wait).toBeGreaterThan(500);
    expect(wait).toBeLessThanOrEqual(600);
    const day = await node.chat.acquireForTurn(turnRequest(place, { perDay: 2 }));
    expect("retryAfter" in day ? day.retryAfter : 0).toBeGreaterThan(80_000);
    expect(await node.chat.lockNow(place.userId)).toBeNull();
    expect(await db.database.query(sql`select 1 from turns where user_id = ${place.userId}`)).toHaveLength(2);
    expect(await node.chat.acquireForTurn(turnRequest(place, { perHour: 3, perDay: 3 }))).toMatchObject({ ok: true });
  });

  test("turns older than the window are not counted", async () => {
    const place = await newChat(node, host);
    await finishedTurn(place, 3_700);
    await finishedTurn(place, 90_000);
    const limits = { perHour: 1, perDay: 2 };
    expect(await node.chat.acquireForTurn(turnRequest(place, limits))).toMatchObject({ ok: true });
  });

  test("who holds the lock is told before a limit is", async () => {
    const place = await newChat(node, host);
    await startTurn(node, place);
    expect(await node.chat.acquireForTurn(turnRequest(place, { perHour: 1 }))).toMatchObject({
      reason: "turn_running",
    });
  });
});
