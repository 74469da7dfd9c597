import { afterAll, beforeAll, expect, test } from "vitest";
import { createScriptedScene, type ScriptedScene } from "../testing/model-scene.ts";
import { createTestDatabase, type TestDatabase } from "../testing/test-database.ts";
import type { ScriptedStep } from "../testing/scripted-model.ts";

let own: TestDatabase;
const scenes: ScriptedScene[] = [];
beforeAll(async () => {
  own = await createTestDatabase();
});
afterAll(async () => {
  for (const scene of scenes) await scene.close();
  await own.drop();
});

function start(
  steps: readonly ScriptedStep[],
  options: Partial<Parameters<typeof createScriptedScene>[1]> = {},
): ScriptedScene {
  const scene = createScriptedScene(steps, { database: own.database, ...options });
  scenes.push(scene);
  return scene;
}

test("a failure is repeated while nothing was shown, and the row counts the attempts", async () => {
  const { ask, model, models } = start([{ fail: { status: 503 } }, { fail: { status: 429 } }, "There."]);
  expect(await ask({ userId: "again" })).toMatchObject({ ok: true, text: "There." });
  model.assertUsedUp();
  expect(await models.admin.journal({ userId: "again" })).toMatchObject({ entries: [{ status: "ok", attempts: 3 }] });
});

test("a failure is repeated twice at most", async () => {
  const { ask, model } = start([{ fail: { status: 500 } }, { fail: { status: 500 } }, { fail: { status: 500 } }]);
  expect(await ask()).toMatchObject({ ok: false, reason: "provider_error", status: 500 });
  model.assertUsedUp();
});

test("nothing is repeated once text was shown", async () => {
  const { ask, model } = start([{ text: "Half", breakWith: { type: "overloaded_error", message: "overloaded" } }]);
  expect(await ask()).toMatchObject({ ok: false, reason: "provider_overloaded", shown: true });
  model.assertUsedUp();
});

test("nothing is repeated once a stop was asked for", async () => {
  let stopping = false;
  const stop = (): void => {
    stopping = true;
  };
  const { ask, model } = start([{ before: stop, fail: { status: 503 } }]);
  expect(await ask({ stopRequested: () => stopping })).toMatchObject({ ok: false, reason: "provider_overloaded" });
  model.assertUsedUp();
});

test("a stop that is asked for during a wait ends the wait", async () => {
  let asked = 0;
  const { ask, model } = start([{ fail: { status: 429, headers: { "retry-after": "50" } } }]);
  const answer = await ask({ stopRequested: () => (asked += 1) > 2 });
  expect(answer).toMatchObject({ ok: false, reason: "rate_limited", retryAfter: 50 });
  model.assertUsedUp();
});

test("nothing is repeated that would begin after the deadline", async () => {
  const { ask, model } = start([{ fail: { status: 429, headers: { "retry-after": "30" } } }]);
  const answer = await ask({ deadline: Date.now() + 20_000 });
  expect(answer).toMatchObject({ ok: false, reason: "rate_limited", retryAfter: 30 });
  model.assertUsedUp();
});

test("a wait of more than a minute ends the call and says how long", async () => {
  const { ask, model } = start([{ fail: { status: 429, headers: { "retry-after": "18000" } } }]);
  expect(await ask({ deadline: Date.now() + 1e9 })).toMatchObject({ reason: "rate_limited", retryAfter: 18_000 });
  model.assertUsedUp();
});

test("a parameter that is refused is left out once, and from then on", async () => {
  const refusal = {
    error: { code: "unsupported_value", param: "temperature", message: "Unsupported value: 'temperature'" },
  };
  const { ask, model } = start([{ fail: { status: 400, body: refusal } }, "There.", "Again."], {
    endpoint: { temperature: 0.2 },
  });
  expect(await ask()).toMatchObject({ ok: true, text: "There." });
  expect(await ask()).toMatchObject({ ok: true, text: "Again." });
  expect(model.requests.map(({ options }) => options.temperature)).toEqual([0.2, undefined, undefined]);
});

test("a prompt that is too long is sent once more, shorter", async () => {
  const { ask, model } = start([{ fail: { status: 400, body: { message: "prompt is too long" } } }, "There."]);
  const earlier = Array.from({ length: 6 }, (_one, index) => [
    { role: "user" as const, text: `question ${index}` },
    { role: "assistant" as const, text: `answer ${index}`, calls: [] },
  ]).flat();
  const answer = await ask({ prompt: { system: "s", messages: [...earlier, { role: "user", text: "now" }] } });
  expect(answer).toMatchObject({ ok: true, text: "There." });
  const [whole, shorter] = model.requests.map(({ options }) => options.prompt.length);
  expect(whole).toBe(14);
  expect(shorter).toBe(8);
  expect(model.requests[1]?.question).toBe("now");
});

test("a refused history is sent once more with its calls as text", async () => {
  const { ask, model } = start([
    { fail: { status: 400, body: { message: "tool_use ids without tool_result" } } },
    "There.",
  ]);
  const answer = await ask({
    prompt: {
      system: "s",
      messages: [
        { role: "user", text: "Which?" },
        { role: "assistant", text: "", calls: [{ id: "abcdefgh1", name: "find", arguments: { customer: "Acme" } }] },
        { role: "results", results: [{ callId: "abcdefgh1", name: "find", text: "INV-7" }] },
      ],
    },
    tools: [{ name: "find", description: "Finds.", inputSchema: { type: "object" } }],
  });
  expect(answer).toMatchObject({ ok: true, text: "There." });
  expect(model.requests[1]?.options.prompt.map(({ role }) => role)).toEqual(["system", "user", "assistant", "user"]);
  expect(model.requests[1]?.question).toContain("INV-7");
});

test("a second refusal of the changed request ends the call", async () => {
  const tooLong = { fail: { status: 400, body: { message: "prompt is too long" } } };
  const { ask, model } = start([tooLong, tooLong]);
  const messages = [
    { role: "user" as const, text: "before" },
    { role: "assistant" as const, text: "yes", calls: [] },
    { role: "user" as const, text: "now" },
  ];
  expect(await ask({ prompt: { system: "s", messages } })).toMatchObject({ ok: false, reason: "context_overflow" });
  model.assertUsedUp();
});
