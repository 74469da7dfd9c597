import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { silentLogger } from "../src/logger.ts";
import { findLeaks, forgetLines, heard } from "../src/testing/log-watch.ts";
import { createModelScene } from "../src/testing/model-scene.ts";
import { startReplayServer, type ReplayServer } from "../src/testing/replay-server.ts";
import { scriptedModel } from "../src/testing/scripted-model.ts";
import { createTestDatabase, type TestDatabase } from "../src/testing/test-database.ts";

// The watch over the logs of the whole run (`test/setup/watch-logs.ts`) can fail: here it does.

const question = "Which of my invoices have a stamp of the harbour?";
const told = { text: "Those with a number that ends in eleven.", name: "harbour-stamp-of-may" };
const key = "key-to-the-harbour-4711";

let own: TestDatabase;
let server: ReplayServer;
beforeAll(async () => {
  own = await createTestDatabase();
  server = await startReplayServer(({ id }) => ({ id, protocol: "openai-chat", http_status: 401, body: "" }));
  const languageModel = scriptedModel([{ text: told.text, calls: [{ name: "find", arguments: { name: told.name } }] }]);
  const baseURL = server.baseURL("shut");
  const scene = createModelScene({
    database: own.database,
    endpoints: [
      { name: "open", provider: "openai", model: "m", languageModel },
      { name: "shut", provider: "openai-compatible", model: "m", baseURL, credential: { value: key } },
    ],
    allowPrivateEndpoints: [new URL(baseURL).host],
  });
  const prompt = { system: "You help.", messages: [{ role: "user" as const, text: question }] };
  await scene.ask({ prompt });
  await scene.settings.setSite({ endpoint: "shut" });
  expect(await scene.ask({ prompt, userId: "eva" })).toMatchObject({ reason: "auth_failed" });
  await scene.close();
});
afterAll(async () => {
  await server.close();
  await own.drop();
});

function leaksOf(fields: object, message = "said"): readonly string[] {
  expect(findLeaks(), "the product's own lines hold nothing").toEqual([]);
  silentLogger.info(fields, message);
  const found = findLeaks();
  forgetLines();
  return found;
}

describe("A log line is a leak", () => {
  test.each<readonly [string, object]>([
    ["with a prompt", { prompt: { messages: [{ text: question }] } }],
    ["with an answer, in the middle of other words", { said: `It said: ${told.text} And so on.` }],
    ["with an answer that was cut", { said: `${told.text.slice(0, 40)}…` }],
    ["with an argument alone", { input: { value: told.name } }],
    ["with a key", { headers: { authorization: `Bearer ${key}` } }],
    ["with an error that tells it", { error: new Error("failed", { cause: new Error(question) }) }],
  ])("%s", (_what, fields) => {
    expect(leaksOf(fields)).toHaveLength(1);
  });

  test("with any of it as its message", () => {
    expect(leaksOf({}, question)).toHaveLength(1);
  });

  test("also where a test reads its node's lines itself", () => {
    const lines: string[] = [];
    const add = (_fields: object, message: string): void => void lines.push(message);
    heard({ debug: add, info: add, warn: add, error: add }).warn({ question }, "asked");
    expect(lines).toEqual(["asked"]);
    expect(findLeaks()).toHaveLength(1);
    forgetLines();
  });
});

test("A log line of codes, ids and figures is none", () => {
  expect(leaksOf({ code: "auth_failed", requestId: "0195", endpoint: "shut", attempts: 1 })).toEqual([]);
});
