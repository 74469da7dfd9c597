import { expect, test } from "vitest";
import { endpointFromEnvironment, modelsFromEnvironment } from "./endpoint-from-environment.ts";

test("with nothing set the demo model answers", () => {
  expect(endpointFromEnvironment({})).toBeNull();
  expect(modelsFromEnvironment({ OPENAI_API_KEY: "" })).toMatchObject({ endpoints: [{ provider: "demo" }] });
});

test.each([
  ["OPENAI_API_KEY", "openai"],
  ["ANTHROPIC_API_KEY", "anthropic"],
  ["GOOGLE_GENERATIVE_AI_API_KEY", "google"],
])("%s chooses its provider with a priced default model, and never holds the key itself", (env, provider) => {
  const endpoint = endpointFromEnvironment({ [env]: "key-of-nobody" });
  expect(endpoint).toMatchObject({ provider, credential: { env } });
  expect(endpoint?.price).toBeDefined();
  expect(JSON.stringify(endpoint)).not.toContain("key-of-nobody");
  expect(modelsFromEnvironment({ [env]: "key-of-nobody" }).endpoints).toHaveLength(1);
});

test("COUNTERSIGN_MODEL takes the place of the default model, whose price is not its own", () => {
  const endpoint = endpointFromEnvironment({ OPENAI_API_KEY: "k", COUNTERSIGN_MODEL: "other" });
  expect(endpoint).toMatchObject({ provider: "openai", model: "other" });
  expect(endpoint?.price).toBeUndefined();
});

test("COUNTERSIGN_MODEL_URL stands before all keys, and its host may be private", () => {
  const models = modelsFromEnvironment({
    OPENAI_API_KEY: "k",
    COUNTERSIGN_MODEL_URL: "http://localhost:11434/v1",
    COUNTERSIGN_MODEL_NAME: "qwen3",
    COUNTERSIGN_MODEL_KEY: "k",
  });
  expect(models.allowPrivateEndpoints).toEqual(["localhost:11434"]);
  expect(models.endpoints).toMatchObject([
    {
      provider: "openai-compatible",
      baseURL: "http://localhost:11434/v1",
      model: "qwen3",
      credential: { env: "COUNTERSIGN_MODEL_KEY" },
    },
  ]);
});

test("a model server sees pictures only where COUNTERSIGN_MODEL_IMAGES says so", () => {
  const url = { COUNTERSIGN_MODEL_URL: "http://localhost:11434/v1" };
  expect(endpointFromEnvironment(url)?.images).toBeUndefined();
  expect(endpointFromEnvironment({ ...url, COUNTERSIGN_MODEL_IMAGES: "1" })?.images).toBe(true);
});
