import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createBills } from "../testing/bills.ts";
import { createGate } from "../testing/gate.ts";
import type { ScriptedAnswer } from "../testing/scripted-model.ts";
import { createTestDatabase, type TestDatabase } from "../testing/test-database.ts";
import { createTestNode, type TestNode } from "../testing/test-node.ts";
import { createTurnScenes, type TurnScene } from "../testing/turn-scene.ts";
import type { RunningTurn, ServerEvent } from "../wire/events.ts";

let db: TestDatabase;
const scenes = createTurnScenes(() => db.connectionString);
const others: TestNode[] = [];
beforeAll(async () => {
  db = await createTestDatabase();
});
afterEach(async () => {
  for (const node of others.splice(0)) await node.close();
  await scenes.close();
});
afterAll(() => db.drop());

const find: ScriptedAnswer = { text: "Let me see.", calls: [{ name: "bills__find", arguments: { id: "1" } }] };

/** A scene whose turn runs on its own node, and how to come to the same chat on another. */
async function onTwoNodes(script: readonly ScriptedAnswer[], bills = createBills()) {
  const scene = await scenes.open(script, { modules: [bills.module] });
  const { sessions, model } = scene;
  const other = await createTestNode({ connectionString: db.connectionString, sessions, model });
  others.push(other);
  return { scene, other, comeThere: () => scene.watch(undefined, other) };
}

/** The running turn as the watcher's page holds it. */
function seenBy(events: readonly ServerEvent[]): RunningTurn | null {
  return events.reduce<RunningTurn | null>((turn, event) => {
    if (event.type === "hello" || event.type === "turn") return event.turn;
    if (event.type === "turn_ended") return null;
    if (event.type === "delta" && turn !== null && event.at <= turn.text.length) {
      return { ...turn, activity: "answering", text: turn.text.slice(0, event.at) + event.text };
    }
    return turn;
  }, null);
}

const stopAt = (node: TestNode, { ref, conversationId }: TurnScene, turnId: string) =>
  node.turns.stop(ref, { conversationId, turnId });

describe("Who comes to another node in the middle of a turn", () => {
  test("is told at once that it runs, then which tool is being run, its text, and its end", async () => {
    const [inTool, inText] = [createGate(), createGate()];
    const bills = createBills();
    bills.find = () => inTool.pass().then(() => "found");
    const { scene, comeThere } = await onTwoNodes([find, { text: ["It is ", "here."], between: inText.pass }], bills);
    const turnId = await scene.start("Hi");
    await inTool.reached;

    const events = await comeThere();
    expect(events[0]).toMatchObject({ type: "hello", lastSeq: 2, turn: { turnId } });
    await expect.poll(() => seenBy(events)).toMatchObject({ turnId, activity: "tool", toolTitle: "Find a bill" });
    const second = await comeThere();
    expect(second[0]).toMatchObject({ type: "hello", turn: { turnId, activity: "tool", toolTitle: "Find a bill" } });

    inTool.open();
    await inText.reached;
    await expect.poll(() => seenBy(events)).toMatchObject({ activity: "answering", text: "It is here." });
    const third = await comeThere();
    expect(third[0]).toMatchObject({ type: "hello", lastSeq: 3, turn: { activity: "answering", text: "It is here." } });

    inText.open();
    await scene.node.turns.idle();
    for (const watched of [events, second, third]) {
      await expect.poll(() => watched.at(-1)).toEqual({ type: "turn_ended", turnId, how: "answer", asked: true });
    }
    expect((await comeThere())[0]).toMatchObject({ type: "hello", lastSeq: 4, turn: null });
  });

  test("can stop it there, and sees that it is stopping from the word of the node it runs on", async () => {
    const gate = createGate();
    const bills = createBills();
    bills.find = () => gate.pass().then(() => "found");
    const { scene, other, comeThere } = await onTwoNodes([find], bills);
    const turnId = await scene.start("Hi");
    await gate.reached;
    const events = await comeThere();
    expect(await stopAt(other, scene, turnId)).toEqual({ ok: true });
    await expect.poll(() => seenBy(events)?.activity).toBe("stopping");
    expect((await comeThere())[0]).toMatchObject({ type: "hello", turn: { turnId, activity: "stopping" } });
    gate.open();
    await scene.node.turns.idle();
    await expect.poll(() => events.at(-1)).toEqual({ type: "turn_ended", turnId, how: "stopped", asked: true });
    expect((await scene.told()).at(-1)).toBe("notice: stopped");
    expect(await stopAt(other, scene, turnId)).toEqual({ ok: false, reason: "not_running" });
  });

  test("is told that it is stopping though the stop was asked for before anybody watched there", async () => {
    const gate = createGate();
    const bills = createBills();
    bills.find = () => gate.pass().then(() => "found");
    const { scene, other, comeThere } = await onTwoNodes([find], bills);
    const turnId = await scene.start("Hi");
    await gate.reached;
    expect(await stopAt(other, scene, turnId)).toEqual({ ok: true });
    expect((await comeThere())[0]).toMatchObject({ type: "hello", turn: { turnId, activity: "stopping" } });
    gate.open();
    await scene.node.turns.idle();
  });
});
