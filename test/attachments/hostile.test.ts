import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../src/testing/test-database.ts";
import { createTurnScene, type TurnScene } from "../../src/testing/turn-scene.ts";
import { hostileFiles } from "./hostile-files.ts";
import { uploaded } from "./uploads.ts";

let db: TestDatabase;
let scene: TurnScene;
beforeAll(async () => {
  db = await createTestDatabase();
  scene = await createTurnScene(db.connectionString, []);
});
afterAll(async () => {
  await scene.close();
  await db.drop();
});

describe("A file made to hurt ends as itself, and the next one is read", () => {
  test.each(hostileFiles)("$name: $what", { timeout: 120_000 }, async ({ name, make, ends }) => {
    const file = await uploaded(scene, await make(), { name });
    expect(ends).toContain(file.state === "ready" ? "ready" : file.code);
    const next = await uploaded(scene, "words as ever", { name: "next.txt" });
    expect(next).toMatchObject({ state: "ready", type: "text/plain" });
    for (const { id } of [file, next]) await scene.node.attachments.remove(scene.ref, { attachmentId: id });
  });
});
