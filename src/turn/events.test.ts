import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createBills } from "../testing/bills.ts";
import { createGate } from "../testing/gate.ts";
import { createTestDatabase, type TestDatabase } from "../testing/test-database.ts";
import { createTurnScenes } from "../testing/turn-scene.ts";
import type { ServerEvent } from "../wire/events.ts";

let db: TestDatabase;
const scenes = createTurnScenes(() => db.connectionString);
beforeAll(async () => {
  db = await createTestDatabase();
});
afterEach(() => scenes.close());
afterAll(() => db.drop());

/** What happened, in short; `hello` and the chat's title left out. */
function inShort(events: readonly ServerEvent[]): readonly string[] {
  return events.flatMap((event) => {
    switch (event.type) {
      case "turn":
        return [`${event.turn.activity}${event.turn.toolTitle === null ? "" : `: ${event.turn.toolTitle}`}`];
      case "delta":
        return [`@${event.at} ${event.text}`];
      case "message":
        return [event.message.role];
      case "turn_ended":
        return [`ended: ${event.how}`];
      case "retract":
        return ["retract"];
      default:
        return [];
    }
  });
}

const find = { name: "bills__find", arguments: { id: "1" } };

describe("Those who watch are told", () => {
  test("what the turn does, its text as it comes with the place of each piece, and its end", async () => {
    const bills = createBills();
    const scene = await scenes.open([{ text: ["Let ", "me see."], calls: [find] }, { text: ["It is ", "here."] }], {
      modules: [bills.module],
    });
    const events = await scene.watch();
    await scene.start("Hi");
    await scene.node.turns.idle();
    expect(inShort(events)).toEqual([
      "starting",
      "user",
      "thinking",
      "answering",
      "@0 Let ",
      "@4 me see.",
      "assistant",
      "tool: Find a bill",
      "tool",
      "thinking",
      "answering",
      "@0 It is ",
      "@6 here.",
      "assistant",
      "ended: answer",
    ]);
  });

  test("the whole of an answer that ends like the beginning of a marker", async () => {
    const scene = await scenes.open([{ text: ["The sign is ⟦", "off_pur"] }]);
    const events = await scene.watch();
    await scene.ask("Hi");
    expect(inShort(events).filter((line) => line.startsWith("@"))).toEqual(["@0 The sign is ", "@12 ⟦off_pur"]);
    expect((await scene.told()).at(-1)).toBe("assistant: The sign is ⟦off_pur");
  });

  test("to take back text that is not stored, before the notice in its place", async () => {
    const scene = await scenes.open([{ text: ["Half an answer"], breakWith: { message: "overloaded", code: 529 } }]);
    const events = await scene.watch();
    await scene.start("Hi");
    await scene.node.turns.idle();
    expect(inShort(events).slice(-4)).toEqual(["@0 Half an answer", "retract", "notice", "ended: notice"]);
  });

  test("that it is stopping, from the server's word; text that comes after it is not shown, and what was is taken back", async () => {
    const gate = createGate();
    const later = createGate();
    const scene = await scenes.open([{ text: ["Shown"], between: gate.pass, calls: [] }]);
    const events = await scene.watch((event) => {
      if (event.type === "turn" && event.turn.activity === "stopping") later.open();
    });
    const turnId = await scene.start("Hi");
    await gate.reached;
    const { node, ref, conversationId } = scene;
    await node.turns.stop(ref, { conversationId, turnId });
    await later.pass();
    gate.open();
    await node.turns.idle();
    expect(inShort(events).slice(-5)).toEqual(["@0 Shown", "stopping", "retract", "notice", "ended: stopped"]);
  });

  test("no text that comes after a stop was asked for", async () => {
    const gate = createGate();
    const scene = await scenes.open([{ text: ["Too ", "late"], before: gate.pass }]);
    const events = await scene.watch();
    const turnId = await scene.start("Hi");
    await gate.reached;
    const { node, ref, conversationId } = scene;
    await node.turns.stop(ref, { conversationId, turnId });
    gate.open();
    await node.turns.idle();
    expect(inShort(events)).toEqual(["starting", "user", "thinking", "stopping", "notice", "ended: stopped"]);
  });

  test("nothing of a turn that is over, though its task still runs", async () => {
    const gate = createGate();
    const bills = createBills();
    bills.find = gate.pass;
    const scene = await scenes.open([{ calls: [find, find] }], { modules: [bills.module], settings: { stopGrace: 1 } });
    const events = await scene.watch();
    const turnId = await scene.start("Hi");
    await gate.reached;
    const { node, ref, conversationId } = scene;
    await node.turns.stop(ref, { conversationId, turnId });
    await node.turns.idle();
    const told = events.length;
    gate.open();
    await node.turns.idle();
    expect(inShort(events).at(-1)).toBe("ended: stopped");
    expect(events).toHaveLength(told);
  });

  test("what runs now, when they come in the middle", async () => {
    const gate = createGate();
    const scene = await scenes.open([{ text: ["So far"], between: gate.pass }]);
    const turnId = await scene.start("Hi");
    await gate.reached;
    const { conversationId, userId, node } = scene;
    expect(node.chat.running(userId, conversationId)).toEqual({
      ...{ turnId, conversationId, activity: "answering", toolTitle: null, text: "So far" },
    });
    gate.open();
    await node.turns.idle();
    expect(node.chat.running(userId, conversationId)).toBeNull();
  });
});
