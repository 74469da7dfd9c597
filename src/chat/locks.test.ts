import { v7 as uuid } from "uuid";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sql } from "../database/sql.ts";
import { createTestDatabase, type TestDatabase } from "../testing/test-database.ts";
import type { AcquireTurnAnswer } from "./chat.ts";
import {
  ageLock,
  answer,
  askingForWrite,
  createTestHost,
  createTestNode,
  newChat,
  raceBehindBarrier,
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

describe("who may speak", () => {
  test("eight starts at once on a free lock: one runs, seven are told which chat", async () => {
    const place = await newChat(node, host);
    const requests = Array.from({ length: 8 }, () => turnRequest(place));
    const answers = await raceBehindBarrier([node, other], requests, { ...place, lapsedLock: false });
    const won = answers.filter((given) => given.ok);
    expect(won).toHaveLength(1);
    for (const given of answers.filter((lost) => !lost.ok)) {
      expect(given).toMatchObject({
        reason: "turn_running",
        holder: { kind: "turn", conversationId: place.conversationId, turnId: won[0]?.fence.turnId },
      });
    }
    const open = await db.database.query(sql`select id from turns where user_id = ${place.userId}`);
    expect(open).toEqual([{ id: won[0]?.fence.turnId }]);
  });

  test("eight starts at once on a lapsed lock: one takes over and the dead turn is told once", async () => {
    const place = await newChat(node, host);
    const dead = await startTurn(node, place);
    await ageLock(db.database, place.userId);
    const requests = Array.from({ length: 8 }, () => turnRequest(place));
    const answers = await raceBehindBarrier([node, other], requests, { ...place, lapsedLock: true });
    expect(answers.filter((given) => given.ok)).toHaveLength(1);
    const rows = await rowsOf(db.database, place.conversationId);
    expect(rows).toMatchObject([
      { seq: 1, role: "user" },
      { seq: 2, role: "notice", code: "interrupted", turn_id: dead.turnId },
    ]);
  });

  test("starts, clicks and sweeps at once on a lapsed lock end its turn once", async () => {
    const place = await newChat(node, host);
    await startTurn(node, place);
    await ageLock(db.database, place.userId);
    const { session, conversationId, userId } = place;
    await Promise.all([
      ...Array.from({ length: 3 }, () => node.chat.acquireForTurn(turnRequest(place))),
      ...Array.from({ length: 3 }, () =>
        other.chat.acquireForClick({ session, conversationId, cardId: null, token: uuid() }),
      ),
      node.chat.sweepLocks(),
      other.chat.sweepLocks(),
    ]);
    const notices = (await rowsOf(db.database, conversationId)).filter(({ role }) => role === "notice");
    expect(notices).toHaveLength(1);
    const open = await db.database.query(sql`select id from turns where user_id = ${userId} and ended_at is null`);
    expect(open.length).toBeLessThanOrEqual(1);
  });

  test("a click is refused while a turn runs, a turn while a click runs, a click while another runs", async () => {
    const place = await newChat(node, host);
    const { session, conversationId, userId } = place;
    const cardId = uuid();
    const turn = await startTurn(node, place);
    const click = { session, conversationId, cardId, token: uuid() };
    expect(await other.chat.acquireForClick(click)).toEqual({
      ok: false,
      reason: "turn_running",
      holder: { kind: "turn", conversationId, turnId: turn.turnId, cardId: null, retryAfter: 5 },
    });
    await node.chat.finish(turn, { how: "answer", rounds: 1, messages: [answer("Done")] });
    const held = await other.chat.acquireForClick(click);
    expect(held).toEqual({ ok: true, card: null, fence: { userId, conversationId, token: click.token, turnId: null } });
    const holder = { kind: "click", conversationId, turnId: null, cardId, retryAfter: 1 };
    expect(await node.chat.lockNow(userId)).toEqual(holder);
    expect(await node.chat.acquireForTurn(turnRequest(place))).toEqual({
      ok: false,
      reason: "click_in_flight",
      holder,
    });
    expect(await node.chat.acquireForClick({ ...click, token: uuid() })).toEqual({
      ok: false,
      reason: "click_running",
      holder,
    });
    if (held.ok) await node.chat.releaseClick(held.fence);
    expect(await node.chat.lockNow(userId)).toBeNull();
    expect(await node.chat.acquireForTurn(turnRequest(place))).toMatchObject({ ok: true });
  });

  test("for a chat that is deleted, another's, or none at all nobody gets the lock, whoever holds it", async () => {
    const place = await newChat(node, host);
    const { session } = place;
    const theirs = await newChat(node, host);
    const own = await node.chat.createConversation(session.ref);
    if (!own.ok) throw new Error(own.reason);
    await node.chat.removeConversation(session.ref, { conversationId: own.conversation.id });
    const elsewhere = [own.conversation.id, theirs.conversationId, uuid(), "no uuid"];
    const ask = async (): Promise<readonly object[]> => {
      const answers = elsewhere.flatMap((conversationId) => [
        node.chat.acquireForTurn(turnRequest({ session, conversationId })),
        node.chat.acquireForClick({ session, conversationId, cardId: uuid(), token: uuid() }),
        node.chat.acquireForClick({ session, conversationId, cardId: null, token: uuid() }),
      ]);
      return Promise.all(answers);
    };
    const refusals = Array.from({ length: 12 }, () => ({ ok: false, reason: "not_found" }));
    expect(await ask()).toEqual(refusals);
    expect(await node.chat.lockNow(session.userId)).toBeNull();
    await startTurn(node, place);
    expect(await ask()).toEqual(refusals);
  });

  test("a click's lock comes with its card as it is under the lock", async () => {
    const place = await newChat(node, host);
    const { session, conversationId } = place;
    const turn = await startTurn(node, place);
    const { messages, cardId, confirmationId } = askingForWrite();
    await node.chat.finish(turn, { how: "card", rounds: 1, messages });
    const held = await node.chat.acquireForClick({ session, conversationId, cardId, token: uuid() });
    expect(held).toMatchObject({ ok: true, card: { messageId: cardId, confirmationId, outcome: null, clicked: true } });
  });

  test("one user's lock is nobody else's", async () => {
    await startTurn(node, await newChat(node, host));
    expect(await node.chat.acquireForTurn(turnRequest(await newChat(node, host)))).toMatchObject({ ok: true });
  });

  test.each([
    { word: "within the hold in the past", seconds: 29, free: false },
    { word: "past the hold", seconds: 31, free: true },
    { word: "within the hold in the future", seconds: -29, free: false },
    { word: "in a future past the hold, as when a clock stepped back", seconds: -31, free: true },
  ])("a lock last kept $word is lapsed: $free", async ({ seconds, free }) => {
    const place = await newChat(node, host);
    await startTurn(node, place, { asked: false });
    await ageLock(db.database, place.userId, seconds);
    expect((await node.chat.lockNow(place.userId)) === null).toBe(free);
    expect(await node.chat.acquireForTurn(turnRequest(place))).toMatchObject({ ok: free });
  });

  test("a start whose answer was lost is repeated with its token, and is one turn", async () => {
    const place = await newChat(node, host);
    const request = turnRequest(place);
    const first = await node.chat.acquireForTurn(request);
    expect(await node.chat.acquireForTurn(request)).toEqual(first);
    expect(await db.database.query(sql`select 1 from turns where user_id = ${place.userId}`)).toHaveLength(1);
    const click = { session: place.session, conversationId: place.conversationId, cardId: null, token: uuid() };
    if (first.ok) await node.chat.finish(first.fence, { how: "stopped", rounds: 0, messages: [] });
    expect(await node.chat.acquireForClick(click)).toMatchObject({ ok: true });
    expect(await node.chat.acquireForClick(click)).toMatchObject({ ok: true });
  });

  test("a holder whose row is younger than the statement is named all the same", async () => {
    const place = await newChat(node, host);
    const [first, second] = [turnRequest(place), turnRequest(place)];
    let waiting: Promise<AcquireTurnAnswer> | undefined;
    await db.database.transaction(async (on) => {
      // The row a start would have made, not committed yet: the second start waits for it and knows no holder then.
      await on.query(sql`
insert into locks (user_id, kind, token, conversation_id, turn_id, node)
values (${place.userId}, 'turn', ${first.token}::uuid, ${place.conversationId}::uuid, ${first.turnId}::uuid, 'other')`);
      waiting = node.chat.acquireForTurn(second);
      await untilWaiting(db.database, 1);
    });
    expect(await waiting).toMatchObject({ reason: "turn_running", holder: { turnId: first.turnId } });
  });
});

describe("stopping", () => {
  test("a stop names its turn, is heard on every node, and is answered by keeps and stores", async () => {
    const place = await newChat(node, host);
    const turn = await startTurn(node, place);
    const heard: string[] = [];
    const heardHere = new Promise<void>((resolve) => {
      node.chat.onStop((id) => {
        heard.push(id);
        resolve();
      });
    });
    expect(await other.chat.requestStop(place.userId, uuid())).toBe(false);
    expect(await other.chat.requestStop(place.userId, "no id")).toBe(false);
    expect(await other.chat.requestStop(place.userId, turn.turnId)).toBe(true);
    await heardHere;
    expect(heard).toEqual([turn.turnId]);
    expect(await node.chat.keep(turn)).toEqual({ held: true, stopRequested: true });
    expect(await node.chat.store(turn, [answer("One more")])).toMatchObject({ held: true, stopRequested: true });
    await node.chat.finish(turn, { how: "stopped", rounds: 1, messages: [] });
    expect(await other.chat.requestStop(place.userId, turn.turnId)).toBe(false);
    const next = await startTurn(node, place);
    expect(await other.chat.requestStop(place.userId, turn.turnId)).toBe(false);
    expect(await node.chat.keep(next)).toEqual({ held: true, stopRequested: false });
  });

  test("a keep of a lock that was taken over says so", async () => {
    const place = await newChat(node, host);
    const turn = await startTurn(node, place);
    await ageLock(db.database, place.userId);
    await startTurn(other, place);
    expect(await node.chat.keep(turn)).toEqual({ held: false, stopRequested: false });
  });

  test("a turn's lock is not given back by what gives back a click's", async () => {
    const place = await newChat(node, host);
    const turn = await startTurn(node, place);
    await node.chat.releaseClick(turn);
    expect(await node.chat.keep(turn)).toMatchObject({ held: true });
  });
});
