import { expect, test } from "vitest";
import type { AdminEndpoint } from "../../wire/admin.ts";
import { mergeDraft, toChange, toCreate, toDraft } from "./endpoint-draft.ts";

const read: AdminEndpoint = {
  name: "main",
  provider: "openai",
  baseURL: null,
  model: "small",
  from: "admin",
  credential: { env: "KEY" },
  available: true,
  enabled: true,
  images: false,
  tools: true,
  price: { input: 1, output: 2 },
  contextTokens: null,
  maxOutputTokens: null,
  temperature: null,
  reasoning: null,
  version: 3,
};

test("a change says only what differs from what was read, and null for what was emptied", () => {
  expect(toChange(toDraft(read), read, "keep")).toEqual({ version: 3, changes: {}, credential: "keep" });
  const draft = { ...toDraft(read), model: " large ", input: "", output: "" };
  expect(toChange(draft, read, "none")).toEqual({
    version: 3,
    changes: { model: "large", price: null },
    credential: "none",
  });
});

test("a new endpoint says nothing of what was left empty", () => {
  const draft = { ...toDraft(null), name: "new", model: "m", temperature: "0.5" };
  expect(toCreate(draft, { env: "KEY" })).toEqual({
    name: "new",
    provider: "openai",
    model: "m",
    temperature: 0.5,
    images: false,
    tools: true,
    enabled: true,
    credential: { env: "KEY" },
  });
});

test("what somebody else changed meanwhile is taken over where nothing was typed, and nowhere else", () => {
  const typed = { ...toDraft(read), model: "mine" };
  const newer = { ...read, model: "theirs", temperature: 1, version: 4 };
  expect(mergeDraft(typed, read, newer)).toEqual({ ...typed, temperature: "1" });
});
