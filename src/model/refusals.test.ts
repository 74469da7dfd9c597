import { afterEach, beforeEach, expect, test } from "vitest";
import { sql } from "../database/sql.ts";
import { createScriptedScene, type ScriptedScene } from "../testing/model-scene.ts";
import { createTestDatabase, type TestDatabase } from "../testing/test-database.ts";

let own: TestDatabase;
let scene: ScriptedScene;
beforeEach(async () => {
  own = await createTestDatabase();
  const step = { text: "Hello", usage: { input: 1, output: 50 } };
  scene = createScriptedScene([step], { database: own.database, values: { userBudgetDay: 1.4 } });
});
afterEach(async () => {
  await scene.close();
  await own.drop();
});

test("a turn that a used-up budget refuses is in the journal for administrators: once a minute for a user and a reason", async () => {
  const { ask, models } = scene;
  const told: string[] = [];
  models.onUsage(({ status }) => told.push(status));
  expect(await ask()).toMatchObject({ ok: true });
  await own.database.query(sql`update spend set spent_micros = 1400000 where user_id = 'mia'`);
  for (let turn = 0; turn < 3; turn += 1) {
    expect(await models.admit("mia", "agent.chat")).toEqual({ ok: false, reason: "budget_user" });
  }
  const { entries } = await models.admin.journal({ status: "refused" });
  expect(entries).toMatchObject([{ userId: "mia", code: "budget_user", task: "agent.chat", endpoint: "first" }]);
  expect(told, "a refused row never reaches a sink").toEqual(["ok"]);
  const day = (ago: number): string => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
  expect(await models.admin.usage({ from: day(1), to: day(-1) })).toMatchObject({ total: { calls: 1, refused: 1 } });
});

test("where a counter cannot be read the answer is no: the error is its caller's, and no model is asked", async () => {
  await own.database.query(sql`alter table spend rename to lost_spend`);
  await expect(scene.models.admit("mia", "agent.chat")).rejects.toThrow(/spend/);
  const admission = { id: "earlier", userId: "mia", task: "agent.chat" };
  await expect(scene.ask({ admission })).rejects.toThrow(/spend/);
  expect(scene.model.requests).toHaveLength(0);
});
