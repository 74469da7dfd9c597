import { once } from "node:events";
import { createServer } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Endpoint } from "countersign";
import { checkKey } from "./check-key.ts";

let asked: string[] = [];
const server = createServer((request, response) => {
  asked.push(`${request.url} ${request.headers.authorization}`);
  response.writeHead(request.headers.authorization === "Bearer good" ? 200 : 401).end();
});
let endpoint: Endpoint;

beforeAll(async () => {
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  const port = address !== null && typeof address === "object" ? address.port : 0;
  endpoint = {
    name: "default",
    provider: "openai-compatible",
    baseURL: `http://127.0.0.1:${port}/v1/`,
    model: "local",
    credential: { env: "COUNTERSIGN_MODEL_KEY" },
  };
});

afterAll(async () => {
  await once(server.close(), "close");
});

test("a key that the provider takes needs no word", async () => {
  asked = [];
  expect(await checkKey(endpoint, { COUNTERSIGN_MODEL_KEY: "good" })).toBeNull();
  expect(asked).toEqual(["/v1/models Bearer good"]);
});

test("a key that the provider refuses is said in one sentence with the mend, and never shown", async () => {
  const sentence = await checkKey(endpoint, { COUNTERSIGN_MODEL_KEY: "sk-wrong" });
  expect(sentence).toBe(
    "openai-compatible refuses the key of COUNTERSIGN_MODEL_KEY (401): correct it, or unset COUNTERSIGN_MODEL_URL to talk to the demo model.",
  );
});

test("a provider that does not answer is said with its host", async () => {
  const nowhere = { ...endpoint, baseURL: "http://127.0.0.1:1/v1" };
  expect(await checkKey(nowhere, {})).toMatch(/^127\.0\.0\.1:1 does not answer: check the network or the address/);
});

test("the demo model has no key to check", async () => {
  expect(await checkKey({ name: "demo", provider: "demo", model: "demo" }, {})).toBeNull();
});
