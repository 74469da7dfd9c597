import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../src/testing/test-database.ts";
import { createTurnScenes, type TurnScene } from "../../src/testing/turn-scene.ts";
import { killAt } from "./kill-at.ts";
import { readMoney } from "./turn-rows.ts";

let db: TestDatabase;
const scenes = createTurnScenes(() => db.connectionString);
beforeAll(async () => {
  db = await createTestDatabase();
});
afterEach(() => scenes.close());
afterAll(() => db.drop());

/** What is known of a call that was abandoned after its first text: everything but what the provider says at the end. */
const abandoned = {
  ...{ status: "error", code: "aborted", attempts: 1, model: "scripted", cost: null },
  ...{ begun: true, ended: true, latency: true, firstToken: true },
};

async function afterText(scene: TurnScene): Promise<string> {
  const events = await scene.watch();
  const turnId = await scene.start("Hi");
  await expect.poll(() => events.some(({ type }) => type === "delta")).toBe(true);
  return turnId;
}

describe("A call of a model that is ended in the middle", () => {
  test("by a stop has its row, with all the provider had said, and counts what it reserved", async () => {
    const scene = await scenes.open([{ text: "Half", hang: true }], { settings: { stopGrace: 1 } });
    const turnId = await afterText(scene);
    const { ref, conversationId, node } = scene;
    await node.turns.stop(ref, { conversationId, turnId });
    await node.turns.idle();
    const { rows, spent, reserved } = await readMoney(db.database, scene.userId);
    expect(rows).toMatchObject([abandoned]);
    expect({ spent, reserved }).toEqual({ spent: rows[0]?.reserve, reserved: 0 });
    expect(spent).toBeGreaterThan(0);
  });

  test("by the deadline too", async () => {
    const scene = await scenes.open([{ text: "Half", hang: true }], { settings: { turnDeadline: 5, stopGrace: 1 } });
    await afterText(scene);
    await scene.node.turns.idle();
    expect(await scene.told()).toEqual(["user: Hi", "notice: deadline"]);
    const { rows, spent, reserved } = await readMoney(db.database, scene.userId);
    expect(rows).toMatchObject([abandoned]);
    expect({ spent, reserved }).toEqual({ spent: rows[0]?.reserve, reserved: 0 });
  });

  test("by a kill of its process has its row, lost, and counts what it reserved", async () => {
    const settings = { lockHold: 500, turnKeepMs: 100, clickKeepMs: 100, sweepEvery: 100, journalLease: 1_000 };
    const scene = await scenes.open([], { settings });
    await killAt(db.connectionString, scene, { place: "model", signal: "SIGKILL" });
    await expect
      .poll(() => readMoney(db.database, scene.userId))
      .toMatchObject({ rows: [{ status: "lost", begun: true, ended: true, cost: null }], reserved: 0 });
    const { rows, spent } = await readMoney(db.database, scene.userId);
    expect(spent).toBe(rows[0]?.reserve);
    expect(spent).toBeGreaterThan(0);
  });
});
