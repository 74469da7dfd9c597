import { afterAll, beforeAll, expect, test } from "vitest";
import { type CoreNode, toCall } from "../../test/core/core-node.ts";
import { setStage, type Stage } from "../../test/core/stage.ts";
import type { Database } from "../database/database.ts";
import type { Statement } from "../database/sql.ts";

let stage: Stage;
let node: CoreNode;
const asked = new Map<string, Statement>();

beforeAll(async () => {
  stage = await setStage();
  const between = (database: Database): Database => ({
    ...database,
    query(statement) {
      asked.set(statement.name, statement);
      return database.query(statement);
    },
  });
  node = await stage.startNode({ between });
});

afterAll(() => stage.close());

/** Everything core asks of its tables for a user, once. */
async function askAll(): Promise<void> {
  const { ref, userId } = stage.ada;
  const request = { via: "agent", requestContext: { requestId: "r" } } as const;
  await node.core.execute(ref, toCall("notes.look", {}));
  await node.core.execute(ref, toCall("notes.write", {}));
  const [run, turnedDown, changed] = [await stage.holdIt(), await stage.holdIt(), await stage.holdIt()];
  await stage.click(run, { on: node });
  await stage.click(changed, { on: node });
  await node.core.rejectForUser(ref, turnedDown, request);
  const ids = [run, turnedDown, changed];
  await node.core.lookupForUser(userId, ids);
  await node.core.expireForUser(userId, ids);
  await node.core.getForUser(ref, ids);
  await node.core.forgetConfirmations(userId, ids);
}

test("a statement made while the tables were empty reads the rows it names, not all of a user's", async () => {
  await askAll();
  expect(asked.size).toBeGreaterThanOrEqual(11);
  await stage.raw.rows("set plan_cache_mode = force_generic_plan");
  for (const { name, text, values } of asked.values()) {
    const types = values.map(() => "unknown").join(", ");
    await stage.raw.rows(`prepare ${name}${types === "" ? "" : ` (${types})`} as ${text}`);
    const nulls = values.map(() => "null").join(", ");
    const plan = await stage.raw.rows<{ "QUERY PLAN": string }>(`explain (costs off) execute ${name}(${nulls})`);
    const lines = plan.map((line) => line["QUERY PLAN"].trim());
    expect([text, lines.filter((line) => line.includes("Seq Scan"))]).toEqual([text, []]);
    const conditions = lines.filter((line) => line.startsWith("Index Cond"));
    expect([text, conditions.filter((line) => !/\bid = |\btool = /.test(line))]).toEqual([text, []]);
  }
});
