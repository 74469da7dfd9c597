import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../src/testing/test-database.ts";
import { createTurnScenes, type TurnScene } from "../../src/testing/turn-scene.ts";
import type { Doomed, DoomedPlace } from "./doomed-node.ts";
import { countRows } from "./turn-rows.ts";

let db: TestDatabase;
const scenes = createTurnScenes(() => db.connectionString);
beforeAll(async () => {
  db = await createTestDatabase();
});
afterEach(() => scenes.close());
afterAll(() => db.drop());

const settings = { lockHold: 500, turnKeepMs: 100, clickKeepMs: 100, sweepEvery: 100 };

/** Ends a process that runs the scene's turn, once it stands still at a place; answers its exit code. */
async function endAt(
  scene: TurnScene,
  place: DoomedPlace,
  how: { readonly signal: "SIGKILL" | "SIGTERM"; readonly realTimes?: boolean },
): Promise<number | null> {
  const { ref, userId, conversationId } = scene;
  const { signal, realTimes = false } = how;
  const doomed: Doomed = { connectionString: db.connectionString, ref, userId, conversationId, place, realTimes };
  const script = fileURLToPath(new URL("doomed-node.ts", import.meta.url));
  const args = ["--conditions=countersign-source", script, JSON.stringify(doomed)];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const gone = once(child, "exit");
  try {
    const reached = await Promise.race([once(child.stdout, "data").then(String), gone.then(() => "ended by itself")]);
    expect(reached).toBe("reached\n");
  } finally {
    child.kill(signal);
  }
  const [code] = (await gone) as [number | null];
  return code;
}

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
    await endAt(scene, place, { signal: "SIGKILL" });
    await expect.poll(() => countRows(db.database, scene.userId), { timeout: 10_000 }).toMatchObject({ locks: 0 });
    expect(await scene.told()).toEqual(told);
    await scene.ask("Go on.");
    expect((await scene.told()).slice(told.length)).toEqual(["user: Go on.", "assistant: Here I am."]);
  });

  test(
    "with the times of a real host, its user is free and its chat has the notice within 60 s",
    { timeout: 120_000 },
    async () => {
      const scene = await scenes.open(["Here I am."], {});
      await endAt(scene, "model", { signal: "SIGKILL", realTimes: true });
      // The promise itself is a time: what is waited for may not take longer.
      await expect
        .poll(() => countRows(db.database, scene.userId), { timeout: 60_000, interval: 500 })
        .toMatchObject({ locks: 0 });
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
    expect(await endAt(scene, "drain", { signal: "SIGTERM" })).toBe(0);
    expect(await scene.told()).toEqual(["user: Hi", "notice: interrupted"]);
    expect(await countRows(db.database, scene.userId)).toEqual({ turns: 1, locks: 0, messages: 2 });
  },
);
