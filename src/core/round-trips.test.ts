import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type CoreNode, toCall } from "../../test/core/core-node.ts";
import { setStage, type Stage } from "../../test/core/stage.ts";
import type { Beside } from "../database/beside.ts";
import type { Database } from "../database/database.ts";

let stage: Stage;
let node: CoreNode;
const asked: string[] = [];

beforeAll(async () => {
  stage = await setStage();
  const between = (database: Database): Database => ({
    ...database,
    query(statement) {
      asked.push(statement.text);
      return database.query(statement);
    },
    transaction: () => expect.fail("a step is one statement"),
  });
  node = await stage.startNode({ between });
});

afterAll(() => stage.close());

beforeEach(() => void stage.enter());

async function count(work: () => Promise<{ readonly ok: boolean }>): Promise<number> {
  asked.length = 0;
  await work();
  return asked.length;
}

test("a step is one statement: a read two, a hold two, a click three, a cancel one", async () => {
  const { ref } = stage.ada;
  expect(await count(() => node.core.execute(ref, toCall("notes.look", {})))).toBe(2);
  expect(await count(() => node.core.execute(ref, toCall("notes.write", { text: "a" })))).toBe(2);
  const [run, turnedDown, changed] = [await stage.holdIt(), await stage.holdIt(), await stage.holdIt()];
  expect(await count(() => stage.click(run, { on: node }))).toBe(3);
  expect(await count(() => stage.click(changed, { on: node }))).toBe(2);
  const request = { via: "agent", requestContext: { requestId: "r" } } as const;
  expect(await count(() => node.core.rejectForUser(ref, turnedDown, request))).toBe(1);
});

test("a refusal before the count is one statement, and one after it gives back with its audit row", async () => {
  const { ref, permissions } = stage.ada;
  expect(await count(() => node.core.execute(ref, toCall("notes.look", { page: "x" })))).toBe(2);
  permissions.clear();
  expect(await count(() => node.core.execute(ref, toCall("notes.look", {})))).toBe(1);
  expect(await count(() => node.core.execute("nobody", toCall("notes.look", {})))).toBe(0);
});

test("rows of a page are one statement, however many", async () => {
  const ids = [await stage.holdIt(), await stage.holdIt(), await stage.holdIt()];
  expect(await count(() => node.core.getForUser(stage.ada.ref, ids))).toBe(1);
  asked.length = 0;
  await node.core.lookupForUser(stage.ada.userId, ids);
  await node.core.expireForUser(stage.ada.userId, ids);
  expect(asked).toHaveLength(2);
});

test("where its caller asks, what has to be written of a call is handed over: a read's audit row, a held write's row", async () => {
  const { ref, userId } = stage.ada;
  const records: Beside[] = [];
  const onRecord = (record: Beside): void => void records.push(record);
  expect(await count(() => node.core.execute(ref, toCall("notes.look", {}, { onRecord })))).toBe(1);
  const held = await node.core.execute(ref, toCall("notes.write", { text: "a" }, { onRecord }));
  const id = held.ok && held.status === "confirmation_required" ? held.confirmationId : "";
  const statusOf = async (): Promise<string | undefined> =>
    (await node.core.lookupForUser(userId, [id])).get(id)?.status;
  expect(await statusOf()).toBe("gone");
  for (const record of records) await record.alone();
  expect(await statusOf()).toBe("held");
  expect(records.map(({ statement }) => statement.text.includes("insert into tool_calls"))).toEqual([true, true]);
});
