import { afterAll, beforeAll, expect, test } from "vitest";
import type { Beside } from "../database/beside.ts";
import type { Database } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import { createGate } from "../testing/gate.ts";
import { createScriptedScene, type ScriptedScene } from "../testing/model-scene.ts";
import { createTestDatabase, type TestDatabase } from "../testing/test-database.ts";
import type { ScriptedStep } from "../testing/scripted-model.ts";
import type { UsageRow } from "./model.ts";

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

interface Row {
  readonly status: string;
  readonly code: string | null;
  readonly http_status: number | null;
  readonly attempts: number;
  readonly cost_micros: string | null;
  readonly reserved_micros: string;
  readonly ended_at: Date | null;
  readonly first_token_ms: number | null;
  readonly latency_ms: number | null;
  readonly content: unknown;
  readonly endpoint: string;
  readonly model_asked: string;
  readonly model_answered: string | null;
  readonly message_id: string;
  readonly turn_id: string;
  readonly input_tokens: number | null;
}

async function rowsOf(database: Database, userId: string): Promise<readonly Row[]> {
  return database.query<Row>(sql`select * from ai_requests where user_id = ${userId} order by at`);
}

test("a row is written before the call and completed after it", async () => {
  const gate = createGate();
  const { ask } = start([{ before: gate.pass, text: ["It is ", "INV-7."] }]);
  const attribution = {
    messageId: "0199aaaa-0000-7000-8000-000000000001",
    turnId: "0199aaaa-0000-7000-8000-000000000002",
  };
  const heard: string[] = [];
  const answering = ask({ userId: "row", attribution, onText: (delta) => heard.push(delta) });
  await gate.reached;
  const [during] = await rowsOf(own.database, "row");
  expect(during).toMatchObject({ status: "running", endpoint: "first", model_asked: "big", ended_at: null });
  expect(during).toMatchObject({ message_id: attribution.messageId, turn_id: attribution.turnId });
  expect(Number(during?.reserved_micros)).toBeGreaterThan(0);
  gate.open();
  const answer = await answering;
  expect(answer).toMatchObject({
    ok: true,
    text: "It is INV-7.",
    end: "text",
    calls: [],
    droppedCalls: 0,
    usage: { model: "scripted", inputTokens: 10, outputTokens: 5, costMicros: 10 * 3 + 5 * 15 },
  });
  expect(heard).toEqual(["It is ", "INV-7."]);
  const [after] = await rowsOf(own.database, "row");
  expect(after).toMatchObject({ status: "ok", code: null, attempts: 1, cost_micros: 105, model_answered: "scripted" });
  expect(after?.ended_at).not.toBeNull();
  expect(after?.latency_ms).not.toBeNull();
  expect(after?.first_token_ms).not.toBeNull();
});

test("a call takes two statements", async () => {
  const texts: string[] = [];
  const counted: Database = {
    ...own.database,
    query: (statement) => {
      texts.push(statement.text);
      return own.database.query(statement);
    },
  };
  const { ask, models, model } = start(["One.", "Two."], { database: counted });
  await ask({ userId: "two" });
  const admitted = await models.admit("two", "agent.chat");
  if (!admitted.ok) throw new Error(admitted.reason);
  texts.length = 0;
  await ask({ userId: "two", admission: admitted.admission });
  model.assertUsedUp();
  expect(texts.filter((text) => !/from settings/.test(text))).toHaveLength(2);
});

test("calls come under ids of ours, with the provider's beside them", async () => {
  const { ask } = start([
    {
      calls: [
        { name: "find", arguments: { customer: "Acme" }, id: "toolu_1" },
        { name: "find", arguments: '"{\\"customer\\":\\"Bee\\"}"', id: "toolu_1" },
        { name: "list", arguments: "null", id: "" },
        { name: "  ", arguments: "{}", id: "toolu_4" },
        { name: "void", arguments: '{"number":"INV-', id: "toolu_5" },
      ],
    },
  ]);
  const answer = await ask();
  if (!answer.ok) throw new Error(answer.reason);
  expect(answer.calls.map(({ providerId, name, argumentsText }) => [providerId, name, argumentsText])).toEqual([
    ["toolu_1", "find", '{"customer":"Acme"}'],
    ["toolu_1", "find", '{"customer":"Bee"}'],
    [null, "list", "{}"],
    ["toolu_5", "void", '{"number":"INV-'],
  ]);
  expect(answer.droppedCalls).toBe(1);
  expect(new Set(answer.calls.map(({ id }) => id)).size).toBe(4);
  for (const { id } of answer.calls) expect(id).toMatch(/^[a-zA-Z0-9]{9}$/);
});

test("an answer of blanks, of thinking, or of nameless calls alone is empty", async () => {
  const { ask } = start([
    { text: " \u200b\n" },
    { text: ["<thi", "nk>Let me see", " it</th", "ink>\n"] },
    { reasoning: "Let me see" },
    { calls: [{ name: "" }] },
  ]);
  for (let times = 0; times < 4; times += 1) expect(await ask()).toMatchObject({ ok: true, end: "empty", text: "" });
});

test("a cut answer says so and hands over its calls, none of which may run", async () => {
  const { ask } = start([{ text: "Saving.", calls: [{ name: "void", arguments: "{}" }], finish: "cut" }]);
  expect(await ask()).toMatchObject({ ok: true, end: "cut", text: "Saving.", calls: [{ name: "void" }] });
});

test("a paused answer asks to be continued", async () => {
  const { ask } = start([{ text: "Searching", finish: "pause" }]);
  expect(await ask()).toMatchObject({ ok: true, end: "continue", text: "Searching" });
});

test("a stream that just ends is interrupted, and its calls are not handed over", async () => {
  const { ask, model } = start([{ text: "Half", calls: [{ name: "void" }], finish: "none" }]);
  expect(await ask({ userId: "cut" })).toMatchObject({ ok: false, reason: "stream_interrupted", shown: true });
  model.assertUsedUp();
});

test("a call under way is let finish after a stop, so that its cost is known", async () => {
  const gate = createGate();
  const { ask } = start([{ text: "Long", between: gate.pass }]);
  let stopping = false;
  const answering = ask({ userId: "finish", stopRequested: () => stopping });
  await gate.reached;
  stopping = true;
  gate.open();
  expect(await answering).toMatchObject({ ok: true, text: "Long" });
  expect(await rowsOf(own.database, "finish")).toMatchObject([{ status: "ok", cost_micros: 105 }]);
});

test("an aborted call leaves a complete row and counts what it reserved", async () => {
  const { ask, models } = start([{ text: "Long", hang: true }]);
  const abort = new AbortController();
  const answer = await ask({ userId: "abort", signal: abort.signal, onText: () => abort.abort() });
  expect(answer).toMatchObject({ ok: false, reason: "aborted", shown: true });
  const [row] = await rowsOf(own.database, "abort");
  expect(row).toMatchObject({ status: "error", code: "aborted", cost_micros: null });
  expect(row?.ended_at).not.toBeNull();
  expect((await models.admin.spending("abort")).dayMicros).toBe(Number(row?.reserved_micros));
});

test("a model that ignores its signal is left behind", async () => {
  const { promise } = Promise.withResolvers<void>();
  const { ask } = start([{ before: () => promise }]);
  const abort = new AbortController();
  const answering = ask({ signal: abort.signal });
  abort.abort();
  expect(await answering).toMatchObject({ ok: false, reason: "aborted", shown: false });
});

test("a call that takes longer than its limit is a timeout", async () => {
  const { ask } = start([{ text: "Long", hang: true }], { values: { modelTotalLimit: 1_000 } });
  expect(await ask()).toMatchObject({ ok: false, reason: "timeout", shown: true });
});

test("usage that nobody said is unknown, never 0", async () => {
  const { ask } = start([{ text: "Hello", usage: null }]);
  expect(await ask({ userId: "unknown" })).toMatchObject({
    ok: true,
    usage: { inputTokens: null, outputTokens: null, costMicros: null },
  });
  expect(await rowsOf(own.database, "unknown")).toMatchObject([{ input_tokens: null, cost_micros: null }]);
});

test("the provider's own figure of the cost stands above the price", async () => {
  const { ask } = start([{ text: "Hello", usage: { input: 10, output: 5, cost: 0.000_42 } }]);
  expect(await ask()).toMatchObject({ usage: { costMicros: 420 } });
});

test("a sink gets the finished row before the answer, and one that throws harms nothing", async () => {
  const { ask, models } = start(["Hello", { fail: { status: 401 } }]);
  const rows: UsageRow[] = [];
  models.onUsage(() => {
    throw new Error("the sink is broken");
  });
  const remove = models.onUsage((row) => rows.push(row));
  const answer = await ask({ userId: "sink" });
  expect(rows).toHaveLength(1);
  expect(rows[0]).toMatchObject({
    requestId: answer.requestId,
    userId: "sink",
    status: "ok",
    code: null,
    endpoint: "first",
  });
  remove();
  const failed = await ask({ userId: "sink" });
  expect(failed).toMatchObject({ ok: false, reason: "auth_failed", status: 401 });
  expect(failed.requestId).not.toBeNull();
  expect(rows).toHaveLength(1);
});

test("content is kept only when it is asked for, and never of a turn with pictures", async () => {
  const plain = start(["Hello"]);
  await plain.ask({ userId: "plain" });
  const capturing = start(["Hello", "Hello"], { values: { captureContent: true } });
  await capturing.ask({ userId: "kept" });
  await capturing.ask({ userId: "pictures", mayCapture: false });
  expect((await rowsOf(own.database, "plain"))[0]?.content).toBeNull();
  expect((await rowsOf(own.database, "pictures"))[0]?.content).toBeNull();
  expect((await rowsOf(own.database, "kept"))[0]?.content).toMatchObject({
    system: "You help.",
    answer: { text: "Hello" },
  });
});

test("a call names its own user's admission", async () => {
  const { ask } = start([]);
  const admission = { id: "x", userId: "somebody else", task: "agent.chat" };
  await expect(ask({ admission })).rejects.toThrow("broken invariant");
});

test("the log has the provider's words cut, without keys and without what was asked", async () => {
  const lines: string[] = [];
  const logger = {
    debug: () => {},
    info: () => {},
    error: () => {},
    warn: (fields: object, message: string) => lines.push(JSON.stringify({ ...fields, message })),
  };
  const detail = [{ msg: "field required", input: "Which invoices are overdue?" }];
  const { ask } = start(
    [
      { fail: { status: 401, body: { error: { message: "Incorrect API key provided: sk-live-abcdef123456." } } } },
      { fail: { status: 422, body: { detail } } },
    ],
    { logger },
  );
  await ask();
  await ask();
  expect(lines).toHaveLength(2);
  expect(lines[0]).toContain("Incorrect API key provided: [key]");
  expect(lines[1]).toContain("field required");
  expect(lines.join()).not.toMatch(/sk-live|overdue/);
});

test("where its caller asks, the row's end is handed over: unwritten, its lease kept, written once, alone or with others", async () => {
  const { ask } = start(["One.", "Two."], { values: { journalLease: 1_000 } });
  const endings: Beside[] = [];
  const onEnding = (ending: Beside): void => void endings.push(ending);
  expect(await ask({ userId: "handed", onEnding })).toMatchObject({ ok: true, text: "One." });
  expect(await ask({ userId: "handed", onEnding })).toMatchObject({ ok: true, text: "Two." });
  const statuses = async (): Promise<readonly string[]> =>
    (await rowsOf(own.database, "handed")).map(({ status }) => status);
  expect(await statuses()).toEqual(["running", "running"]);
  const keptAt = async (): Promise<unknown> =>
    own.database.query(sql`select max(kept_at)::text as at from ai_requests where user_id = 'handed'`);
  const before = await keptAt();
  await expect.poll(keptAt).not.toEqual(before);

  const [first, second] = endings;
  await first?.alone();
  expect(await statuses()).toEqual(["ok", "running"]);
  await own.database.together([sql`select 1 as one`, ...(second === undefined ? [] : [second.statement])]);
  second?.written([]);
  expect(await statuses()).toEqual(["ok", "ok"]);
});
