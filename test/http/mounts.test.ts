import { Hono } from "hono";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createAssistant, type Assistant } from "countersign";
import { createTestDatabase, scriptedModel, type TestDatabase } from "countersign/testing";
import { createDesk } from "../desk.ts";

const desk = createDesk();
const owner = desk.signIn("owner");
let base: TestDatabase;
let anywhere: Assistant;
let fixed: Assistant;

beforeAll(async () => {
  base = await createTestDatabase();
  const options = {
    database: base.connectionString,
    modules: desk.modules,
    sessions: desk.sessions,
    models: [{ name: "m", provider: "openai-compatible", model: "m", languageModel: scriptedModel([]) }],
  } as const;
  anywhere = await createAssistant(options);
  fixed = await createAssistant({ ...options, basePath: "/assistant" });
});

afterAll(async () => {
  await anywhere.close();
  await fixed.close();
  await base.drop();
});

type Fetch = (request: Request) => Response | Promise<Response>;

const inHono = (path: string, assistant: Assistant): Fetch => new Hono().mount(path, assistant.fetch).fetch;
const inHonoRoute = (path: string, assistant: Assistant): Fetch =>
  new Hono().all(`${path}/*`, (c) => assistant.fetch(c.req.raw)).fetch;

const mounts: readonly (readonly [string, string, () => Fetch])[] = [
  ["a framework that takes the mount off", "/assistant", () => inHono("/assistant", anywhere)],
  ["a framework that leaves it", "/assistant", () => inHonoRoute("/assistant", anywhere)],
  [
    "a mount in a mount",
    "/api/v1/assistant",
    () => new Hono().route("/api", new Hono().mount("/v1/assistant", anywhere.fetch)).fetch,
  ],
  ["a mount named like a route", "/me/settings", () => inHonoRoute("/me/settings", anywhere)],
  ["no framework, at the root", "", () => anywhere.fetch],
  ["a base path given, and taken off", "/assistant", () => inHono("/assistant", fixed)],
  ["a base path given, and left", "/assistant", () => fixed.fetch],
];

test.each(mounts)("the assistant answers under %s", async (_name, path, toFetch) => {
  const fetch = toFetch();
  const ask = (method: string, route: string, headers: Record<string, string> = {}): Promise<Response> =>
    Promise.resolve(
      fetch(
        new Request(`http://office.example${path}${route}`, {
          method,
          headers: { "x-desk-session": owner.ref, host: "office.example", ...headers },
        }),
      ),
    );
  expect((await ask("GET", "/me")).status).toBe(200);
  const made = await ask("POST", "/conversations", { "x-countersign": "1", origin: "http://office.example" });
  expect(made.status).toBe(201);
  const { conversation } = (await made.json()) as { conversation: { id: string } };
  expect((await ask("GET", `/conversations/${conversation.id}/messages`)).status).toBe(200);
  expect((await ask("GET", "/nothing")).status).toBe(404);
});

test("with a base path given, nothing outside it is answered", async () => {
  const answer = await fixed.fetch(
    new Request("http://office.example/other/me", { headers: { "x-desk-session": owner.ref } }),
  );
  expect(answer.status).toBe(404);
});
