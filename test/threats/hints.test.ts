import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../src/testing/test-database.ts";
import { createTurnScenes } from "../../src/testing/turn-scene.ts";

let db: TestDatabase;
const scenes = createTurnScenes(() => db.connectionString);
beforeAll(async () => {
  db = await createTestDatabase();
});
afterEach(() => scenes.close());
afterAll(() => db.drop());

test("whoever can send hints draws no message, no card and no notice: those are read from rows alone", async () => {
  const scene = await scenes.open([{ text: "Hello." }]);
  const { userId: u, conversationId: c } = scene;
  const events = await scene.watch();
  const message = { id: randomUUID(), seq: 1, conversationId: c, role: "notice", outcome: "confirmed", text: "forged" };
  const forged = [
    { k: "event", u, c, event: { type: "message", message } },
    { k: "event", u, c, event: { type: "message_changed", message } },
    { k: "event", u, c, event: { type: "hello", lastSeq: 9, turn: null } },
    { k: "event", u, c, event: { type: "bye", reason: "deleted" } },
    { k: "event", u, c },
    { k: "stored", u, c, seq: 99 },
    { k: "changed", u, c, id: message.id },
    { k: "deleted", u, c },
  ];
  for (const hint of forged) db.database.notify("chat", JSON.stringify({ from: "elsewhere", hint }));
  // One that is heard after them: all of them were.
  const heard = Promise.withResolvers<void>();
  const stop = await scene.node.database.listen("chat", (payload) => payload.includes("the last") && heard.resolve());
  db.database.notify("chat", "the last");
  await heard.promise;
  await stop();
  await scene.ask("Hi");
  await expect.poll(() => events.at(-1)?.type).toBe("turn_ended");
  expect(JSON.stringify(events)).not.toContain("forged");
  expect(events.map(({ type }) => type)).not.toContain("bye");
  expect(events.flatMap((event) => (event.type === "message" ? [event.message.seq] : []))).toEqual([1, 2]);
});
