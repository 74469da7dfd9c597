import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { administer } from "../../src/database/administer.ts";
import { connectDatabase } from "../../src/database/connect.ts";
import { migrate, readMigrationState } from "../../src/database/migrate.ts";
import { sql } from "../../src/database/sql.ts";
import { isStartError } from "../../src/database/start-error.ts";
import { createBills } from "../../src/testing/bills.ts";
import { createTestDatabase, type TestDatabase } from "../../src/testing/test-database.ts";
import { createTestNode, type TestNode } from "../../src/testing/test-node.ts";
import { createTurnScenes } from "../../src/testing/turn-scene.ts";
import { noPgBouncer, startPgBouncer, type PgBouncer } from "./pgbouncer.ts";

const skipped = noPgBouncer === null ? "" : ` (skipped: ${noPgBouncer})`;

describe.skipIf(noPgBouncer !== null)(`Behind a pooler in transaction mode${skipped}`, () => {
  let db: TestDatabase;
  const poolers: PgBouncer[] = [];
  const nodes: TestNode[] = [];
  let through = "";
  const scenes = createTurnScenes(() => through);

  beforeAll(async () => {
    db = await createTestDatabase();
  });
  afterEach(async () => {
    for (const node of nodes.splice(0)) await node.close();
    await scenes.close();
    for (const pooler of poolers.splice(0)) await pooler.stop();
  });
  afterAll(() => db.drop());

  async function pool(options?: { readonly ignoring: boolean }): Promise<string> {
    const pooler = await startPgBouncer(db.connectionString, options);
    poolers.push(pooler);
    return pooler.connectionString;
  }

  /** The sentence with which a node does not start. */
  async function refusal(connectionString: string, pooled: boolean): Promise<string> {
    const pooler = pooled ? { direct: db.connectionString } : undefined;
    const error: unknown = await connectDatabase({ connectionString, pooler }).then(
      (database) => database.close(),
      (thrown: unknown) => thrown,
    );
    return isStartError(error) ? error.startSentence : String(error);
  }

  /** Sets the role as the refusal says; the pooler's connections after it have it. */
  async function setRole(): Promise<void> {
    const sentence = await refusal(await pool(), true);
    const statements = /reconnect: (.*)$/.exec(sentence)?.[1] ?? "";
    await administer(db.connectionString, (run) => run(statements));
    through = await pool();
  }

  test("a node that was not told so does not start: its settings are refused", async () => {
    expect(await refusal(await pool(), false)).toMatch(
      /^a pooler at .* refuses what connections are set to \(08P01\);/,
    );
  });

  test("a node whose settings the pooler drops does not start, and names them", async () => {
    expect(await refusal(await pool({ ignoring: true }), false)).toMatch(
      /^connections come without the settings they are opened with \(search_path, .*statement_timeout.*\)/,
    );
  });

  test("a node that was told so does not start before its role is set, and says the statements", async () => {
    const sentence = await refusal(await pool(), true);
    expect(sentence).toContain("run this once, and let the pooler reconnect: alter role ");
    expect(sentence).toContain("set search_path = 'countersign';");
    expect(sentence).toContain("set statement_timeout = '15s';");
  });

  test("with its role set, statements and batches of many users at once run, on any connection", async () => {
    await setRole();
    const database = await connectDatabase({
      ...{ connectionString: through, pooler: { direct: db.connectionString }, poolSize: 20 },
    });
    expect((await readMigrationState(database)).missing).toEqual([]);
    expect(await migrate(database)).toEqual([]);
    const add = (n: number) =>
      database.together([
        sql`select ${n}::int as n`,
        sql`select 1 as one`,
        sql`select pg_sleep(0.001)::text as slept, current_setting('statement_timeout') as limit`,
      ]);
    const answers = await Promise.all(Array.from({ length: 200 }, (_, n) => add(n)));
    expect(answers.map(([first]) => first)).toEqual(answers.map((_, n) => [{ n }]));
    expect(answers.every(([, , third]) => JSON.stringify(third).includes("15s"))).toBe(true);
    const pids = await database.query<{ pid: number }>(
      sql`select pid from pg_stat_activity where datname = current_database() and application_name = 'countersign'`,
    );
    expect(pids.length).toBeLessThanOrEqual(4);
    await database.close();
  });

  test("with its role set, turns, cards, clicks and watchers on two nodes work", async () => {
    await setRole();
    const bills = createBills();
    const reach = { pooler: { direct: db.connectionString } };
    const pay = { text: "I will pay it.", calls: [{ name: "bills__pay", arguments: { id: "7" } }] };
    const scene = await scenes.open([pay, { text: "Paid." }], { modules: [bills.module], reach });
    const { sessions, model, ref, conversationId } = scene;
    const other = await createTestNode({
      ...{ connectionString: through, sessions, model, modules: [bills.module], reach },
    });
    nodes.push(other);
    const events = await scene.watch(undefined, other);
    await scene.ask("Pay 7.");
    const waiting = await other.confirmations.waitingCards(ref, { conversationId });
    const messageId = waiting.ok ? waiting.messages[0]?.id : undefined;
    expect(messageId).toBeDefined();
    const click = (node: TestNode) =>
      node.confirmations.confirm(ref, {
        ...{ conversationId, messageId: messageId ?? "", requestContext: { requestId: randomUUID() } },
      });
    const clicks = await Promise.all([scene.node, other, scene.node, other].map(click));
    expect(clicks.some(({ ok }) => ok)).toBe(true);
    expect(bills.writes).toEqual(["pay 7"]);
    await scene.ask("Done?");
    await expect
      .poll(() => events.flatMap((event) => (event.type === "message" ? [event.message.seq] : [])))
      .toEqual([1, 2, 3, 4, 5, 6]);
  });
});
