import { randomUUID } from "node:crypto";
import { afterAll, beforeEach, afterEach, describe, expect, test } from "vitest";
import { connectDatabase } from "../database/connect.ts";
import { sql } from "../database/sql.ts";
import { createGate } from "../testing/gate.ts";
import {
  createModelScene,
  createScriptedScene,
  type ModelScene,
  type ModelSceneOptions,
} from "../testing/model-scene.ts";
import { createTestDatabase, type TestDatabase } from "../testing/test-database.ts";
import { scriptedModel } from "../testing/scripted-model.ts";
import type { BudgetRefusal } from "./create-models.ts";
import type { Endpoint } from "./model.ts";

let own: TestDatabase;
let opened: ModelScene[] = [];
beforeEach(async () => {
  own = await createTestDatabase();
});
afterEach(async () => {
  for (const scene of opened) await scene.close();
  opened = [];
  await own.drop();
});
afterAll(() => {
  expect(opened).toEqual([]);
});

const dollar = 1_000_000;
/** One call can cost a dollar at most: 100 tokens of output at 10,000 dollars a million. */
const costly: Partial<Endpoint> = { price: { input: 0, output: 10_000 }, maxOutputTokens: 100 };
/** It costs half a dollar. */
const half = { text: "Hello", usage: { input: 1, output: 50 } };

function start(
  steps: Parameters<typeof createScriptedScene>[0],
  options: Partial<Parameters<typeof createScriptedScene>[1]> = {},
): ReturnType<typeof createScriptedScene> {
  const scene = createScriptedScene(steps, { database: own.database, endpoint: costly, ...options });
  opened.push(scene);
  return scene;
}

async function counters(userId: string): Promise<readonly { period: string; spent: number; reserved: number }[]> {
  return own.database.query(sql`
    select period, spent_micros::float8 as spent, reserved_micros::float8 as reserved from spend
    where user_id = ${userId} order by period
  `);
}

describe("A budget of a user", () => {
  test("lets a call through only while what it can cost at most still fits", async () => {
    const gate = createGate();
    const { ask, models } = start([{ ...half, before: gate.pass }, half], { values: { userBudgetDay: 1.4 } });
    const first = ask();
    await gate.reached;
    expect(await models.admin.spending("mia")).toEqual({ dayMicros: dollar, monthMicros: dollar });
    const admitted = await models.admit("mia", "agent.chat");
    expect(admitted.ok).toBe(true);
    expect(await ask()).toMatchObject({ ok: false, reason: "budget_user", requestId: null });
    gate.open();
    expect(await first).toMatchObject({ ok: true });
    expect(await counters("mia")).toMatchObject([
      { spent: dollar / 2, reserved: 0 },
      { spent: dollar / 2, reserved: 0 },
    ]);
    expect(await ask()).toMatchObject({ ok: false, reason: "budget_user" });
    expect(await ask({ userId: "tom" })).toMatchObject({ ok: true });
  });

  test("of a month holds although the day has room", async () => {
    const { ask } = start([half, half], { values: { userBudgetDay: 100, userBudgetMonth: 1.5 } });
    expect(await ask()).toMatchObject({ ok: true });
    expect(await ask()).toMatchObject({ ok: true });
    expect(await ask()).toMatchObject({ ok: false, reason: "budget_user" });
  });

  test("that is used up refuses the turn before there is a prompt", async () => {
    const { ask, models } = start([half, half], { values: { userBudgetDay: 1 } });
    await ask();
    expect(await models.admit("mia", "agent.chat")).toMatchObject({ ok: true });
    await own.database.query(sql`update spend set spent_micros = ${dollar}::bigint where user_id = 'mia'`);
    expect(await models.admit("mia", "agent.chat")).toEqual({ ok: false, reason: "budget_user" });
  });

  test("of their own stands above the default", async () => {
    const { ask, settings } = start([half], { values: { userBudgetDay: 0.1 } });
    await settings.setUser("mia", { userBudgetDay: 5 }, { asAdmin: true });
    expect(await ask()).toMatchObject({ ok: true });
    expect(await ask({ userId: "tom" })).toMatchObject({ ok: false, reason: "budget_user" });
  });

  test("knows what was spent before it was set", async () => {
    const before = start([half]);
    await before.ask();
    const after = start([half], { values: { userBudgetDay: 1.4 } });
    expect(await after.ask()).toMatchObject({ ok: false, reason: "budget_user" });
  });
});

describe("A budget of the site", () => {
  test("knows what all its users spent before it was set, and goes on from there", async () => {
    const before = start([half, half]);
    await before.ask({ userId: "mia" });
    await before.ask({ userId: "tom" });
    expect(await counters("")).toEqual([]);
    const after = start([half, half], { values: { siteBudgetMonth: 2.1 } });
    expect(await after.ask({ userId: "eva" })).toMatchObject({ ok: true });
    expect(await counters("")).toMatchObject([
      { spent: 1.5 * dollar, reserved: 0 },
      { spent: 1.5 * dollar, reserved: 0 },
    ]);
    expect(await after.ask({ userId: "eva" })).toMatchObject({ ok: false, reason: "budget_total" });
  });

  test("is never passed by calls of many users at once on several nodes", async () => {
    const gate = createGate();
    const step = { ...half, before: gate.pass };
    const second = await connectDatabase({ connectionString: own.connectionString });
    const [left, right] = [own.database, second].map((database) => {
      const endpoints: Endpoint[] = [
        { name: "first", provider: "openai", model: "big", ...costly, languageModel: scriptedModel({ always: step }) },
      ];
      const scene = createModelScene({ database, endpoints, values: { siteBudgetDay: 7.9, userBudgetDay: 3 } });
      opened.push(scene);
      return scene;
    });
    if (left === undefined || right === undefined) throw new Error("two nodes were started");
    const refusals: string[] = [];
    const ask = async (node: ModelScene, index: number): Promise<boolean> => {
      const answer = await node.ask({ userId: `user-${index % 8}` });
      if (!answer.ok) refusals.push(answer.reason);
      // those that were let through hold what they reserved until all others were judged
      if (refusals.length === 17) gate.open();
      return answer.ok;
    };
    const asked = Array.from({ length: 24 }, (_one, index) => ask(index % 2 === 0 ? left : right, index));
    const answers: readonly boolean[] = await Promise.all(asked);
    expect(answers.filter(Boolean)).toHaveLength(7);
    expect(new Set(refusals)).toEqual(new Set(["budget_total"]));
    expect(await counters("")).toMatchObject([
      { spent: 3.5 * dollar, reserved: 0 },
      { spent: 3.5 * dollar, reserved: 0 },
    ]);
    await second.close();
  });
});

describe("A reservation", () => {
  test("counts as spent when the cost stays unknown", async () => {
    const { ask } = start([{ text: "Hello", usage: null }], { values: { userBudgetDay: 5 } });
    await ask();
    expect(await counters("mia")).toMatchObject([{ spent: dollar, reserved: 0 }, { spent: dollar }]);
  });

  test("is given back whole when the provider refused", async () => {
    const { ask } = start([{ fail: { status: 401 } }], { values: { userBudgetDay: 5 } });
    expect(await ask()).toMatchObject({ reason: "auth_failed" });
    expect(await counters("mia")).toMatchObject([{ spent: 0, reserved: 0 }, { spent: 0 }]);
  });

  test("of a row whose lease lapsed counts as spent, until its node says better", async () => {
    const gate = createGate();
    const { ask, models } = start([{ ...half, before: gate.pass }], { values: { siteBudgetDay: 5 } });
    const asking = ask();
    await gate.reached;
    await own.database.query(sql`update ai_requests set kept_at = kept_at - interval '1 hour'`);
    await models.sweep();
    expect(await models.admin.journal({})).toMatchObject({ entries: [{ status: "lost", costMicros: null }] });
    expect(await counters("mia")).toMatchObject([{ spent: dollar, reserved: 0 }, { spent: dollar }]);
    expect(await counters("")).toMatchObject([{ spent: dollar, reserved: 0 }, { spent: dollar }]);
    gate.open();
    await asking;
    expect(await models.admin.journal({})).toMatchObject({ entries: [{ status: "ok", costMicros: dollar / 2 }] });
    expect(await counters("mia")).toMatchObject([{ spent: dollar / 2, reserved: 0 }, { spent: dollar / 2 }]);
    expect(await counters("")).toMatchObject([{ spent: dollar / 2, reserved: 0 }, { spent: dollar / 2 }]);
  });

  test("of a row that is kept is left alone by the sweeper", async () => {
    const gate = createGate();
    const { ask, models } = start([{ ...half, before: gate.pass }]);
    const asking = ask();
    await gate.reached;
    await models.sweep();
    expect(await models.admin.journal({})).toMatchObject({ entries: [{ status: "running" }] });
    gate.open();
    await asking;
  });
});

describe("The guard", () => {
  test("keeps the leases of running calls", async () => {
    const gate = createGate();
    const { ask } = start([{ ...half, before: gate.pass }], { values: { journalLease: 1_000 } });
    const asking = ask();
    await gate.reached;
    const read = (): Promise<readonly { at: string }[]> =>
      own.database.query(sql`select kept_at::text as at from ai_requests`);
    const [before] = await read();
    await expect.poll(async () => (await read())[0]?.at).not.toBe(before?.at);
    gate.open();
    await asking;
  });

  test("refuses an endpoint without a price while a budget is in force", async () => {
    const { price: _price, ...unpriced } = costly;
    const model = scriptedModel([]);
    const endpoints: Endpoint[] = [
      { name: "first", provider: "openai", model: "big", ...unpriced, languageModel: model },
    ];
    const scene = createModelScene({ database: own.database, endpoints, values: { siteBudgetDay: 5 } });
    opened.push(scene);
    expect(await scene.models.admit("mia", "agent.chat")).toEqual({ ok: false, reason: "no_price" });
    const admission = { id: "earlier", userId: "mia", task: "agent.chat" };
    expect(await scene.ask({ admission })).toMatchObject({ ok: false, reason: "no_price", requestId: null });
  });

  test("refuses while AI is off, and where there is no endpoint", async () => {
    const off = start([], { values: { aiOn: false } });
    expect(await off.models.admit("mia", "agent.chat")).toEqual({ ok: false, reason: "ai_off" });
    const none = createModelScene({ database: own.database });
    opened.push(none);
    expect(await none.models.admit("mia", "agent.chat")).toEqual({ ok: false, reason: "no_endpoint" });
    expect(await none.models.describe("mia")).toBeNull();
    const admission = { id: "earlier", userId: "mia", task: "agent.chat" };
    expect(await off.ask({ admission })).toMatchObject({ reason: "ai_off" });
    expect(await none.ask({ admission })).toMatchObject({ reason: "no_endpoint" });
    expect(await none.models.admin.journal({})).toMatchObject({
      entries: [
        { status: "refused", code: "no_endpoint", attempts: 0 },
        { status: "refused", code: "ai_off", attempts: 0 },
      ],
    });
  });

  test("suspends a user whose turns were flagged too often, until the flags are cleared", async () => {
    const { models, ask } = start([half], { values: { offPurposeLimit: 2 } });
    const flag = (turnId: string): Promise<void> =>
      models.reportOffPurpose({ userId: "mia", turnId, reason: "homework" });
    const turnId = randomUUID();
    await flag(turnId);
    await flag(turnId);
    const admitted = await models.admit("mia", "agent.chat");
    if (!admitted.ok) throw new Error(admitted.reason);
    await flag(randomUUID());
    expect(await models.admit("mia", "agent.chat")).toEqual({ ok: false, reason: "suspended" });
    expect(await ask({ admission: admitted.admission })).toMatchObject({ reason: "suspended" });
    expect(await models.admit("tom", "agent.chat")).toMatchObject({ ok: true });
    await models.admin.clearFlags("mia");
    expect(await models.admit("mia", "agent.chat")).toMatchObject({ ok: true });
  });

  test("counts no flag that is older than the window, and none at all when the limit is 0", async () => {
    const { models } = start([], { values: { offPurposeLimit: 1, offPurposeWindow: 60 } });
    await models.reportOffPurpose({ userId: "mia", turnId: randomUUID(), reason: "homework" });
    const never = start([], { values: { offPurposeLimit: 0 } });
    expect(await never.models.admit("mia", "agent.chat")).toMatchObject({ ok: true });
    await own.database.query(sql`update flags set at = at - interval '61 seconds'`);
    expect(await models.admit("mia", "agent.chat")).toMatchObject({ ok: true });
  });

  test("tells the host of each refusal by a budget, and lives with a hook that throws", async () => {
    const told: BudgetRefusal[] = [];
    const onBudgetRefused: ModelSceneOptions["onBudgetRefused"] = (refusal) => {
      told.push(refusal);
      throw new Error("the hook is broken");
    };
    const { ask } = start([], { values: { userBudgetDay: 0.5 }, onBudgetRefused });
    expect(await ask()).toMatchObject({ ok: false, reason: "budget_user" });
    expect(told).toEqual([{ userId: "mia", task: "agent.chat", reason: "budget_user" }]);
  });

  test("keeps what a forgotten user spent in the site's counters and in the journal, without their name", async () => {
    const { ask, models } = start([half, half]);
    await ask();
    await models.reportOffPurpose({ userId: "mia", turnId: randomUUID(), reason: "homework" });
    await models.forgetUser("mia");
    expect(await counters("mia")).toEqual([]);
    expect(await counters("")).toMatchObject([{ spent: dollar / 2 }, { spent: dollar / 2 }]);
    expect(await models.admin.journal({})).toMatchObject({ entries: [{ userId: "", costMicros: dollar / 2 }] });
    expect(await own.database.query(sql`select from flags`)).toEqual([]);
  });
});
