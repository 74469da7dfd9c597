import { expect, test } from "vitest";
import { mayUseVariable, wouldCarryKeyAway } from "./credential-variables.ts";

const openai = { provider: "openai", baseUrl: null } as const;

test("a provider's own variable goes to that provider's own address alone", () => {
  expect(mayUseVariable({ ...openai, credentialEnv: "OPENAI_API_KEY" }, [])).toBe(true);
  expect(mayUseVariable({ ...openai, credentialEnv: null }, [])).toBe(true);
  const elsewhere = { ...openai, baseUrl: "https://collector.example/v1" };
  expect(mayUseVariable({ ...elsewhere, credentialEnv: "OPENAI_API_KEY" }, [])).toBe(false);
  expect(mayUseVariable({ ...openai, credentialEnv: "ANTHROPIC_API_KEY" }, [])).toBe(false);
});

test.each(["COUNTERSIGN_SECRET", "DATABASE_URL", "PATH", "__proto__"])(
  "no key is taken from %s unless the developer names it",
  (credentialEnv) => {
    const endpoint = { provider: "openai-compatible", baseUrl: "https://collector.example/v1", credentialEnv };
    expect(mayUseVariable(endpoint, ["GATEWAY_KEY"])).toBe(false);
    expect(mayUseVariable(endpoint, [credentialEnv])).toBe(true);
  },
);

test("a key that stays goes nowhere else than where it was given for", () => {
  const before = {
    ...openai,
    baseUrl: "https://models.example/v1",
    credentialEnv: null,
    credentialSealed: new Uint8Array(1),
  };
  expect(wouldCarryKeyAway(before, { provider: "openai", baseUrl: "https://models.example/v2" })).toBe(false);
  expect(wouldCarryKeyAway(before, { provider: "openai", baseUrl: "https://collector.example/v1" })).toBe(true);
  expect(wouldCarryKeyAway(before, { provider: "openai", baseUrl: "http://models.example/v1" })).toBe(true);
  expect(wouldCarryKeyAway(before, { provider: "anthropic", baseUrl: before.baseUrl })).toBe(true);
  expect(wouldCarryKeyAway(before, openai)).toBe(true);
  expect(wouldCarryKeyAway({ ...before, credentialSealed: null }, openai)).toBe(false);
});
