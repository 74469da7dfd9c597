import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createBills } from "../testing/bills.ts";
import { createGate } from "../testing/gate.ts";
import { createTestDatabase, type TestDatabase } from "../testing/test-database.ts";
import { createTurnScenes } from "../testing/turn-scene.ts";

let db: TestDatabase;
const scenes = createTurnScenes(() => db.connectionString);
beforeAll(async () => {
  db = await createTestDatabase();
});
afterEach(() => scenes.close());
afterAll(() => db.drop());

describe("A process that is told to end", () => {
  test("asks its turns to stop, and they end as interrupted", async () => {
    const gate = createGate();
    const scene = await scenes.open([{ text: "Half", between: gate.pass }]);
    const events = await scene.watch((event) => {
      if (event.type === "turn" && event.turn.activity === "stopping") gate.open();
    });
    const turnId = await scene.start("Hi");
    await gate.reached;
    await scene.node.turns.drain();
    expect(await scene.told()).toEqual(["user: Hi", "notice: interrupted"]);
    expect(events.at(-1)).toEqual({ type: "turn_ended", turnId, how: "interrupted", asked: true });
  });

  test("leaves its reason to a turn that its user has stopped already", async () => {
    const gate = createGate();
    const scene = await scenes.open([{ text: "Half", between: gate.pass }]);
    const turnId = await scene.start("Hi");
    await gate.reached;
    const { node, ref, conversationId } = scene;
    await node.turns.stop(ref, { conversationId, turnId });
    const drained = node.turns.drain();
    gate.open();
    await drained;
    expect(await scene.told()).toEqual(["user: Hi", "notice: stopped"]);
  });

  test("ends a turn that does not come to its end once the grace is over", async () => {
    const gate = createGate();
    const bills = createBills();
    bills.find = gate.pass;
    const find = { calls: [{ name: "bills__find", arguments: { id: "1" } }] };
    const scene = await scenes.open([find], { modules: [bills.module], settings: { stopGrace: 1 } });
    await scene.start("Hi");
    await gate.reached;
    await scene.node.turns.drain();
    expect((await scene.told()).at(-1)).toBe("notice: interrupted");
    gate.open();
  });

  test("refuses new clicks and awaits those under way", async () => {
    const gate = createGate();
    const bills = createBills();
    const pay = { calls: [{ name: "bills__pay", arguments: { id: "7" } }] };
    const scene = await scenes.open([pay], { modules: [bills.module] });
    const card = (await scene.ask("Pay 7.")).at(-1);
    const { node, ref, conversationId } = scene;
    const target = { conversationId, messageId: card?.id ?? "", requestContext: { requestId: randomUUID() } };
    bills.beforePreview = gate.pass;
    const clicked = node.confirmations.confirm(ref, target);
    await gate.reached;
    let drained = false;
    const draining = node.turns.drain().then(() => (drained = true));
    expect(await node.confirmations.confirm(ref, target)).toMatchObject({ ok: false, reason: "shutting_down" });
    expect(drained).toBe(false);
    gate.open();
    expect(await clicked).toMatchObject({ ok: true, outcome: "confirmed" });
    await draining;
    expect(bills.writes).toEqual(["pay 7"]);
  });
});
