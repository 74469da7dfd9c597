import { afterAll, beforeAll, expect, test } from "vitest";
import { sql } from "../../src/database/sql.ts";
import { createTestDatabase, type TestDatabase } from "../../src/testing/test-database.ts";
import { createDesk, type Desk, type SignIn } from "../desk.ts";
import { texts } from "../faults/statements.ts";
import { askForWrite, type AskedCard, type Node, openConversation, startNode, target } from "../node.ts";
import { createFate, mortal } from "./mortal.ts";

let at: TestDatabase;
let desk: Desk;
let living: Node;
let ada: SignIn;

beforeAll(async () => {
  at = await createTestDatabase();
  desk = createDesk();
  ada = desk.signIn("ada");
  living = await startNode({ connectionString: at.connectionString, desk });
});

afterAll(async () => {
  await living.close();
  await at.drop();
});

/** A card whose click died as it spent the row; its lock is taken over by a turn in another chat. */
async function clickAndDie(): Promise<AskedCard> {
  const fate = createFate({ at: (text) => text === texts.spend, commits: true });
  const doomed = await startNode({
    connectionString: at.connectionString,
    desk,
    database: mortal(at.database, fate),
  });
  const conversationId = await openConversation(living, ada.ref);
  const card = await askForWrite(living, { ref: ada.ref, conversationId, tool: "desk.rename", args: '{"name":"Bo"}' });
  void doomed.confirmations.confirm(ada.ref, target(card));
  await fate.died;
  await at.database.query(sql`update locks set kept_at = clock_timestamp() - interval '1 hour'`);
  const other = await openConversation(living, ada.ref);
  await askForWrite(living, { ref: ada.ref, conversationId: other, tool: "desk.rename", args: '{"name":"Cy"}' });
  await doomed.close();
  return card;
}

async function noticeOf(card: AskedCard): Promise<readonly object[]> {
  return at.database.query(
    sql`select tool_outcome, finished from messages where confirmation_id = ${card.confirmationId}::uuid and role = 'notice'`,
  );
}

test("a row spent by a click that died is told once its handler cannot be running, though its lock is another's by then", async () => {
  const card = await clickAndDie();
  await living.confirmations.settleSpent();
  expect(await noticeOf(card)).toEqual([]);

  await at.database.query(
    sql`update confirmations set run_until = clock_timestamp() - interval '1 second' where id = ${card.confirmationId}::uuid`,
  );
  await living.confirmations.settleSpent();
  expect(await noticeOf(card)).toEqual([{ tool_outcome: "confirmed", finished: false }]);
  expect(desk.runs).toEqual([]);
});

test("a spent row that cannot be told while its user's lock is held is told at a later look", async () => {
  const card = await clickAndDie();
  await at.database.query(
    sql`update confirmations set run_until = clock_timestamp() - interval '1 second', finished_at = clock_timestamp(), succeeded = true where id = ${card.confirmationId}::uuid`,
  );
  const loaded = await living.core.loadSession(ada.ref);
  if (!loaded.ok) throw new Error("ada is signed in");
  const held = await living.chat.acquireForClick({
    ...{ session: loaded.session, conversationId: card.conversationId, cardId: null, token: crypto.randomUUID() },
  });
  if (!held.ok) throw new Error("the lock is free");
  await living.confirmations.settleSpent();
  expect(await noticeOf(card)).toEqual([]);

  await living.chat.releaseClick(held.fence);
  await living.confirmations.settleSpent();
  expect(await noticeOf(card)).toEqual([{ tool_outcome: "confirmed", finished: true }]);
});

test("a row whose notice is stored, and one whose chat is deleted, is not told again", async () => {
  const conversationId = await openConversation(living, ada.ref);
  const asked = { ref: ada.ref, conversationId, tool: "desk.rename", args: '{"name":"Di"}' };
  const card = await askForWrite(living, asked);
  expect(await living.confirmations.confirm(ada.ref, target(card))).toMatchObject({ ok: true, outcome: "confirmed" });
  const gone = await clickAndDie();
  await living.chat.removeConversation(ada.ref, gone);
  await at.database.query(
    sql`update confirmations set run_until = clock_timestamp() - interval '1 second' where run_until is not null`,
  );
  await living.confirmations.settleSpent();
  expect(await noticeOf(card)).toHaveLength(1);
  expect(await noticeOf(gone)).toEqual([]);
});
