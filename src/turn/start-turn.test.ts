import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { countRows } from "../../test/turns/turn-rows.ts";
import { createGate } from "../testing/gate.ts";
import { createTestDatabase, type TestDatabase } from "../testing/test-database.ts";
import { createTurnScenes, type TurnScene } from "../testing/turn-scene.ts";

let db: TestDatabase;
const scenes = createTurnScenes(() => db.connectionString);
beforeAll(async () => {
  db = await createTestDatabase();
});
afterEach(() => scenes.close());
afterAll(() => db.drop());

const rowsOf = ({ userId }: TurnScene) => countRows(db.database, userId);
const nothing = { turns: 0, locks: 0, messages: 0 };

describe("A start", () => {
  test("answers at once, and the turn runs on", async () => {
    const gate = createGate();
    const one = await scenes.open([{ text: "Hello.", before: gate.pass }]);
    await one.start("Hi");
    await gate.reached;
    expect(await one.told()).toEqual(["user: Hi"]);
    gate.open();
    await one.node.turns.idle();
    expect(await one.told()).toEqual(["user: Hi", "assistant: Hello."]);
  });

  test("with the same client id answers the same turn, while it runs and after, and sends once", async () => {
    const gate = createGate();
    const one = await scenes.open([{ text: "Hello.", before: gate.pass }]);
    const clientId = randomUUID();
    const turnId = await one.start("Hi", { clientId });
    expect(await one.tryStart("Hi", { clientId })).toEqual({ ok: true, turnId });
    gate.open();
    await one.node.turns.idle();
    expect(await one.tryStart("Hi", { clientId })).toEqual({ ok: true, turnId });
    await one.node.turns.idle();
    expect(await one.told()).toEqual(["user: Hi", "assistant: Hello."]);
  });

  test("whose acquire was done but never answered is asked for again, and starts one turn", async () => {
    let lost = 0;
    const after = {
      acquireForTurn() {
        if (lost++ === 0) throw new Error("the connection was cut");
      },
    };
    const one = await scenes.open(["Hello."], { after });
    await one.start("Hi");
    await one.node.turns.idle();
    expect(lost).toBe(2);
    expect(await one.told()).toEqual(["user: Hi", "assistant: Hello."]);
    expect(await rowsOf(one)).toEqual({ turns: 1, locks: 0, messages: 2 });
  });

  test("stores text that the database and a browser take", async () => {
    const one = await scenes.open(["Hello."]);
    await one.start("a\0b\ud800c");
    await one.node.turns.idle();
    expect((await one.told())[0]).toBe("user: ab\ufffdc");
    expect(one.model.requests[0]?.question).toBe("ab\ufffdc");
  });
});

describe("A start is refused, with nothing stored", () => {
  test("in the order of the page, each reason only once those before it are gone", async () => {
    const one = await scenes.open(["Hello."], { settings: { messageChars: 100 } });
    await one.ask("Hi");
    const before = await rowsOf(one);
    const { session, sessions, ref, node, userId } = one;
    await node.settings.setSite({ assistantOn: false, aiOn: false, turnsPerHour: 1 });
    const wanted: { conversationId: string; text: string } = { conversationId: randomUUID(), text: " \u200b\n" };
    const reasons: string[] = [];
    const look = async (): Promise<void> => {
      const answer = await one.tryStart(wanted.text, { conversationId: wanted.conversationId });
      reasons.push(answer.ok ? "started" : answer.reason);
    };

    sessions.set(ref, null);
    await look();
    sessions.set(ref, { ...session, impersonatedBy: "somebody", can: () => false });
    await look();
    sessions.set(ref, { ...session, can: () => false });
    await look();
    sessions.set(ref, session);
    await look();
    await node.settings.setSite({ assistantOn: true });
    await look();
    wanted.conversationId = one.conversationId;
    await look();
    wanted.text = "x".repeat(101);
    await look();
    wanted.text = "x".repeat(100);
    const conversationId = one.conversationId;
    const click = await node.chat.acquireForClick({
      session: { userId },
      conversationId,
      cardId: null,
      token: randomUUID(),
    });
    if (!click.ok) throw new Error(click.reason);
    await look();
    await node.chat.releaseClick(click.fence);
    await look();
    await node.settings.setSite({ turnsPerHour: 2 });
    await look();

    expect(reasons).toEqual([
      "session_invalid",
      "impersonated",
      "not_allowed",
      "assistant_off",
      "not_found",
      "empty_message",
      "message_too_long",
      "click_in_flight",
      "turn_limit",
      "ai_off",
    ]);
    expect(await rowsOf(one)).toEqual(before);
  });

  test("when the session cannot be loaded, which is no sign-out", async () => {
    const one = await scenes.open([]);
    one.sessions.set(one.ref, () => Promise.reject(new Error("the session store is down")));
    expect(await one.tryStart("Hi")).toEqual({ ok: false, reason: "session_unavailable" });
  });

  test("in somebody else's chat as in none at all", async () => {
    const [one, other] = [await scenes.open([]), await scenes.open([])];
    const foreign = await one.tryStart("Hi", { conversationId: other.conversationId });
    const absent = await one.tryStart("Hi", { conversationId: randomUUID() });
    expect(foreign).toEqual({ ok: false, reason: "not_found" });
    expect(absent).toEqual(foreign);
  });

  test("while a turn of the user runs, in any chat, with which chat and when to ask again", async () => {
    const gate = createGate();
    const one = await scenes.open([{ text: "Hello.", before: gate.pass }]);
    const turnId = await one.start("Hi");
    await gate.reached;
    const another = await one.node.chat.createConversation(one.ref);
    if (!another.ok) throw new Error(another.reason);
    const answer = await one.tryStart("Hi too", { conversationId: another.conversation.id });
    expect(answer).toMatchObject({
      ok: false,
      reason: "turn_running",
      holder: { kind: "turn", conversationId: one.conversationId, turnId },
    });
    expect(!answer.ok && answer.retryAfter).toBeGreaterThan(0);
    gate.open();
    await one.node.turns.idle();
    expect(await one.told()).toHaveLength(2);
  });

  test("beyond the user's limits, with when to ask again", async () => {
    const one = await scenes.open(["Hello."], { settings: { turnsPerHour: 1 } });
    await one.ask("Hi");
    const answer = await one.tryStart("Hi");
    expect(answer).toMatchObject({ ok: false, reason: "turn_limit" });
    expect(!answer.ok && answer.retryAfter).toBeGreaterThan(0);
    expect(await rowsOf(one)).toEqual({ turns: 1, locks: 0, messages: 2 });
  });

  test("by the guard, under the lock, which is given back and counts as no turn", async () => {
    const one = await scenes.open(["Hello."], { settings: { turnsPerHour: 1, aiOn: false } });
    expect(await one.tryStart("Hi")).toEqual({ ok: false, reason: "ai_off" });
    expect(await rowsOf(one)).toEqual(nothing);
    await one.node.settings.setSite({ aiOn: true });
    await one.ask("Hi");
    expect(await one.told()).toEqual(["user: Hi", "assistant: Hello."]);
  });

  test("once the process is told to end, also for a start under way", async () => {
    const gate = createGate();
    const one = await scenes.open([], { before: { acquireForTurn: gate.pass } });
    const starting = one.tryStart("Hi");
    await gate.reached;
    const drained = one.node.turns.drain();
    expect(await one.tryStart("Hi")).toEqual({ ok: false, reason: "shutting_down" });
    gate.open();
    expect(await starting).toEqual({ ok: false, reason: "shutting_down" });
    await drained;
    expect(await rowsOf(one)).toEqual(nothing);
  });
});

describe("The longest message", () => {
  test("is 20,000 characters", async () => {
    const one = await scenes.open(["Hello."]);
    expect(await one.tryStart("x".repeat(20_001))).toEqual({ ok: false, reason: "message_too_long" });
    await one.ask("x".repeat(20_000));
    expect(await one.told()).toHaveLength(2);
  });
});
