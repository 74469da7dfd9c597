import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { sql } from "../database/sql.ts";
import { silentLogger } from "../logger.ts";
import type { UsageRow, UsageSink } from "../model/model.ts";
import { createTestDatabase, type TestDatabase } from "../testing/test-database.ts";
import { createTurnScenes, type TurnScene } from "../testing/turn-scene.ts";
import { createUsageBook } from "./usage-book.ts";

let db: TestDatabase;
const scenes = createTurnScenes(() => db.connectionString);
beforeAll(async () => {
  db = await createTestDatabase();
});
afterEach(() => scenes.close());
afterAll(() => db.drop());

function row(userId: string, messageId: string): UsageRow {
  return {
    ...{
      requestId: randomUUID(),
      userId,
      source: "agent",
      task: "agent.chat",
      endpoint: "test",
      status: "ok",
      code: null,
    },
    attribution: { messageId, turnId: randomUUID() },
    ...{
      model: "m",
      inputTokens: 1,
      cachedTokens: 0,
      outputTokens: 2,
      reasoningTokens: 0,
      costMicros: 3,
      latencyMs: 4,
    },
  };
}

/** A book whose rows the test sends itself, as any other process might. */
function openBook(scene: TurnScene) {
  const sinks: UsageSink[] = [];
  const { chat } = scene.node;
  const onUsage = (sink: UsageSink) => {
    sinks.push(sink);
    return () => void sinks.splice(0);
  };
  const book = createUsageBook({ chat, models: { onUsage }, logger: silentLogger });
  return { book, send: (sent: UsageRow) => sinks.forEach((sink) => sink(sent)) };
}

const linksOf = (userId: string) =>
  db.database.query<{ ai_request_id: string | null }>(sql`
select ai_request_id from messages where user_id = ${userId} and role = 'user'`);

describe("A journal row", () => {
  test("of a message that is about to be stored is kept for it, in the process", async () => {
    const scene = await scenes.open([]);
    const { book, send } = openBook(scene);
    const sent = row(scene.userId, randomUUID());
    book.expect(sent.attribution.messageId);
    send(sent);
    expect(book.take(sent.attribution.messageId)).toEqual({
      ...{ requestId: sent.requestId, model: "m", inputTokens: 1, outputTokens: 2, costMicros: 3, latencyMs: 4 },
    });
    expect(book.take(sent.attribution.messageId)).toBeNull();
  });

  test("of a message stored already, from elsewhere, is linked to it, once, for its own user alone", async () => {
    const scene = await scenes.open(["Hello."]);
    const messageId = (await scene.ask("Hi"))[0]?.id ?? "";
    const { send } = openBook(scene);
    send(row("somebody-else", messageId));
    const first = row(scene.userId, messageId);
    send(first);
    await expect.poll(() => linksOf(scene.userId)).toEqual([{ ai_request_id: first.requestId }]);
    const { chat } = scene.node;
    const again = { userId: scene.userId, messageId, requestId: randomUUID() };
    expect(await chat.linkUsage(again)).toBe(false);
    expect(await linksOf(scene.userId)).toEqual([{ ai_request_id: first.requestId }]);
  });

  test("of a message that never was harms nothing", async () => {
    const scene = await scenes.open([]);
    const { send } = openBook(scene);
    send(row(scene.userId, randomUUID()));
    send(row(scene.userId, "no uuid at all"));
    expect(await scene.told()).toEqual([]);
  });
});
