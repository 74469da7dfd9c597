import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { randomUUID } from "node:crypto";
import { countRows, readTurn } from "../../test/turns/turn-rows.ts";
import { sql } from "../database/sql.ts";
import { createBills } from "../testing/bills.ts";
import { createGate } from "../testing/gate.ts";
import { type ScriptedAnswer, scriptedModel, type ScriptedStep } from "../testing/scripted-model.ts";
import { createTestDatabase, type TestDatabase } from "../testing/test-database.ts";
import { type ChatHooks, createTestNode, type TestNode } from "../testing/test-node.ts";
import { createTurnScenes, type TurnScene } from "../testing/turn-scene.ts";
import { sweep } from "./sweeper.ts";

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

// What is abandoned is not kept: its lock lapses in half a second.
const shortHold = { lockHold: 500, turnKeepMs: 100, clickKeepMs: 100 };

async function secondNode(
  scene: TurnScene,
  sweepEvery: number,
  script: readonly ScriptedStep[] = [],
): Promise<TestNode> {
  const { sessions } = scene;
  const node = await createTestNode({
    ...{
      connectionString: db.connectionString,
      sessions,
      model: scriptedModel(script),
      modules: [createBills().module],
    },
    settings: { ...shortHold, sweepEvery },
  });
  others.push(node);
  return node;
}

const find: ScriptedAnswer = { text: "Let me see.", calls: [{ name: "bills__find", arguments: { id: "1" } }] };

const pay: ScriptedAnswer = { calls: [{ name: "bills__pay", arguments: { id: "7" } }] };

const places = [
  "before the question is stored",
  "between the question and the first round",
  "while the session is looked at",
  "inside a model call",
  "before the answer is stored",
  "between the answer and its results",
  "inside a tool",
  "before the result is stored",
  "between the results and the next round",
  "inside the next round's model call",
  "inside a dry run",
  "before the last statement",
] as const;
type Place = (typeof places)[number];

/** A turn whose node stops keeping its lock and stands still at a place. */
async function abandonedAt(place: Place) {
  const gate = createGate();
  const bills = createBills();
  let stores = 0;
  const before: ChatHooks = { keep: () => Promise.reject(new Error("cut off")) };
  const after: ChatHooks = {};
  if (place === "before the question is stored") before.storeQuestion = gate.pass;
  if (place === "between the question and the first round") after.storeQuestion = gate.pass;
  if (place === "between the answer and its results") after.store = gate.pass;
  if (place === "inside a tool") bills.find = () => gate.pass().then(() => "found");
  const atStore = (number: number) => () => (++stores === number ? gate.pass() : undefined);
  if (place === "before the answer is stored") before.store = atStore(1);
  if (place === "before the result is stored") before.store = atStore(2);
  if (place === "between the results and the next round") after.store = atStore(2);
  if (place === "inside a dry run") bills.beforePreview = gate.pass;
  if (place === "before the last statement") before.finish = gate.pass;
  const held = { between: gate.pass };
  const first = place === "inside a dry run" ? pay : { ...find, ...(place === "inside a model call" && held) };
  const next = { text: "It is found.", ...(place === "inside the next round's model call" && held) };
  const scene = await scenes.open([first, next], {
    modules: [bills.module],
    settings: shortHold,
    before,
    after,
  });
  if (place === "while the session is looked at") {
    const { session, sessions, ref } = scene;
    bills.find = () => {
      sessions.set(ref, async () => {
        await gate.pass();
        return session;
      });
      return "found";
    };
  }
  const turnId = await scene.start("Hi");
  await gate.reached;
  const wake = async (): Promise<void> => {
    // It wakes with its connections working: what holds it back is the fence alone.
    delete before.keep;
    gate.open();
    await scene.node.turns.idle();
  };
  return { scene, turnId, bills, wake };
}

describe("A turn whose node died", () => {
  test.each(places)("is ended by the sweeper of another node, and stores nothing when it wakes: %s", async (place) => {
    const { scene, turnId, wake } = await abandonedAt(place);
    await secondNode(scene, 100);
    await expect.poll(async () => (await readTurn(db.database, turnId))?.how, { timeout: 10_000 }).toBe("interrupted");
    const told = await scene.told();
    const asked = place !== "before the question is stored";
    expect(told.filter((line) => line.startsWith("notice"))).toEqual(asked ? ["notice: interrupted"] : []);
    expect(told.at(-1)).toBe(asked ? "notice: interrupted" : undefined);
    await wake();
    expect(await scene.told()).toEqual(told);
    expect(await readTurn(db.database, turnId)).toMatchObject({ how: "interrupted", asked });
    expect(await countRows(db.database, scene.userId)).toMatchObject({ turns: 1, locks: 0 });
  });

  test("is ended by the next start, in the statement that takes the lock", async () => {
    const { scene, turnId, wake } = await abandonedAt("inside a model call");
    const other = await secondNode(scene, 60_000, ["Here I am."]);
    const { ref, conversationId } = scene;
    const start = () =>
      other.turns.start(ref, {
        ...{ conversationId, text: "Again", clientId: randomUUID(), requestContext: { requestId: randomUUID() } },
      });
    await expect.poll(start, { timeout: 10_000 }).toMatchObject({ ok: true });
    await other.turns.idle();
    await wake();
    expect(await scene.told()).toEqual(["user: Hi", "notice: interrupted", "user: Again", "assistant: Here I am."]);
    expect(await readTurn(db.database, turnId)).toMatchObject({ how: "interrupted" });
  });

  test("is ended by a click, in the statement that takes the lock", async () => {
    const gate = createGate();
    const before: ChatHooks = {};
    const scene = await scenes.open([pay, { text: "Half", between: gate.pass }], {
      ...{ modules: [createBills().module], settings: shortHold, before },
    });
    const card = (await scene.ask("Pay 7.")).at(-1);
    before.keep = () => Promise.reject(new Error("cut off"));
    const turnId = await scene.start("And?");
    await gate.reached;
    const other = await secondNode(scene, 60_000);
    const { ref, conversationId } = scene;
    const reject = () =>
      other.confirmations.reject(ref, {
        ...{ conversationId, messageId: card?.id ?? "", requestContext: { requestId: randomUUID() } },
      });
    await expect.poll(reject, { timeout: 10_000 }).toMatchObject({ ok: true, outcome: "rejected" });
    gate.open();
    await scene.node.turns.idle();
    expect((await scene.told()).slice(3)).toEqual(["user: And?", "notice: interrupted", "notice: rejected"]);
    expect(await readTurn(db.database, turnId)).toMatchObject({ how: "interrupted" });
  });

  test("runs no further tool when it wakes", async () => {
    const { scene, turnId, bills, wake } = await abandonedAt("between the answer and its results");
    await secondNode(scene, 100);
    await expect.poll(async () => (await readTurn(db.database, turnId))?.how, { timeout: 10_000 }).toBe("interrupted");
    await wake();
    expect(bills.reads).toEqual([]);
  });
});

describe("However quiet the model, a turn that lives", () => {
  test("keeps its lock beside the work, for longer than the hold", async () => {
    const gate = createGate();
    const scene = await scenes.open([{ text: "At last.", before: gate.pass }], { settings: shortHold });
    await secondNode(scene, 100);
    await scene.start("Hi");
    await gate.reached;
    const [begun] = await db.database.query<{ at: Date }>(sql`select clock_timestamp() as at`);
    const passed = () =>
      db.database.query<{ long: boolean }>(sql`
select kept_at > ${begun?.at}::timestamptz + interval '1 second' as long from locks where user_id = ${scene.userId}`);
    await expect.poll(passed, { timeout: 10_000 }).toEqual([{ long: true }]);
    gate.open();
    await scene.node.turns.idle();
    expect(await scene.told()).toEqual(["user: Hi", "assistant: At last."]);
  });
});

describe("The sweeper", () => {
  test("settles the cards of a chat whose click died", async () => {
    const scene = await scenes.open([pay], { modules: [createBills().module], settings: shortHold });
    await scene.ask("Pay 7.");
    const { userId, conversationId, node } = scene;
    await node.chat.acquireForClick({ session: { userId }, conversationId, cardId: null, token: randomUUID() });
    await db.database.query(sql`
update confirmations set expires_at = clock_timestamp() - interval '1 second' where user_id = ${userId}`);
    await secondNode(scene, 100);
    await expect.poll(() => scene.told(), { timeout: 10_000 }).toContain("notice: expired");
    expect(await countRows(db.database, userId)).toMatchObject({ locks: 0 });
  });

  test("goes on with its other parts when one fails", async () => {
    const lines: string[] = [];
    const log = (fields: object): void => void lines.push(JSON.stringify(fields));
    const scene = await scenes.open([], { settings: shortHold });
    const other = await createTestNode({
      ...{ connectionString: db.connectionString, sessions: scene.sessions, model: scriptedModel([]) },
      ...{ settings: { ...shortHold, sweepEvery: 100 }, logger: { debug: log, info: log, warn: log, error: log } },
    });
    others.push(other);
    const broken = { ...other.chat, sweepLocks: () => Promise.reject(new Error("the database is away")) };
    const swept: string[] = [];
    const models = { ...other.models, sweep: async () => void swept.push("journal") };
    const { core, settings, confirmations, attachments } = other;
    const logger = { debug: log, info: log, warn: log, error: log };
    await sweep({ chat: broken, core, models, settings, confirmations, attachments, node: "n", hostName: "h", logger });
    expect(swept).toEqual(["journal"]);
    expect(lines.some((line) => line.includes('"part":"locks"'))).toBe(true);
  });
});
