import { randomUUID } from "node:crypto";
import { cp, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { createAssistant } from "../../src/assistant.ts";
import { connectDatabase } from "../../src/database/connect.ts";
import { migrate, requireMigrated } from "../../src/database/migrate.ts";
import { sql } from "../../src/database/sql.ts";
import type { Logger } from "../../src/logger.ts";
import { createBills } from "../../src/testing/bills.ts";
import { createTestDatabase, type TestDatabase } from "../../src/testing/test-database.ts";
import { createTurnScenes, type TurnScene } from "../../src/testing/turn-scene.ts";
import { sweep } from "../../src/turn/sweeper.ts";
import { uploaded } from "../attachments/uploads.ts";

// A deploy with a migration: nodes of the old version go on, on the schema of the new one.

const released = new URL("../../src/database/migrations/", import.meta.url);
let db: TestDatabase;
let later: URL;
const folders: string[] = [];
const scenes = createTurnScenes(() => db.connectionString);

beforeAll(async () => {
  db = await createTestDatabase();
  later = await releaseLater();
});
afterEach(() => scenes.close());
afterAll(async () => {
  await db.drop();
  for (const folder of folders) await rm(folder, { recursive: true });
});

/** The released files and one more, which adds what migrations may add: a column to every table, a table, an index. */
async function releaseLater(): Promise<URL> {
  const folder = await mkdtemp(path.join(tmpdir(), "countersign-later-"));
  folders.push(folder);
  await cp(released, folder, { recursive: true });
  const number = String((await readdir(folder)).length + 1).padStart(4, "0");
  const tables = await db.database.query<{ name: string }>(
    sql`select tablename as name from pg_tables where schemaname = ${db.database.schema} and tablename <> 'migrations'`,
  );
  const columns = tables.flatMap(({ name }, index) => [
    `alter table ${name} add column later_text text;`,
    `alter table ${name} add column later_count integer not null default ${index};`,
    `create index on ${name} (user_id, later_count);`,
  ]);
  const table = "create table later_things (user_id text, id uuid, primary key (user_id, id));";
  await writeFile(path.join(folder, `${number}_later.sql`), [...columns, table].join("\n"));
  return pathToFileURL(`${folder}/`);
}

const call = (name: string) => ({ calls: [{ name: `bills__${name}`, arguments: { id: "7" } }] });
const script = [call("find"), { text: "It is open." }, call("pay"), call("drop"), call("pay"), { text: "Well." }];

async function newestCard({ node, ref, conversationId }: TurnScene): Promise<string> {
  const waiting = await node.confirmations.waitingCards(ref, { conversationId });
  return (waiting.ok ? waiting.messages.at(-1)?.id : undefined) ?? "none";
}

/** What users, administrators and the sweeper do of everything; what came of it, in short. */
async function live(scene: TurnScene): Promise<readonly unknown[]> {
  const { node, ref, userId, conversationId } = scene;
  const requestContext = { requestId: randomUUID() };
  const click = async (how: "confirm" | "reject" | "repeat") => {
    const answer = await node.confirmations[how](ref, {
      ...{ conversationId, messageId: await newestCard(scene), requestContext },
    });
    return answer.ok ? answer.outcome : answer.reason;
  };
  const told: unknown[] = [];
  const events = await scene.watch();
  const file = await uploaded(scene, "Total: 12", { name: "notes.txt" });
  await scene.start("Find it.", { attachmentIds: [file.id] });
  await node.turns.idle();
  await scene.ask("Pay it.");
  told.push(await click("confirm"));
  await scene.ask("Drop it.");
  told.push(await click("reject"));
  await scene.ask("Pay it again.");
  await db.database.query(sql`
    update confirmations set expires_at = clock_timestamp() - interval '1 second'
    where user_id = ${userId} and status = 'held'`);
  told.push(await node.confirmations.settleLapsed(ref, { conversationId }));
  const lapsed = (await scene.messages()).findLast(({ role, ...row }) => role === "tool" && "confirmationId" in row);
  told.push(
    await node.confirmations.repeat(ref, { conversationId, messageId: lapsed?.id ?? "", requestContext }),
    await click("confirm"),
  );
  await scene.ask("And?");
  told.push(await scene.told());
  told.push(events.filter(({ type }) => type === "message").length);

  told.push((await node.settings.setUser(userId, { instructions: "Be brief." })).ok);
  told.push((await node.settings.forUser(userId)).values.instructions);
  told.push((await node.models.admin.journal({ userId })).entries.map(({ status }) => status));
  told.push((await node.models.admin.usage({ from: "2020-01-01", to: "2100-01-01", userId })).total.calls);
  told.push((await node.models.admin.flags({})).flags.length, (await node.chat.admin.runningTurns()).turns.length);
  const input = { name: `e-${userId}`, provider: "openai", model: "m" } as const;
  told.push((await node.models.admin.saveEndpoint(input, { env: "SOME_KEY" })).ok);
  told.push((await node.models.admin.removeEndpoint(input.name)).ok);
  told.push(
    (await node.chat.renameConversation(ref, { conversationId, title: "Bills" })).ok,
    (await node.chat.removeConversation(ref, { conversationId })).ok,
    (await node.chat.restoreConversation(ref, { conversationId })).ok,
  );
  return told;
}

test("a node of the version before goes on on the schema of the next one: turns, cards, files, settings, sweeps and forgetting", async () => {
  const lines: string[] = [];
  const say = (_fields: object, message: string) => void lines.push(message);
  const logger: Logger = { debug() {}, info() {}, warn: say, error: say };
  const bills = createBills();
  const open = (times: number) =>
    scenes.open(Array.from({ length: times }, () => script).flat(), { modules: [bills.module], logger });
  const running = await open(2);
  const before = await live(running);
  expect(before.slice(0, 5)).toEqual([
    "confirmed",
    "rejected",
    { ok: true },
    { ok: true, outcome: "repeated", finished: true },
    "confirmed",
  ]);
  expect(bills.writes).toEqual(["pay 7", "pay 7"]);

  // What no statement of this package may say: it shows that the connections are those of before.
  const careless = () => running.node.database.query(sql`select * from settings`);
  await careless();
  expect(await migrate(db.database, { files: later })).toHaveLength(1);
  await expect(careless()).rejects.toThrow("cached plan must not change result type");

  // The one that ran before, whose connections know its statements, and one that connects only now.
  for (const scene of [running, await open(1)]) {
    bills.writes.length = 0;
    await live(scene);
    expect(bills.writes).toEqual(["pay 7", "pay 7"]);
    await sweep({ ...scene.node, node: "old", hostName: "", logger });
    await scene.node.chat.forgetUser(scene.userId, async () => {
      const { attachments, core, models, settings } = scene.node;
      for (const room of [attachments, core, models, settings]) await room.forgetUser(scene.userId);
    });
    const left = await db.database.query(sql`select from messages where user_id = ${scene.userId}`);
    expect(left).toEqual([]);
  }
  expect(lines).toEqual([]);
});

test("a node of the version before that is started on the schema of the next one refuses in one sentence, also where it migrates nothing", async () => {
  const own = await connectDatabase({ connectionString: db.connectionString, schema: "ahead" });
  await migrate(own, { files: later });
  await own.close();
  const options = {
    database: db.connectionString,
    schema: "ahead",
    modules: [],
    models: [],
    sessions: { load: async () => null, resolve: () => null },
  };
  for (const migrates of [true, false]) {
    await expect(createAssistant({ ...options, migrate: migrates })).rejects.toMatchObject({
      startSentence: expect.stringMatching(/^the schema "ahead" was brought to \d{4}_later by a newer countersign;/),
    });
  }
});

test("a node of the next version migrates the schema of the one before, or, told to migrate nothing, refuses in one sentence", async () => {
  const own = await connectDatabase({ connectionString: db.connectionString, schema: "behind" });
  await migrate(own);
  await expect(requireMigrated(own, { files: later })).rejects.toMatchObject({
    startSentence: expect.stringMatching(
      /^the schema "behind" lacks \d{4}_later and this package needs \d{4}_later: run/,
    ),
  });
  expect(await migrate(own, { files: later })).toHaveLength(1);
  await expect(requireMigrated(own, { files: later })).resolves.toBeUndefined();
  await own.close();
});
