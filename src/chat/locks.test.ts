import { v7 as uuid } from "uuid";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sql } from "../database/sql.ts";
import { createTestDatabase, type TestDatabase } from "../testing/test-database.ts";
import type { AcquireTurn, AcquireTurnAnswer } from "./chat.ts";
import {
  ageLock,
  answer,
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

/** Runs starts that all stand at the user's lock until the last has come; `keep` commits what the barrier did. */
async function raceBehindBarrier(
  requests: readonly AcquireTurn[],
  barrier: { readonly userId: string; readonly conversationId: string; readonly lapsedLock: boolean },
): Promise<readonly AcquireTurnAnswer[]> {
  const { userId, conversationId, lapsedLock } = barrier;
  let answers: Promise<readonly AcquireTurnAnswer[]> | undefined;
  class Back extends Error {}
  await db.database
    .transaction(async (on) => {
      if (lapsedLock) await on.query(sql`select 1 from locks where user_id = ${userId} for update`);
      else
        await on.query(sql`
insert into locks (user_id, kind, token, conversation_id, node) values (${userId}, 'click', ${uuid()}::uuid, ${conversationId}::uuid, 'barrier')`);
      answers = Promise.all(requests.map((request, n) => (n % 2 === 0 ? node : other).chat.acquireForTurn(request)));
      await untilWaiting(db.database, requests.length);
      throw new Back();
    })
    .catch((error: unknown) => {
      if (!(error instanceof Back)) throw error;
    });
  return answers ?? [];
}

describe("who may speak", () => {
  test("eight starts at once on a free lock: one runs, seven are told which chat", async () => {
    const place = await newChat(node, host);
    const requests = Array.from({ length: 8 }, () => turnRequest(place));
    const answers = await raceBehindBarrier(requests, { ...place, lapsedLock: false });
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
    const answers = await raceBehindBarrier(requests, { ...place, lapsedLock: true });
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
    expect(held).toEqual({ ok: true, fence: { userId, conversationId, token: click.token, turnId: null } });
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

describe("taking over", () => {
  test("a dead turn is ended with its notice by the turn that takes its lock, in another chat too", async () => {
    const dead = await newChat(node, host);
    const deadTurn = await startTurn(node, dead);
    await ageLock(db.database, dead.userId);
    const second = await node.chat.createConversation(dead.session.ref);
    if (!second.ok) throw new Error(second.reason);
    const taken = await other.chat.acquireForTurn(
      turnRequest({ session: dead.session, conversationId: second.conversation.id }),
    );
    expect(taken).toMatchObject({ ok: true });
    expect((await rowsOf(db.database, dead.conversationId)).at(-1)).toMatchObject({ seq: 2, code: "interrupted" });
    const [turn] = await db.database.query(sql`select how, ended_at from turns where id = ${deadTurn.turnId}::uuid`);
    expect(turn).toEqual({ how: "interrupted", ended_at: expect.any(Date) });
  });

  test("a click that takes over ends the dead turn too", async () => {
    const place = await newChat(node, host);
    const { session, conversationId, userId } = place;
    await startTurn(node, place);
    await ageLock(db.database, userId);
    expect(await node.chat.acquireForClick({ session, conversationId, cardId: null, token: uuid() })).toMatchObject({
      ok: true,
    });
    expect((await rowsOf(db.database, conversationId)).at(-1)).toMatchObject({ code: "interrupted" });
    expect(await db.database.query(sql`select 1 from turns where user_id = ${userId} and ended_at is null`)).toEqual(
      [],
    );
  });

  test("a dead turn that never stored its question leaves no notice", async () => {
    const place = await newChat(node, host);
    await startTurn(node, place, { asked: false });
    await ageLock(db.database, place.userId);
    await startTurn(node, place, { asked: false });
    expect(await rowsOf(db.database, place.conversationId)).toEqual([]);
  });

  test("a dead turn whose question was being stored when its lock was taken gets its notice", async () => {
    const place = await newChat(node, host);
    const turn = await startTurn(node, place, { asked: false });
    await ageLock(db.database, place.userId);
    let question: Promise<unknown> | undefined;
    let taken: Promise<unknown> | undefined;
    await db.database.transaction(async (on) => {
      // The question's store has its lock and turn, and waits for the chat; the taker waits behind it.
      await on.query(sql`select 1 from conversations where id = ${place.conversationId}::uuid for no key update`);
      question = node.chat.storeQuestion(turn, { id: uuid(), text: "Late" });
      await untilWaiting(db.database, 1);
      taken = other.chat.sweepLocks().then(() => other.chat.acquireForTurn(turnRequest(place)));
    });
    expect(await question).toMatchObject({ held: true, gone: false });
    // The store kept the lock: it is lapsed no more.
    expect(await taken).toMatchObject({ ok: false, reason: "turn_running" });
    await ageLock(db.database, place.userId);
    expect(await other.chat.acquireForTurn(turnRequest(place))).toMatchObject({ ok: true });
    expect(await rowsOf(db.database, place.conversationId)).toMatchObject([{ role: "user" }, { code: "interrupted" }]);
  });

  test("no notice is stored in a chat that was deleted, and the lock is free all the same", async () => {
    const place = await newChat(node, host);
    const dead = await startTurn(node, place);
    await node.chat.removeConversation(place.session.ref, place);
    await ageLock(db.database, place.userId);
    const second = await node.chat.createConversation(place.session.ref);
    if (!second.ok) throw new Error(second.reason);
    await startTurn(node, { session: place.session, conversationId: second.conversation.id });
    expect(await rowsOf(db.database, place.conversationId)).toHaveLength(1);
    const [turn] = await db.database.query(sql`select how from turns where id = ${dead.turnId}::uuid`);
    expect(turn).toEqual({ how: "interrupted" });
  });

  test("a request to stop does not outlive the turn it was for", async () => {
    const place = await newChat(node, host);
    const dead = await startTurn(node, place);
    expect(await node.chat.requestStop(place.userId, dead.turnId)).toBe(true);
    await ageLock(db.database, place.userId);
    const next = await startTurn(node, place, { asked: false });
    expect(await node.chat.keep(next)).toEqual({ held: true, stopRequested: false });
  });

  test("a node that froze within an open transaction keeps nobody out for ever", async () => {
    const place = await newChat(node, host);
    await startTurn(node, place);
    await ageLock(db.database, place.userId);
    let taken: Promise<AcquireTurnAnswer> | undefined;
    const frozen = node.database.transaction(async (on) => {
      const [limit] = await on.query<{ readonly limit: string }>(
        sql`select current_setting('idle_in_transaction_session_timeout') as limit`,
      );
      expect(limit).toEqual({ limit: "5s" });
      await on.query(sql`set local idle_in_transaction_session_timeout = '200ms'`);
      await on.query(sql`update locks set kept_at = kept_at where user_id = ${place.userId}`);
      taken = other.chat.acquireForTurn(turnRequest(place));
      await taken;
    });
    await expect(frozen).rejects.toThrow();
    expect(await taken).toMatchObject({ ok: true });
  });
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
    const answers = await raceBehindBarrier(requests, { ...place, lapsedLock: false });
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
