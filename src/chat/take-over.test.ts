import { v7 as uuid } from "uuid";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sql } from "../database/sql.ts";
import { createTestDatabase, type TestDatabase } from "../testing/test-database.ts";
import type { AcquireTurnAnswer } from "./chat.ts";
import {
  ageLock,
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
    const [turn] = await db.database.query(
      sql`select how, ended_at is not null as ended from turns where id = ${deadTurn.turnId}::uuid`,
    );
    expect(turn).toEqual({ how: "interrupted", ended: true });
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
    await expect(frozen).rejects.toThrow(/connection/i);
    expect(await taken).toMatchObject({ ok: true });
  });
});
