import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { countRows, readTurn } from "../../test/turns/turn-rows.ts";
import { sql } from "../database/sql.ts";
import { createBills } from "../testing/bills.ts";
import { createGate, type Gate } from "../testing/gate.ts";
import type { ScriptedAnswer } from "../testing/scripted-model.ts";
import { createTestDatabase, type TestDatabase } from "../testing/test-database.ts";
import { createTestNode } from "../testing/test-node.ts";
import { createTurnScenes, type TurnScene } from "../testing/turn-scene.ts";

let db: TestDatabase;
const scenes = createTurnScenes(() => db.connectionString);
beforeAll(async () => {
  db = await createTestDatabase();
});
afterEach(() => scenes.close());
afterAll(() => db.drop());

const calls = (...ids: readonly string[]): ScriptedAnswer => ({
  text: "Let me see.",
  calls: ids.map((id) => ({ name: "bills__find", arguments: { id } })),
});

const stop = ({ node, ref, conversationId }: TurnScene, turnId: string) =>
  node.turns.stop(ref, { conversationId, turnId });

/** Stops the turn while something waits at the gate, then lets it go on. */
async function stopAt(scene: TurnScene, gate: Gate): Promise<string> {
  const turnId = await scene.start("Hi");
  await gate.reached;
  expect(await stop(scene, turnId)).toEqual({ ok: true });
  gate.open();
  await scene.node.turns.idle();
  return turnId;
}

describe("Stop is seen", () => {
  test("before the user's message is stored: nothing is left in the chat, and the composer keeps its text", async () => {
    const gate = createGate();
    const scene = await scenes.open([], { after: { acquireForTurn: gate.pass } });
    const events = await scene.watch();
    const starting = scene.start("Hi");
    await gate.reached;
    const holder = await scene.node.chat.lockNow(scene.userId);
    expect(await stop(scene, holder?.turnId ?? "")).toEqual({ ok: true });
    gate.open();
    const turnId = await starting;
    await scene.node.turns.idle();
    expect(await scene.told()).toEqual([]);
    expect(await readTurn(db.database, turnId)).toEqual({ how: "stopped", rounds: 0, asked: false });
    expect(events.at(-1)).toEqual({ type: "turn_ended", turnId, how: "stopped", asked: false });
    scene.model.assertUsedUp();
  });

  test("while the user's message is stored: it stays, and the model is not called", async () => {
    const gate = createGate();
    const scene = await scenes.open([], { before: { storeQuestion: gate.pass } });
    const turnId = await stopAt(scene, gate);
    expect(await scene.told()).toEqual(["user: Hi", "notice: stopped"]);
    expect(await readTurn(db.database, turnId)).toMatchObject({ how: "stopped" });
    scene.model.assertUsedUp();
  });

  test("before a round", async () => {
    const gate = createGate();
    const scene = await scenes.open([], { after: { storeQuestion: gate.pass } });
    await stopAt(scene, gate);
    expect(await scene.told()).toEqual(["user: Hi", "notice: stopped"]);
    scene.model.assertUsedUp();
  });

  test("before a result is stored: the result is in the chat before the notice", async () => {
    const gate = createGate();
    const bills = createBills();
    bills.find = () => gate.pass().then(() => "found");
    let stores = 0;
    const before = {
      // Slower than an end that would not wait for it.
      async store() {
        if (++stores === 2) for (let looks = 0; looks < 20; looks++) await db.database.query(sql`select 1`);
      },
    };
    const scene = await scenes.open([calls("1")], { modules: [bills.module], before });
    await stopAt(scene, gate);
    expect((await scene.told()).slice(2)).toEqual(["tool ok: found", "notice: stopped"]);
  });

  test("before a later round: what was stored stays, and the model is not called again", async () => {
    const gate = createGate();
    let stores = 0;
    const after = { store: () => (++stores === 2 ? gate.pass() : undefined) };
    const scene = await scenes.open([calls("1")], { modules: [createBills().module], after });
    await stopAt(scene, gate);
    expect((await scene.told()).slice(1)).toEqual([
      "assistant: Let me see. [bills.find]",
      'tool ok: {"id":"1"}',
      "notice: stopped",
    ]);
    scene.model.assertUsedUp();
  });

  test("as soon as the model has answered: its partial answer is not kept, its journal row is written", async () => {
    const gate = createGate();
    const bills = createBills();
    const scene = await scenes.open([{ ...calls("1"), between: gate.pass }], { modules: [bills.module] });
    await stopAt(scene, gate);
    expect(await scene.told()).toEqual(["user: Hi", "notice: stopped"]);
    expect(bills.reads).toEqual([]);
    const rows = await db.database.query(sql`
select status, cost_micros::int as cost from ai_requests where user_id = ${scene.userId}`);
    expect(rows).toEqual([{ status: "ok", cost: 105 }]);
  });

  test("between the answer and its first call", async () => {
    const gate = createGate();
    const bills = createBills();
    const scene = await scenes.open([calls("1")], { modules: [bills.module], after: { store: gate.pass } });
    await stopAt(scene, gate);
    expect(await scene.told()).toEqual(["user: Hi", "assistant: Let me see. [bills.find]", "notice: stopped"]);
    expect(bills.reads).toEqual([]);
  });

  test("before each tool call: the one under way comes to its end, the next is not begun", async () => {
    const gate = createGate();
    const bills = createBills();
    bills.find = async (id) => {
      await gate.pass();
      return id;
    };
    const scene = await scenes.open([calls("1", "2")], { modules: [bills.module] });
    await stopAt(scene, gate);
    expect(bills.reads).toEqual(["1"]);
    expect((await scene.told()).at(-1)).toBe("notice: stopped");
    scene.model.assertUsedUp();
  });

  test("by the turn of another node, at once", async () => {
    const gate = createGate();
    const scene = await scenes.open([{ text: "Half", between: gate.pass }]);
    const { sessions, model } = scene;
    const other = await createTestNode({ connectionString: db.connectionString, sessions, model });
    const events = await scene.watch((event) => {
      if (event.type === "turn" && event.turn.activity === "stopping") gate.open();
    });
    const turnId = await scene.start("Hi");
    await gate.reached;
    const { ref, conversationId } = scene;
    expect(await other.turns.stop(ref, { conversationId, turnId })).toEqual({ ok: true });
    await scene.node.turns.idle();
    expect(await scene.told()).toEqual(["user: Hi", "notice: stopped"]);
    expect(events.at(-1)).toMatchObject({ type: "turn_ended", how: "stopped" });
    await other.close();
  });

  test("by the statement that stores, where no notification came: nothing is run after it", async () => {
    const bills = createBills();
    const before = {
      store: () =>
        db.database.query(sql`
update locks set stop_requested_at = clock_timestamp() where user_id = ${scene.userId}`),
    };
    const scene: TurnScene = await scenes.open([calls("1")], { modules: [bills.module], before });
    await scene.ask("Hi");
    expect((await scene.told()).slice(1)).toEqual(["assistant: Let me see. [bills.find]", "notice: stopped"]);
    expect(bills.reads).toEqual([]);
  });

  test("by the keep, where no notification came", async () => {
    const gate = createGate();
    const scene = await scenes.open([{ text: "Half", hang: true, before: gate.pass }], {
      settings: { turnKeepMs: 100, stopGrace: 1 },
    });
    await scene.start("Hi");
    await gate.reached;
    gate.open();
    await db.database.query(sql`
update locks set stop_requested_at = clock_timestamp() where user_id = ${scene.userId}`);
    await scene.node.turns.idle();
    expect(await scene.told()).toEqual(["user: Hi", "notice: stopped"]);
  });
});

test("No new attempt of a model call is made once a stop was asked for", async () => {
  const gate = createGate();
  const scene = await scenes.open([{ fail: { status: 503 }, before: gate.pass }]);
  await stopAt(scene, gate);
  expect(await scene.told()).toEqual(["user: Hi", "notice: stopped"]);
  expect(scene.model.requests).toHaveLength(1);
});

describe("Stop works", () => {
  test("only while the lock bears that turn: a late one does not stop the next turn", async () => {
    const gate = createGate();
    const scene = await scenes.open(["One.", { text: "Two.", before: gate.pass }]);
    const first = await scene.start("Hi");
    await scene.node.turns.idle();
    await scene.start("Hi again");
    await gate.reached;
    expect(await stop(scene, first)).toEqual({ ok: false, reason: "not_running" });
    gate.open();
    await scene.node.turns.idle();
    expect((await scene.told()).at(-1)).toBe("assistant: Two.");
  });

  test("for its own user alone", async () => {
    const gate = createGate();
    const scene = await scenes.open([{ text: "One.", before: gate.pass }]);
    const stranger = await scenes.open([], { sessions: scene.sessions });
    const turnId = await scene.start("Hi");
    await gate.reached;
    expect(await scene.node.turns.stop(stranger.ref, { conversationId: scene.conversationId, turnId })).toEqual({
      ok: false,
      reason: "not_found",
    });
    expect(await stop(stranger, turnId)).toEqual({ ok: false, reason: "not_running" });
    gate.open();
    await scene.node.turns.idle();
    expect(await scene.told()).toEqual(["user: Hi", "assistant: One."]);
  });
});

describe("Past the grace", () => {
  test("the signal of a model call fires, and the turn ends without it", async () => {
    const gate = createGate();
    const scene = await scenes.open([{ text: "Half", hang: true, before: gate.pass }], { settings: { stopGrace: 1 } });
    const turnId = await scene.start("Hi");
    await gate.reached;
    gate.open();
    await stop(scene, turnId);
    await scene.node.turns.idle();
    expect(await scene.told()).toEqual(["user: Hi", "notice: stopped"]);
    const rows = await db.database.query(sql`
select status, code from ai_requests where user_id = ${scene.userId}`);
    expect(rows).toEqual([{ status: "error", code: "aborted" }]);
  });

  test("a handler that ignores its signal and answers late stores nothing", async () => {
    const gate = createGate();
    const bills = createBills();
    bills.find = async () => {
      await gate.pass();
      return "late";
    };
    const scene = await scenes.open([calls("1"), "Next."], { modules: [bills.module], settings: { stopGrace: 1 } });
    const turnId = await scene.start("Hi");
    await gate.reached;
    await stop(scene, turnId);
    await scene.node.turns.idle();
    const told = await scene.told();
    expect(told.at(-1)).toBe("notice: stopped");
    gate.open();
    await scene.ask("Hello?");
    expect((await scene.told()).slice(told.length)).toEqual(["user: Hello?", "assistant: Next."]);
    expect(JSON.stringify(await scene.told())).not.toContain("late");
  });

  test("a preview that answers late leaves no card", async () => {
    const gate = createGate();
    const bills = createBills();
    bills.beforePreview = gate.pass;
    const scene = await scenes.open([{ calls: [{ name: "bills__pay", arguments: { id: "7" } }] }], {
      ...{ modules: [bills.module], settings: { stopGrace: 1 } },
    });
    const turnId = await scene.start("Hi");
    await gate.reached;
    await stop(scene, turnId);
    await scene.node.turns.idle();
    gate.open();
    expect((await scene.told()).slice(1)).toEqual(["assistant:  [bills.pay]", "notice: stopped"]);
    expect(await countRows(db.database, scene.userId)).toMatchObject({ locks: 0 });
  });
});

describe("The deadline", () => {
  test("asks as a stop does, and is told as deadline", async () => {
    const gate = createGate();
    const scene = await scenes.open([{ text: "Half", hang: true, before: gate.pass }], {
      settings: { turnDeadline: 5, stopGrace: 1 },
    });
    const turnId = await scene.start("Hi");
    gate.open();
    await scene.node.turns.idle();
    expect(await scene.told()).toEqual(["user: Hi", "notice: deadline"]);
    expect(await readTurn(db.database, turnId)).toMatchObject({ how: "deadline" });
  });
});
