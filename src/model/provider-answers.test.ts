import { existsSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createModelScene } from "../testing/model-scene.ts";
import { providerAnswers } from "../testing/provider-answers.ts";
import { startReplayServer, type ReplayCase, type ReplayServer } from "../testing/replay-server.ts";
import { createTestDatabase, type TestDatabase } from "../testing/test-database.ts";
import type { CompleteAnswer, Endpoint, Provider } from "./model.ts";

const recorded = new URL("../../../shared/fixtures/quirks.jsonl", import.meta.url);

interface Quirk extends ReplayCase {
  readonly notice_code: string | null;
  readonly retry: string;
}

const quirks: readonly Quirk[] = existsSync(recorded)
  ? readFileSync(recorded, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Quirk)
  : [];

let own: TestDatabase;
let server: ReplayServer;
beforeAll(async () => {
  own = await createTestDatabase();
  const cases = new Map<string, ReplayCase>([...providerAnswers, ...quirks].map((one) => [one.id, one]));
  server = await startReplayServer(({ id }) => cases.get(id) ?? null);
});
afterAll(async () => {
  await server.close();
  await own.drop();
});

const providers = {
  "openai-chat": "openai-compatible",
  "openai-responses": "openai",
  anthropic: "anthropic",
  google: "google",
} as const satisfies Record<ReplayCase["protocol"], Provider>;

async function call(one: ReplayCase): Promise<{ readonly answer: CompleteAnswer; readonly requests: number }> {
  const baseURL = server.baseURL(one.id);
  const endpoint: Endpoint = {
    name: "replayed",
    provider: providers[one.protocol],
    model: "m",
    baseURL,
    credential: { value: "key-of-nobody" },
    temperature: 0.5,
  };
  const scene = createModelScene({
    database: own.database,
    endpoints: [endpoint],
    allowPrivateEndpoints: [new URL(baseURL).host],
    values: { modelIdleLimit: 1_000 },
  });
  const before = server.requests.length;
  const tools = ["invoices_find", "tasks_find", "get_weather", "list_items"].map((name) => ({
    name,
    description: name,
    inputSchema: { type: "object", properties: {} },
  }));
  const id = "abcdefgh1";
  const messages = [
    { role: "user" as const, text: "Which?" },
    { role: "assistant" as const, text: "", calls: [{ id, name: "tasks_find", arguments: {} }] },
    { role: "results" as const, results: [{ callId: id, name: "tasks_find", text: "none ".repeat(1_000) }] },
    { role: "assistant" as const, text: "None.", calls: [] },
    { role: "user" as const, text: "And now?" },
  ];
  const answer = await scene.ask({ tools, prompt: { system: "You help.", messages } });
  await scene.close();
  return { answer, requests: server.requests.length - before };
}

describe("An answer of a provider ends as it must", () => {
  test.each(providerAnswers.map((one) => [one.id, one] as const))("%s", async (_id, one) => {
    const { answer, requests } = await call(one);
    expect(answer.ok ? `ok:${answer.end}` : answer.reason).toBe(one.ends);
    expect(requests).toBe(one.requests ?? (one.ends === "context_overflow" ? 2 : 1));
    if (answer.ok && one.text !== undefined) expect(answer.text).toBe(one.text);
    if (answer.ok && one.calls !== undefined) {
      expect(answer.calls.map(({ name, argumentsText }) => [name, argumentsText])).toEqual(one.calls);
    }
  });
});

/** Codes a turn gives, not a call: for the room they are an answer that ends well. */
const ofTheTurn: Readonly<Record<string, readonly string[]>> = {
  tool_call_dropped: ["ok:empty", "ok:calls"],
  unknown_tool: ["ok:calls"],
  tool_args_invalid: ["ok:calls"],
  tool_args_truncated: ["ok:calls", "ok:cut"],
  too_many_tool_calls: ["ok:calls"],
  loop_detected: ["ok:calls"],
  tool_call_as_text: ["ok:text"],
  empty_answer: ["ok:empty"],
  answer_truncated: ["ok:cut"],
  tool_result_too_large: ["context_overflow"],
};

/** Where the product rules otherwise than a case asks, and why. */
const ruledOtherwise: Readonly<Record<string, readonly string[]>> = {
  // read as the answer it is, which the case allows too
  "sse-json-instead-of-stream": ["ok:text"],
};

const requestsOf: Readonly<Record<string, readonly number[]>> = {
  no: [1],
  continue: [1],
  // an empty answer is told at once; only a failure of the provider's own is repeated
  same_request_once: [1, 2],
  backoff: [3],
  by_inner_code: [1, 3],
  only_if_nothing_shown: [1, 3],
  // pictures are the turn's to take back, so those refusals are not repeated here
  changed_request_once: [1, 2],
};

// recorded cases are not part of the package: they run where they lie beside it
describe.runIf(quirks.length > 0)("A recorded quirk ends as it must", () => {
  test.each(quirks.map((quirk) => [quirk.id, quirk] as const))("%s", async (id, quirk) => {
    const { answer, requests } = await call(quirk);
    const got = answer.ok ? `ok:${answer.end}` : answer.reason;
    const code = quirk.notice_code;
    const right =
      ruledOtherwise[id] ?? (code === null ? ["ok:text", "ok:calls", "ok:continue"] : (ofTheTurn[code] ?? [code]));
    const withoutPictures = id === "image-404-body-limit" ? ["model_not_found"] : [];
    expect([...right, ...withoutPictures]).toContain(got);
    expect(requestsOf[quirk.retry]).toContain(requests);
  });
});
