import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { settingsSchema } from "../../src/settings/schema.ts";
import { createTestDatabase, type TestDatabase } from "../../src/testing/test-database.ts";
import { createTurnScenes } from "../../src/testing/turn-scene.ts";
import { killAt } from "./kill-at.ts";
import { countRows, readMoney } from "./turn-rows.ts";

let db: TestDatabase;
const scenes = createTurnScenes(() => db.connectionString);
beforeAll(async () => {
  db = await createTestDatabase();
});
afterEach(() => scenes.close());
afterAll(() => db.drop());

const settings = { lockHold: 500, turnKeepMs: 100, clickKeepMs: 100, sweepEvery: 100 };

describe("A process that is killed in the middle of a turn", () => {
  test.each([
    ["before its question is stored", "question", []],
    ["in a model call", "model", ["user: Hi", "notice: interrupted"]],
    ["after its answer", "answer", ["user: Hi", "assistant: Let me see. [bills.find]", "notice: interrupted"]],
    ["in a tool", "tool", ["user: Hi", "assistant: Let me see. [bills.find]", "notice: interrupted"]],
    [
      "before its last statement",
      "finish",
      ["user: Hi", "assistant: Let me see. [bills.find]", 'tool ok: {"id":"1"}', "notice: interrupted"],
    ],
  ] as const)("%s leaves a turn that another node ends, and a user who can go on", async (_where, place, told) => {
    const scene = await scenes.open(["Here I am."], { settings });
    await killAt(db.connectionString, scene, { place, signal: "SIGKILL" });
    await expect.poll(() => countRows(db.database, scene.userId), { timeout: 10_000 }).toMatchObject({ locks: 0 });
    expect(await scene.told()).toEqual(told);
    await scene.ask("Go on.");
    expect((await scene.told()).slice(told.length)).toEqual(["user: Go on.", "assistant: Here I am."]);
  });

  test(
    "with the times of a real host, its user is free, its chat has the notice and its model call counts as spent within 60 s",
    { timeout: 120_000 },
    async () => {
      const sweepEvery = settingsSchema.sweepEvery.default;
      const scene = await scenes.open(["Here I am."], { settings: { sweepEvery } });
      await killAt(db.connectionString, scene, { place: "model", signal: "SIGKILL", realTimes: true });
      const before = await readMoney(db.database, scene.userId);
      expect(before).toMatchObject({ rows: [{ status: "running" }], spent: 0 });
      expect(before.reserved).toBeGreaterThan(0);
      // The promise itself is a time: what is waited for may not take longer.
      await expect
        .poll(async () => [await countRows(db.database, scene.userId), await readMoney(db.database, scene.userId)], {
          timeout: 60_000,
          interval: 500,
        })
        .toMatchObject([{ locks: 0 }, { rows: [{ status: "lost" }], spent: before.reserved, reserved: 0 }]);
      expect(await scene.told()).toEqual(["user: Hi", "notice: interrupted"]);
      await scene.ask("Go on.");
      expect((await scene.told()).slice(2)).toEqual(["user: Go on.", "assistant: Here I am."]);
    },
  );
});

// Windows knows no signal that a process could hear.
test.skipIf(process.platform === "win32")(
  "A process that is told to end by SIGTERM ends its turn as interrupted before it leaves",
  async () => {
    const scene = await scenes.open([], { settings: { ...settings, sweepEvery: 60_000 } });
    expect(await killAt(db.connectionString, scene, { place: "drain", signal: "SIGTERM" })).toBe(0);
    expect(await scene.told()).toEqual(["user: Hi", "notice: interrupted"]);
    expect(await countRows(db.database, scene.userId)).toEqual({ turns: 1, locks: 0, messages: 2 });
  },
);
