import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../testing/test-database.ts";
import { connectDatabase } from "./connect.ts";
import type { Database } from "./database.ts";
import { sql } from "./sql.ts";

let db: TestDatabase;
let here: Database;
let there: Database;
beforeAll(async () => {
  db = await createTestDatabase();
  here = db.database;
  there = await connectDatabase({ connectionString: db.connectionString });
});
afterAll(async () => {
  await there.close();
  await db.drop();
});

/** What a channel heard, and a promise of the moment at which it has heard so much. */
function ear(): { hear(payload: string): void; readonly heard: string[]; until(payload: string): Promise<void> } {
  const heard: string[] = [];
  const waiting = new Map<string, () => void>();
  return {
    heard,
    hear(payload) {
      heard.push(payload);
      waiting.get(payload)?.();
    },
    until: (payload) =>
      heard.includes(payload) ? Promise.resolve() : new Promise((resolve) => waiting.set(payload, resolve)),
  };
}

/** Ends the connections that listen, as a restart of the server or a network does. */
async function cutListening(): Promise<number> {
  const rows = await there.query(sql`
    select pg_terminate_backend(pid)
      from pg_stat_activity
     where datname = current_database() and query ilike 'listen%'`);
  return rows.length;
}

test("a notification reaches every node, its own sender too, and the same one of a moment goes out once", async () => {
  const [own, foreign] = [ear(), ear()];
  await here.listen("chats", own.hear);
  await there.listen("chats", foreign.hear);
  for (const payload of ["a", "a", "b", "a", "end"]) there.notify("chats", payload);
  await Promise.all([own.until("end"), foreign.until("end")]);
  expect(own.heard).toEqual(["a", "b", "end"]);
  expect(foreign.heard).toEqual(["a", "b", "end"]);
});

test("a listening connection that was cut comes back, says so, and hears again", async () => {
  const { hear, until, heard } = ear();
  const back = Promise.withResolvers<void>();
  const stop = await here.listen("cut", hear, back.resolve);
  expect(await cutListening()).toBeGreaterThan(0);
  await back.promise;
  here.notify("cut", "after");
  await until("after");
  expect(heard).toEqual(["after"]);
  await stop();
});

test("a notification queued while the connection is down goes out once it is back", async () => {
  const node = await connectDatabase({ connectionString: db.connectionString });
  const { hear, until, heard } = ear();
  const stop = await here.listen("waiting", hear);
  // Connected before the cut, by a notification of its own.
  node.notify("waiting", "before");
  await until("before");
  await there.query(sql`
    select pg_terminate_backend(pid)
      from pg_stat_activity
     where datname = current_database() and query like 'select pg_notify%'`);
  node.notify("waiting", "meanwhile");
  await until("meanwhile");
  expect(heard).toEqual(["before", "meanwhile"]);
  await node.close();
  await stop();
});

test("closing sends what was queued", async () => {
  const node = await connectDatabase({ connectionString: db.connectionString });
  const { hear, until, heard } = ear();
  const stop = await here.listen("last", hear);
  node.notify("last", "words");
  await node.close();
  node.notify("last", "too late");
  await until("words");
  expect(heard).toEqual(["words"]);
  await stop();
});

test("nobody hears after having stopped, while another goes on", async () => {
  const [gone, stays] = [ear(), ear()];
  const stop = await here.listen("shared", gone.hear);
  const stopOther = await here.listen("shared", stays.hear);
  await stop();
  await stop();
  here.notify("shared", "x");
  await stays.until("x");
  expect(gone.heard).toEqual([]);
  await stopOther();
});

test("a listener that throws disturbs no other", async () => {
  const { hear, until, heard } = ear();
  const stopBad = await here.listen("noisy", () => {
    throw new Error("bad listener");
  });
  const stop = await here.listen("noisy", hear);
  here.notify("noisy", "x");
  await until("x");
  expect(heard).toEqual(["x"]);
  await stopBad();
  await stop();
});

test("two schemas of one database do not hear each other", async () => {
  const second = await connectDatabase({ connectionString: db.connectionString, schema: "second" });
  const [first, other] = [ear(), ear()];
  const stop = await here.listen("chats", first.hear);
  await second.listen("chats", other.hear);
  here.notify("chats", "mine");
  second.notify("chats", "theirs");
  await Promise.all([first.until("mine"), other.until("theirs")]);
  expect([first.heard, other.heard]).toEqual([["mine"], ["theirs"]]);
  await second.close();
  await stop();
});

test("a channel's name may be of any length", async () => {
  const { hear, until, heard } = ear();
  const stop = await here.listen("c".repeat(100), hear);
  here.notify(`${"c".repeat(99)}d`, "other");
  here.notify("c".repeat(100), "mine");
  await until("mine");
  expect(heard).toEqual(["mine"]);
  await stop();
});

test("a notification of more than PostgreSQL takes is our bug and is said at once", async () => {
  expect(() => here.notify("large", "ä".repeat(4_000))).toThrow("at most 7999 bytes");
  const { hear, until } = ear();
  const stop = await here.listen("large", hear);
  const largest = "x".repeat(7_999);
  here.notify("large", largest);
  await until(largest);
  await stop();
});
