import { createServer } from "node:http";
import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sql } from "../../src/database/sql.ts";
import { createModels } from "../../src/model/create-models.ts";
import { createSettings } from "../../src/settings/create-settings.ts";
import { createTestDatabase, type TestDatabase } from "../../src/testing/test-database.ts";
import { startModelServer, type ModelServer } from "../browser/chat-completions.ts";
import { freePort } from "../programs.ts";
import { look, run, writeModule } from "./command.ts";

const secret = "the first secret of thirty-two characters";
const key = "planted-key-of-an-administrator";
let db: TestDatabase;
let server: ModelServer;
let environment: Record<string, string>;

beforeAll(async () => {
  db = await createTestDatabase();
  server = await startModelServer(() => ({ text: ["ok"] }));
  environment = { DATABASE_URL: db.connectionString };
});
afterAll(async () => {
  await server.close();
  await db.drop();
});

/** Stores an endpoint with a sealed key, as an administrator does. */
async function storeEndpoint(name: string): Promise<void> {
  const settings = createSettings({ database: db.database });
  const models = createModels({ database: db.database, settings, secret, allowPrivateEndpoints: ["127.0.0.1"] });
  const input = { name, provider: "openai-compatible", baseURL: server.url, model: "small" } as const;
  expect(await models.admin.saveEndpoint(input, { value: key })).toEqual({ ok: true });
  await models.close();
  await settings.close();
}

const withModels = (models: string): string =>
  writeModule(`export default { database: ${JSON.stringify(db.connectionString)}, models: ${models} };`);

describe("The secret", () => {
  test("that is too short is wrong: no node would start", async () => {
    expect((await look([], { ...environment, COUNTERSIGN_SECRET: "short" })).of("secret")).toMatchObject({
      state: "wrong",
      mend: "Set one of 32 characters or more.",
    });
  });

  test("is wrong where it is missing or another than what keys were stored under, and ok where it opens them all", async () => {
    await storeEndpoint("stored");
    try {
      const without = await look([], environment);
      expect(without.of("secret")).toMatchObject({ state: "wrong", found: expect.stringContaining("keys of stored") });
      expect(without.status).toBe(1);
      const other = { ...environment, COUNTERSIGN_SECRET: "another secret, of thirty-two characters too" };
      const lost = await look([], other);
      expect(lost.of("secret")).toMatchObject({
        state: "wrong",
        found: expect.stringContaining("another COUNTERSIGN_SECRET"),
      });
      expect(lost.of("endpoint stored")).toMatchObject({ state: "wrong" });
      const right = await look([], { ...environment, COUNTERSIGN_SECRET: secret });
      expect(right.of("secret")).toMatchObject({ state: "ok", found: "opens all 1 stored keys" });
      for (const { text } of [without, lost, right]) {
        for (const hidden of [secret, key, other.COUNTERSIGN_SECRET]) expect(text).not.toContain(hidden);
      }
    } finally {
      await db.database.query(sql`delete from endpoints where user_id = ''`);
    }
  });
});

describe("An endpoint", () => {
  test("that is reached is ok; without its variable it is not offered, and where none is left no turn can be answered", async () => {
    const set = await look([], { ...environment, COUNTERSIGN_MODEL_URL: server.url });
    expect(set.of("endpoint default")).toMatchObject({ state: "ok", found: expect.stringContaining("is reached") });
    expect(set.status).toBe(0);
    const file = withModels(
      `[{ name: "main", provider: "openai", model: "m", credential: { env: "NOT_SET_ANYWHERE" } }]`,
    );
    const looked = await look(["--config", file]);
    expect(looked.of("endpoint main")).toMatchObject({
      state: "warning",
      found: expect.stringContaining("NOT_SET_ANYWHERE"),
    });
    expect(looked.of("models")).toMatchObject({
      state: "wrong",
      found: "no endpoint can answer: every turn is refused",
    });
    expect(looked.status).toBe(1);
  });

  test("at a private address that was not allowed, or at one that does not answer, is wrong", async () => {
    const port = await freePort();
    const endpoint = (name: string, url: string): string =>
      `{ name: "${name}", provider: "openai-compatible", model: "m", baseURL: "${url}" }`;
    const looked = await look([
      "--config",
      withModels(
        `{ endpoints: [${endpoint("inward", server.url)}, ${endpoint("named", "http://localhost:9/v1")}, ${endpoint("silent", `http://127.0.0.1:${port}/v1`)}, ${endpoint("plain", `https://127.0.0.1:${new URL(server.url).port}/v1`)}], allowPrivateEndpoints: ["127.0.0.1:${port}", "127.0.0.1:${new URL(server.url).port}x"] }`,
      ),
    ]);
    for (const about of ["endpoint inward", "endpoint named", "endpoint plain"]) {
      expect(looked.of(about)).toMatchObject({
        state: "wrong",
        mend: expect.stringContaining("allowPrivateEndpoints"),
      });
    }
    expect(looked.of("endpoint silent")).toMatchObject({
      state: "wrong",
      found: expect.stringContaining("ECONNREFUSED"),
    });
  });

  test("is called only where it was asked for, and what the call said is told", async () => {
    const before = server.requests.length;
    const variables = { ...environment, COUNTERSIGN_MODEL_URL: server.url };
    expect((await look([], variables)).of("call default")).toBeUndefined();
    expect(server.requests).toHaveLength(before);
    expect((await look(["--call"], variables)).of("call default")).toMatchObject({ state: "ok" });
    expect(server.requests).toHaveLength(before + 1);

    const closed = createServer((_request, response) => response.writeHead(401).end('{"error":{"message":"bad key"}}'));
    await once(closed.listen(0, "127.0.0.1"), "listening");
    const address = closed.address();
    const port = address !== null && typeof address === "object" ? address.port : 0;
    const url = `http://127.0.0.1:${port}/v1`;
    const refused = await look(["--call"], { ...variables, COUNTERSIGN_MODEL_URL: url, COUNTERSIGN_MODEL_KEY: key });
    closed.close();
    expect(refused.of("call default")).toMatchObject({ state: "wrong", mend: "Correct its key." });
    expect(refused.text).not.toContain(key);
    expect(refused.status).toBe(1);
  });

  test("is not called where the schema could take no journal row", async () => {
    const looked = await look(["--call"], {
      ...environment,
      COUNTERSIGN_SCHEMA: "not_made",
      COUNTERSIGN_MODEL_URL: server.url,
    });
    expect(looked.of("calls")).toMatchObject({ state: "warning" });
    expect((await run(["doctor", "--call"], { DATABASE_URL: "postgresql://127.0.0.1:1/x" })).status).toBe(1);
  });
});
