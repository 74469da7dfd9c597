import { v7 as uuid } from "uuid";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../testing/test-database.ts";
import type { ActRefusal } from "../wire/reasons.ts";
import { createTestHost, createTestNode, newChat, type TestNode } from "./test-node.ts";
import { watch } from "./test-watch.ts";

const host = createTestHost();
let db: TestDatabase;
let here: TestNode;
let there: TestNode;
beforeAll(async () => {
  db = await createTestDatabase();
  const options = { connectionString: db.connectionString, host, values: { watchRecheck: 100 } };
  here = await createTestNode(options);
  there = await createTestNode(options);
});
afterAll(async () => {
  await Promise.all([here.close(), there.close()]);
  await db.drop();
});

describe("who may watch", () => {
  test("refusals are those of every function, and a stranger learns nothing", async () => {
    const place = await newChat(here, host);
    const tries = async (ref: string, conversationId = place.conversationId): Promise<ActRefusal | null> => {
      const signal = new AbortController().signal;
      const answered = await here.chat.watch(ref, { conversationId, afterSeq: null, signal, send: () => true });
      return answered.ok ? null : answered.reason;
    };
    expect(await tries("nobody")).toBe("session_invalid");
    expect(await tries(host.signIn(place.userId, { impersonatedBy: "admin" }).ref)).toBe("impersonated");
    expect(await tries(host.signIn("stranger").ref)).toBe("not_found");
    expect(await tries(place.session.ref, uuid())).toBe("not_found");
    expect(await tries(place.session.ref, "no id")).toBe("not_found");
  });

  test.each([
    { word: "signed out", reason: "session_ended", change: null },
    { word: "impersonated now", reason: "not_allowed", change: { impersonatedBy: "admin" } },
    { word: "without the assistant now", reason: "not_allowed", change: { can: () => false } },
  ])("a session that is $word is sent away", async ({ reason, change }) => {
    const place = await newChat(here, host);
    const watched = await watch(here, place);
    const { session } = place;
    if (change === null) host.sessions.delete(session.ref);
    else host.sessions.set(session.ref, { ...session, ...change });
    await watched.done;
    expect(watched.events.at(-1)).toEqual({ type: "bye", reason });
  });

  test("a host that cannot say who is signed in ends no watch at once, and none goes on for ever", async () => {
    const place = await newChat(here, host);
    const watched = await watch(here, place);
    host.down = true;
    await watched.done;
    host.down = false;
    expect(watched.events.map(({ type }) => type)).toEqual(["hello"]);
  });

  test("who watches a chat that is deleted is told so, on every node", async () => {
    const place = await newChat(here, host);
    const watchers = [await watch(here, place), await watch(there, place)];
    await here.chat.removeConversation(place.session.ref, place);
    for (const watched of watchers) {
      await watched.done;
      expect(watched.events.at(-1)).toEqual({ type: "bye", reason: "deleted" });
    }
  });

  test("a node that is closed says so to those who watch", async () => {
    const closing = await createTestNode({ connectionString: db.connectionString, host });
    const watched = await watch(closing, await newChat(here, host));
    await closing.close();
    await watched.done;
    expect(watched.events.at(-1)).toEqual({ type: "bye", reason: "shutting_down" });
  });
});
