import { v7 as uuid } from "uuid";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sql } from "../database/sql.ts";
import { createTestDatabase, type TestDatabase } from "../testing/test-database.ts";
import { sweepLapsed, type SweptRow } from "./sweep.sql.ts";
import {
  ageLock,
  answer,
  createTestHost,
  createTestNode,
  newChat,
  rowsOf,
  startTurn,
  turnRequest,
  until,
  type TestNode,
} from "./test-node.ts";

const host = createTestHost();
const values = { lockHold: 1_000, turnKeepMs: 100, clickKeepMs: 100 };
let db: TestDatabase;
let node: TestNode;
beforeAll(async () => {
  db = await createTestDatabase();
  node = await createTestNode({ connectionString: db.connectionString, host, values });
  // Until then nothing is swept.
  await until(async () => {
    const [row] = await db.database.query<{ readonly old: boolean }>(
      sql`select clock_timestamp() - pg_postmaster_start_time() > interval '1 second' as old`,
    );
    return row?.old ?? false;
  });
});
afterAll(async () => {
  await node.close();
  await db.drop();
});

test("a turn whose lock lapsed is ended with its notice; one that is kept is left alone", async () => {
  const [dead, alive] = [await newChat(node, host), await newChat(node, host)];
  const deadTurn = await startTurn(node, dead);
  const aliveTurn = await startTurn(node, alive);
  await ageLock(db.database, dead.userId);
  await node.chat.keep(aliveTurn);
  expect(await node.chat.sweepLocks()).toEqual([]);
  expect((await rowsOf(db.database, dead.conversationId)).at(-1)).toMatchObject({
    seq: 2,
    code: "interrupted",
    turn_id: deadTurn.turnId,
  });
  expect(await node.chat.keep(deadTurn)).toMatchObject({ held: false });
  expect(await node.chat.store(deadTurn, [answer("Late")])).toMatchObject({ held: false });
  expect(await rowsOf(db.database, alive.conversationId)).toHaveLength(1);
  await node.chat.finish(aliveTurn, { how: "answer", rounds: 1, messages: [answer("Done")] });
  await node.chat.sweepLocks();
  expect((await rowsOf(db.database, alive.conversationId)).map(({ role }) => role)).toEqual(["user", "assistant"]);
});

test("the chats of lapsed clicks are answered once, so that their cards are settled", async () => {
  const { session, conversationId, userId } = await newChat(node, host);
  await node.chat.acquireForClick({ session, conversationId, cardId: uuid(), token: uuid() });
  await ageLock(db.database, userId);
  const swept = await Promise.all([node.chat.sweepLocks(), node.chat.sweepLocks()]);
  expect(swept.flat()).toEqual([{ userId, conversationId }]);
});

test("more than one batch is swept at once", async () => {
  const places = await Promise.all(Array.from({ length: 60 }, () => newChat(node, host)));
  for (const place of places) await startTurn(node, place, { asked: false });
  await db.database.query(sql`update locks set kept_at = 'epoch'`);
  await node.chat.sweepLocks();
  expect(await db.database.query(sql`select 1 from locks`)).toEqual([]);
  expect(await db.database.query(sql`select 1 from turns where ended_at is null`)).toEqual([]);
});

test("within a hold of the database's start nothing is swept, though all locks look lapsed", async () => {
  const place = await newChat(node, host);
  await startTurn(node, place);
  await db.database.query(sql`update locks set kept_at = 'epoch' where user_id = ${place.userId}`);
  const [row] = await db.database.query<{ readonly uptime: number }>(
    sql`select extract(epoch from clock_timestamp() - pg_postmaster_start_time())::float8 * 1000 as uptime`,
  );
  const longer = (row?.uptime ?? 0) + 3_600_000;
  expect(await db.database.query<SweptRow>(sweepLapsed(longer, 50))).toEqual([]);
  await node.chat.sweepLocks();
  expect((await rowsOf(db.database, place.conversationId)).at(-1)).toMatchObject({ code: "interrupted" });
});

test("an open turn that no lock bears is ended, so that it cannot keep its user from starting another", async () => {
  const place = await newChat(node, host);
  await startTurn(node, place);
  await db.database.query(sql`delete from locks where user_id = ${place.userId}`);
  await node.chat.sweepLocks();
  expect((await rowsOf(db.database, place.conversationId)).at(-1)).toMatchObject({ code: "interrupted" });

  await startTurn(node, place);
  await db.database.query(sql`delete from locks where user_id = ${place.userId}`);
  expect(await node.chat.acquireForTurn(turnRequest(place))).toMatchObject({ ok: true });
  const codes = (await rowsOf(db.database, place.conversationId)).map(({ role, code }) => code ?? role);
  expect(codes).toEqual(["user", "interrupted", "user", "interrupted"]);
});
