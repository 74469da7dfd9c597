import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createModelScene, type ModelScene } from "../testing/model-scene.ts";
import { scriptedModel } from "../testing/scripted-model.ts";
import { createTestDatabase, type TestDatabase } from "../testing/test-database.ts";
import type { Endpoint } from "./model.ts";

const price = { input: 3, output: 15 };
const first = scriptedModel(["never asked"]);
const second = scriptedModel(["ok", { fail: { status: 401 } }, "ok"]);
const endpoints: readonly Endpoint[] = [
  { name: "first", provider: "openai", model: "big", price, languageModel: first },
  { name: "second", provider: "openai", model: "small", price, languageModel: second },
  { name: "keyless", provider: "openai", model: "m", credential: { env: "A_VARIABLE_NOBODY_SETS" } },
];

let own: TestDatabase;
let scene: ModelScene;
beforeAll(async () => {
  own = await createTestDatabase();
  scene = createModelScene({ database: own.database, endpoints });
});
afterAll(async () => {
  await scene.close();
  await own.drop();
});

const tried = (name: string): ReturnType<ModelScene["models"]["admin"]["tryEndpoint"]> =>
  scene.models.admin.tryEndpoint({ name, userId: "ines" });

describe("An endpoint that is tried", () => {
  test("is asked itself, whatever answers its user, and says which model answered", async () => {
    expect(await tried("second")).toEqual({ ok: true, model: "scripted", latencyMs: expect.any(Number) });
    expect(first.requests).toHaveLength(0);
    expect(second.requests.at(-1)?.options.tools).toBeUndefined();
  });

  test("says why it did not answer, and its call stands in the journal as any other", async () => {
    expect(await tried("second")).toEqual({ ok: false, reason: "auth_failed" });
    const { entries } = await scene.models.admin.journal({ userId: "ines" });
    expect(entries).toMatchObject([
      { endpoint: "second", status: "error", code: "auth_failed", task: "admin.try" },
      { endpoint: "second", status: "ok", costMicros: 105 },
    ]);
  });

  test("cannot be reached without its key, or is not there at all", async () => {
    expect(await tried("keyless")).toEqual({ ok: false, reason: "no_endpoint" });
    expect(await tried("nothing")).toEqual({ ok: false, reason: "not_found" });
  });

  test("is under the budget and the switch that every call is under", async () => {
    await scene.settings.setSite({ siteBudgetDay: 0.0001 });
    expect(await tried("second")).toEqual({ ok: false, reason: "budget_total" });
    await scene.settings.setSite({ siteBudgetDay: null, aiOn: false });
    expect(await tried("second")).toEqual({ ok: false, reason: "ai_off" });
    await scene.settings.setSite({ aiOn: null });
  });
});
