import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { sql } from "../../src/database/sql.ts";
import { createRedisBus } from "../../src/redis/redis-bus.ts";
import { createBills } from "../../src/testing/bills.ts";
import { createGate } from "../../src/testing/gate.ts";
import type { ScriptedAnswer } from "../../src/testing/scripted-model.ts";
import { createTestDatabase, type TestDatabase } from "../../src/testing/test-database.ts";
import { createTestNode, type TestNode } from "../../src/testing/test-node.ts";
import { createTurnScenes } from "../../src/testing/turn-scene.ts";
import type { ServerEvent } from "../../src/wire/events.ts";
import { noRedis, startRedis, type RedisServer } from "./redis-server.ts";

const find: ScriptedAnswer = { text: "Let me see.", calls: [{ name: "bills__find", arguments: { id: "1" } }] };

const skipped = noRedis === null ? "" : ` (skipped: ${noRedis})`;

describe.skipIf(noRedis !== null)(`Two nodes over Redis${skipped}`, () => {
  let db: TestDatabase;
  let redis: RedisServer;
  const scenes = createTurnScenes(() => db.connectionString);
  const others: TestNode[] = [];
  beforeAll(async () => {
    db = await createTestDatabase();
  });
  beforeEach(async () => {
    redis = await startRedis();
  });
  afterEach(async () => {
    for (const node of others.splice(0)) await node.close();
    await scenes.close();
    await redis.kill();
  });
  afterAll(() => db.drop());

  /** A chat whose turns run on one node, watched on another. */
  async function open(script: readonly ScriptedAnswer[], bills = createBills()) {
    const reach = () => ({ bus: createRedisBus({ url: redis.url }) });
    const scene = await scenes.open(script, { modules: [bills.module], reach: reach() });
    const { sessions, model } = scene;
    const other = await createTestNode({ connectionString: db.connectionString, sessions, model, reach: reach() });
    others.push(other);
    const events = await scene.watch(undefined, other);
    return { scene, other, events };
  }

  const seqs = (events: readonly ServerEvent[]) =>
    events.flatMap((event) => (event.type === "message" ? [event.message.seq] : []));
  const text = (events: readonly ServerEvent[]) =>
    events
      .map((event) => (event.type === "delta" ? event.text : event.type === "turn" ? event.turn.text : ""))
      .join("");

  test("each message is told once and in order, and no connection of the database listens", async () => {
    const { scene, events } = await open([find, { text: "One." }, find, { text: "Two." }]);
    await scene.ask("Hi");
    await scene.ask("And?");
    await expect.poll(() => seqs(events).at(-1)).toBe(8);
    expect(seqs(events)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    const listening = await scene.node.database.query(
      sql`select pid from pg_stat_activity where datname = current_database() and query ilike 'listen%'`,
    );
    expect(listening).toEqual([]);
  });

  test("text crosses as it is written", async () => {
    const gate = createGate();
    const { scene, events } = await open([{ text: ["It is ", "here."], between: gate.pass }]);
    await scene.start("Hi");
    await gate.reached;
    // No row holds it yet: only the bus can have brought it.
    await expect.poll(() => text(events)).toContain("It is ");
    expect(seqs(events)).not.toContain(2);
    gate.open();
    await scene.node.turns.idle();
  });

  test("a stop crosses: the node that runs the turn hears it at once", async () => {
    const gate = createGate();
    const { scene, other, events } = await open([{ text: ["It is ", "here."], between: gate.pass }]);
    const turnId = await scene.start("Hi");
    await gate.reached;
    await expect.poll(() => text(events)).toContain("It is ");
    const heard = Promise.withResolvers<string>();
    scene.node.chat.onStop(heard.resolve);
    expect(await other.turns.stop(scene.ref, { conversationId: scene.conversationId, turnId })).toEqual({ ok: true });
    expect(await heard.promise).toBe(turnId);
    gate.open();
    await scene.node.turns.idle();
    expect((await scene.told()).at(-1)).toBe("notice: stopped");
  });

  test("Redis killed in the middle of a turn: every message is told once and in order all the same, and text crosses again once it is back", async () => {
    const [inTool, inText] = [createGate(), createGate()];
    const bills = createBills();
    bills.find = () => inTool.pass().then(() => "found");
    const { scene, events } = await open(
      [find, { text: "Found." }, { text: ["Back ", "again."], between: inText.pass }],
      bills,
    );
    await scene.start("Hi");
    await inTool.reached;
    await redis.kill();
    inTool.open();
    await scene.node.turns.idle();
    await expect.poll(() => seqs(events)).toEqual([1, 2, 3, 4]);
    await expect.poll(() => events.at(-1)?.type).toBe("turn_ended");

    await redis.start();
    await scene.start("Again");
    await inText.reached;
    await expect.poll(() => text(events)).toContain("Back ");
    inText.open();
    await scene.node.turns.idle();
    await expect.poll(() => seqs(events)).toEqual([1, 2, 3, 4, 5, 6]);
  });

  test("nodes start and answer while Redis is away", async () => {
    await redis.kill();
    const { scene, events } = await open([{ text: "Hello." }]);
    expect((await scene.ask("Hi")).length).toBe(2);
    await expect.poll(() => seqs(events)).toEqual([1, 2]);
  });
});
