import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { createInterface } from "node:readline";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../src/testing/test-database.ts";
import { createTurnScenes } from "../../src/testing/turn-scene.ts";
import type { Ending } from "./ending-node.ts";
import { countRows } from "./turn-rows.ts";

let db: TestDatabase;
const scenes = createTurnScenes(() => db.connectionString);
beforeAll(async () => {
  db = await createTestDatabase();
});
afterEach(() => scenes.close());
afterAll(() => db.drop());

// Windows knows no signal that a process could hear.
test.skipIf(process.platform === "win32")(
  "A process told to end by SIGTERM takes nothing new, ends a turn whose model never answers as interrupted within 20 s, and leaves after the click under way",
  { timeout: 120_000 },
  async () => {
    // Their own node sweeps nothing: what is seen is the ending process's own doing.
    const [clicking, asking] = [await scenes.open([]), await scenes.open([])];
    const ending: Ending = {
      connectionString: db.connectionString,
      clicking: toSomeone(clicking),
      asking: toSomeone(asking),
    };
    const script = fileURLToPath(new URL("ending-node.ts", import.meta.url));
    const child = spawn(process.execPath, ["--conditions=countersign-source", script, JSON.stringify(ending)], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    const gone = once(child, "exit");
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    try {
      expect((await lines.next()).value).toBe("reached");
      child.kill("SIGTERM");
      expect((await lines.next()).value).toBe("refused: shutting_down, shutting_down");
      // The promise itself is a time: with the times of a real host, the turn may not take longer.
      await expect
        .poll(() => asking.told(), { timeout: 20_000, interval: 250 })
        .toEqual(["user: Hi", "notice: interrupted"]);
      expect(await countRows(db.database, asking.userId)).toMatchObject({ turns: 1, locks: 0 });
      // The click is still being done, and holds the process.
      expect(child.exitCode).toBeNull();
      expect(await countRows(db.database, clicking.userId)).toMatchObject({ locks: 1 });
      child.stdin.write("done\n");
      expect((await lines.next()).value).toBe("click: confirmed");
      expect(await gone).toEqual([0, null]);
    } finally {
      child.kill("SIGKILL");
    }
    expect((await clicking.told()).slice(1)).toEqual([
      "assistant:  [bills.pay]",
      "card: bills.pay",
      "notice: confirmed",
    ]);
    expect(await countRows(db.database, clicking.userId)).toMatchObject({ locks: 0 });
  },
);

function toSomeone({ ref, userId, conversationId }: Ending["asking"]): Ending["asking"] {
  return { ref, userId, conversationId };
}
