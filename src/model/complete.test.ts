import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";

import { createSettings } from "../settings/create-settings.ts";
import { createTestDatabase, type TestDatabase } from "../testing/test-database.ts";
import { scriptedModel } from "../testing/scripted-model.ts";
import { createModels } from "./create-models.ts";

let own: TestDatabase;
beforeAll(async () => {
  own = await createTestDatabase();
});
afterAll(() => own.drop());

test("a call is journalled", async () => {
  const { database } = own;
  const settings = createSettings({ database });
  const model = scriptedModel([{ text: ["Hel", "lo"] }]);
  const models = createModels({
    database,
    settings,
    endpoints: [{ name: "s", provider: "openai", model: "x", languageModel: model, price: { input: 3, output: 15 } }],
  });
  const userId = "u1";
  const admitted = await models.admit(userId, "agent.chat");
  if (!admitted.ok) throw new Error(admitted.reason);
  const heard: string[] = [];
  const answer = await models.complete({
    userId,
    admission: admitted.admission,
    source: "agent",
    task: "agent.chat",
    prompt: { system: "s", messages: [{ role: "user", text: "hi" }] },
    tools: [],
    attribution: { messageId: randomUUID(), turnId: randomUUID() },
    mayCapture: true,
    onText: (delta) => heard.push(delta),
    signal: new AbortController().signal,
    stopRequested: () => false,
    deadline: Date.now() + 60_000,
  });
  model.assertUsedUp();
  expect(answer).toMatchObject({ ok: true, text: "Hello", end: "text" });
});
