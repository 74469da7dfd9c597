import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { sql } from "../database/sql.ts";
import { createModelScene, type ModelScene, type ModelSceneOptions } from "../testing/model-scene.ts";
import { startReplayServer, type ReplayServer } from "../testing/replay-server.ts";
import { scriptedModel } from "../testing/scripted-model.ts";
import { createTestDatabase, type TestDatabase } from "../testing/test-database.ts";
import { demoEndpoint } from "./demo-model.ts";
import { createModels } from "./create-models.ts";
import type { EndpointInput } from "./stored-endpoint.ts";
import type { Endpoint } from "./model.ts";

const secret = "a secret of at least thirty-two characters";
const says = (text: string): object => ({ choices: [{ message: { content: text }, finish_reason: "stop" }] });

let own: TestDatabase;
let server: ReplayServer;
let opened: ModelScene[] = [];
beforeEach(async () => {
  own = await createTestDatabase();
  server = await startReplayServer(({ id }) => ({ id, protocol: "openai-chat", http_status: 200, body: says(id) }));
});
afterEach(async () => {
  for (const scene of opened) await scene.close();
  opened = [];
  await server.close();
  await own.drop();
});

function start(options: Partial<ModelSceneOptions> = {}): ModelScene {
  const allowPrivateEndpoints = [new URL(server.baseURL("x")).host];
  const scene = createModelScene({ database: own.database, allowPrivateEndpoints, secret, ...options });
  opened.push(scene);
  return scene;
}

const at = (name: string, more: Partial<EndpointInput> = {}): EndpointInput => ({
  name,
  provider: "openai-compatible",
  baseURL: server.baseURL(name),
  model: `${name}-model`,
  ...more,
});

const coded = (name: string, more: Partial<Endpoint> = {}): Endpoint => ({
  name,
  provider: "openai-compatible",
  baseURL: server.baseURL(name),
  model: `${name}-model`,
  ...more,
});

describe("The endpoint that answers", () => {
  test("is the first in code, unless the site's setting names another", async () => {
    const { ask, settings, models } = start({ endpoints: [coded("one"), coded("two", { images: true })] });
    expect(await ask()).toMatchObject({ ok: true, text: "one" });
    await settings.setSite({ endpoint: "two" });
    expect(await ask()).toMatchObject({ ok: true, text: "two" });
    expect(await models.describe("mia")).toEqual({ endpoint: "two", name: "two-model", demo: false, images: true });
  });

  test("is a user's own, and the site's when theirs cannot be had", async () => {
    const { ask, settings, models } = start({ endpoints: [coded("one"), coded("two")] });
    await models.admin.saveEndpoint(at("three"), "none");
    await settings.setUser("mia", { endpoint: "three" }, { asAdmin: true });
    expect(await ask()).toMatchObject({ text: "three" });
    expect(await ask({ userId: "tom" })).toMatchObject({ text: "one" });
    await models.admin.saveEndpoint(at("three", { enabled: false }), "none");
    expect(await ask()).toMatchObject({ text: "one" });
    await models.admin.removeEndpoint("three");
    expect(await ask()).toMatchObject({ text: "one" });
  });

  test("is what the user chose, as long as it is offered", async () => {
    const { ask, settings } = start({ endpoints: [coded("one"), coded("two")] });
    await settings.setUser("mia", { chosenEndpoint: "two" });
    expect(await ask()).toMatchObject({ text: "one" });
    await settings.setSite({ offeredEndpoints: "two, three" });
    expect(await ask()).toMatchObject({ text: "two" });
  });

  test("of a turn with pictures can be another", async () => {
    const { ask, models } = start({
      endpoints: [coded("one"), coded("two", { images: true })],
      values: { pictureEndpoint: "two" },
    });
    const picture = { mediaType: "image/png", bytes: new Uint8Array([1]) };
    const messages = [{ role: "user" as const, text: "What is it?", pictures: [picture] }];
    expect(await ask({ prompt: { system: "s", messages } })).toMatchObject({ text: "two" });
    expect(await ask()).toMatchObject({ text: "one" });
    expect(await models.describe("mia")).toMatchObject({ endpoint: "one", images: true });
  });

  test("is never the demo model where a real one can be reached", async () => {
    const { models } = start({ endpoints: [demoEndpoint, coded("one")] });
    expect(await models.describe("mia")).toMatchObject({ endpoint: "one", demo: false });
    const alone = start({ endpoints: [demoEndpoint, coded("one", { credential: { env: "COUNTERSIGN_TEST_UNSET" } })] });
    expect(await alone.models.describe("mia")).toMatchObject({ endpoint: "demo", demo: true });
  });
});

describe("An endpoint made by an admin", () => {
  test("sends its sealed key to the provider, and shows it to nobody", async () => {
    const { ask, models } = start();
    expect(await models.admin.saveEndpoint(at("one"), { value: "key-of-the-site" })).toEqual({ ok: true });
    expect(await ask()).toMatchObject({ text: "one" });
    expect(server.requests[0]?.headers.authorization).toBe("Bearer key-of-the-site");
    expect(await models.admin.endpoints()).toMatchObject([
      { name: "one", from: "admin", credential: "stored", available: true },
    ]);
    expect(JSON.stringify(await models.admin.endpoints())).not.toContain("key-of");
    expect(JSON.stringify(await own.database.query(sql`select * from endpoints`))).not.toContain("key-of");
  });

  test("keeps its key through a change that does not name one", async () => {
    const { ask, models } = start();
    await models.admin.saveEndpoint(at("one"), { value: "key-of-the-site" });
    await models.admin.saveEndpoint(at("one", { model: "other" }), "keep");
    await ask();
    expect(server.requests[0]).toMatchObject({
      headers: { authorization: "Bearer key-of-the-site" },
      body: { model: "other" },
    });
  });

  test("is not used where its key cannot be opened", async () => {
    await start().models.admin.saveEndpoint(at("one"), { value: "key-of-the-site" });
    const other = start({ secret: `${secret}, another one` });
    expect(await other.models.describe("mia")).toBeNull();
    expect(await other.models.admin.endpoints()).toMatchObject([{ name: "one", available: false }]);
  });

  test("is refused with the reason", async () => {
    const { models } = start({ endpoints: [coded("one")], secret: undefined });
    const save = models.admin.saveEndpoint;
    expect(await save(at("one"), "none")).toMatchObject({ reason: "name_in_code" });
    expect(await save(at("two"), { value: "key" })).toMatchObject({ reason: "no_secret" });
    expect(await save(at("two", { baseURL: "http://10.0.0.1/v1" }), "none")).toMatchObject({
      reason: "address_refused",
    });
    expect(await save(at("two", { model: " " }), "none")).toMatchObject({ reason: "invalid_endpoint" });
    const { baseURL: _baseURL, ...without } = at("two");
    expect(await save(without, "none")).toMatchObject({ reason: "invalid_endpoint" });
    expect(await models.admin.removeEndpoint("nine")).toMatchObject({ reason: "not_found" });
  });

  test("is used by every node at once", async () => {
    const [here, there] = [start(), start()];
    expect(await there.models.describe("mia")).toBeNull();
    await here.models.admin.saveEndpoint(at("one"), "none");
    await expect.poll(() => there.models.describe("mia")).toMatchObject({ endpoint: "one" });
  });
});

describe("A request to a provider", () => {
  test("does not go to a private address that is not allowed", async () => {
    const { ask } = start({ endpoints: [coded("one")], allowPrivateEndpoints: [] });
    expect(await ask()).toMatchObject({ ok: false, reason: "provider_unreachable" });
    expect(server.requests).toEqual([]);
  });

  test("does not go to a public name that leads inward", async () => {
    const inward = coded("one", { baseURL: server.baseURL("one").replace("127.0.0.1", "localhost") });
    const { ask } = start({ endpoints: [inward], allowPrivateEndpoints: [] });
    expect(await ask()).toMatchObject({ ok: false, reason: "provider_unreachable" });
    expect(server.requests).toEqual([]);
  });

  test("asks for no more than the endpoint's limit and keeps nothing at the provider", async () => {
    const openai = coded("one", { provider: "openai", maxOutputTokens: 500, credential: { value: "k" } });
    await start({ endpoints: [openai] }).ask();
    await start({ endpoints: [coded("two")] }).ask();
    expect(server.requests[0]?.body).toMatchObject({ store: false, max_output_tokens: 500 });
    expect(server.requests[1]?.body).toMatchObject({ max_tokens: 4_096, stream_options: { include_usage: true } });
  });

  test("marks for Anthropic what may be read from its cache, and for nobody else", async () => {
    const messages = [
      { role: "user" as const, text: "Which?" },
      { role: "assistant" as const, text: "", calls: [{ id: "abcdefgh1", name: "find", arguments: {} }] },
      { role: "results" as const, results: [{ callId: "abcdefgh1", name: "find", text: "none" }] },
    ];
    const tools = [{ name: "find", description: "Finds.", inputSchema: { type: "object" } }];
    const asked = { prompt: { system: "You help.", messages }, tools };
    await start({ endpoints: [coded("one", { provider: "anthropic", credential: { value: "k" } })] }).ask(asked);
    await start({ endpoints: [coded("two")] }).ask(asked);
    const mark = { cache_control: { type: "ephemeral" } };
    expect(server.requests[0]?.body).toMatchObject({
      system: [mark],
      messages: [{}, {}, { role: "user", content: [{ type: "tool_result", ...mark }] }],
    });
    expect(JSON.stringify(server.requests[1]?.body)).not.toContain("cache_control");
  });

  test("offers no tools to a model that takes none", async () => {
    const { ask } = start({ endpoints: [coded("one", { tools: false })] });
    await ask({ tools: [{ name: "find", description: "Finds.", inputSchema: { type: "object" } }] });
    expect(server.requests[0]?.body).not.toHaveProperty("tools");
  });
});

describe("A provider that misbehaves", () => {
  let rough: Server;
  let connections = 0;
  let port = 0;
  beforeEach(async () => {
    connections = 0;
    rough = createServer((request, response) => {
      if (request.url?.startsWith("/silent")) return;
      response.writeHead(200, { "content-type": "text/event-stream" });
      const chunk = (content: string): string => `data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`;
      if (request.url?.startsWith("/endless")) {
        const write = (): void => {
          if (!response.destroyed && response.write(chunk("x".repeat(10_000)))) setImmediate(write);
          else response.once("drain", write);
        };
        write();
      } else {
        response.end(`${chunk("Hello")}data: {"choices":[{"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n`);
      }
    });
    rough.on("connection", () => {
      connections += 1;
    });
    await new Promise<void>((resolve) => rough.listen(0, "127.0.0.1", resolve));
    port = (rough.address() as AddressInfo).port;
  });
  afterEach(async () => {
    rough.closeAllConnections();
    await new Promise((resolve) => rough.close(resolve));
  });
  const ofRough = (path: string): Partial<ModelSceneOptions> => ({
    endpoints: [coded("rough", { baseURL: `http://127.0.0.1:${port}/${path}/v1` })],
    allowPrivateEndpoints: ["127.0.0.1"],
    values: { modelIdleLimit: 1_000, modelRetries: 0, modelBytes: 65_536 },
  });

  test("by never beginning to answer is a timeout", async () => {
    expect(await start(ofRough("silent")).ask()).toMatchObject({ ok: false, reason: "timeout", shown: false });
  });

  test("by never ending is cut off at the largest answer", async () => {
    expect(await start(ofRough("endless")).ask()).toMatchObject({ ok: false, reason: "stream_malformed" });
  });

  test("by not being there is unreachable, and costs nothing", async () => {
    const free = createServer();
    await new Promise<void>((resolve) => free.listen(0, "127.0.0.1", resolve));
    const gone = (free.address() as AddressInfo).port;
    await new Promise((resolve) => free.close(resolve));
    const endpoint = coded("gone", { baseURL: `http://127.0.0.1:${gone}/v1`, price: { input: 1, output: 1 } });
    const { ask, models } = start({ ...ofRough("x"), endpoints: [endpoint] });
    expect(await ask()).toMatchObject({ ok: false, reason: "provider_unreachable" });
    expect(await models.admin.spending("mia")).toEqual({ dayMicros: 0, monthMicros: 0 });
  });

  test("not at all is asked again over the same connection", async () => {
    const { ask } = start(ofRough("plain"));
    for (let times = 0; times < 4; times += 1) expect(await ask()).toMatchObject({ ok: true, text: "Hello" });
    expect(connections).toBe(1);
  });
});

test("two endpoints of one name are refused at the start", () => {
  const languageModel = scriptedModel([]);
  const { settings } = start();
  const endpoints: Endpoint[] = [coded("one", { languageModel }), coded("one", { languageModel })];
  expect(() => createModels({ database: own.database, settings, endpoints })).toThrow("expected different names");
});
