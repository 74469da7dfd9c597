import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { invariant } from "../outcome.ts";
import { createBills } from "../testing/bills.ts";
import { createTestDatabase, type TestDatabase } from "../testing/test-database.ts";
import { createTurnScenes } from "../testing/turn-scene.ts";

let db: TestDatabase;
const scenes = createTurnScenes(() => db.connectionString);
beforeAll(async () => {
  db = await createTestDatabase();
});
afterEach(() => scenes.close());
afterAll(() => db.drop());

test.each([
  ["suspended", { offPurposeLimit: 1 }],
  ["budget_user", { userBudgetDay: 0.000_001 }],
] as const)("Whoever may not ask (%s) may still confirm what waits", async (reason, setting) => {
  const bills = createBills();
  const pay = { calls: [{ name: "bills__pay", arguments: { id: "7" } }] };
  const scene = await scenes.open([pay], { modules: [bills.module] });
  await scene.ask("Pay bill 7.");
  const { node, ref, userId, conversationId } = scene;
  await node.models.reportOffPurpose({ userId, turnId: randomUUID(), reason: "homework" });
  await node.settings.setUser(userId, setting, { asAdmin: true });
  expect(await scene.tryStart("And bill 8?")).toMatchObject({ ok: false, reason });
  const card = (await scene.messages()).find(({ confirmationId }) => confirmationId !== null);
  invariant(card !== undefined, "the turn ended with a card");
  const target = { conversationId, messageId: card.id, requestContext: { requestId: randomUUID() } };
  expect(await node.confirmations.confirm(ref, target)).toMatchObject({ ok: true, outcome: "confirmed" });
  expect(bills.writes).toEqual(["pay 7"]);
});
