import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type CoreNode, toCall } from "../../test/core/core-node.ts";
import { untilWaiting } from "../../test/core/raw.ts";
import { setStage, type Stage } from "../../test/core/stage.ts";
import type { Database } from "../database/database.ts";
import type { Statement } from "../database/sql.ts";

let stage: Stage;
let other: CoreNode;

beforeAll(async () => {
  stage = await setStage();
  other = await stage.startNode();
});

afterAll(() => stage.close());

beforeEach(() => void stage.enter());

const request = { via: "agent", requestContext: { requestId: "r" } } as const;
const reject = (id: string) => stage.node.core.rejectForUser(stage.ada.ref, id, request);
const reasonOf = (answer: { readonly ok: boolean; readonly reason?: string }): string => answer.reason ?? "ok";

/** Holds the row in a transaction of the test's own, so that whoever wants it waits. */
async function lockRow(id: string): Promise<void> {
  await stage.raw.rows("begin");
  await stage.raw.rows("select 1 from confirmations where id = $1 for update", [id]);
}

describe("exactly one click spends a row", () => {
  test("of fifty at once on two nodes: the handler runs once, every other is told", async () => {
    const id = await stage.holdIt();
    await lockRow(id);
    const clicks = Array.from({ length: 50 }, (_, turn) =>
      stage.click(id, { on: turn % 2 === 0 ? stage.node : other }),
    );
    await untilWaiting(stage.raw, 40);
    await stage.raw.rows("commit");
    const reasons = (await Promise.all(clicks)).map(reasonOf);
    expect(reasons.filter((reason) => reason === "ok")).toHaveLength(1);
    expect(reasons.filter((reason) => reason === "used")).toHaveLength(49);
    expect(stage.notes.runs).toHaveLength(1);
    const audited = await stage.auditOf(id);
    expect(audited.filter(({ code }) => code === null)).toHaveLength(1);
    expect(audited).toHaveLength(50);
  });

  test("of a click and a cancel", async () => {
    for (let round = 0; round < 5; round++) {
      const id = await stage.holdIt();
      await lockRow(id);
      const both = [stage.click(id, { on: other }), reject(id)] as const;
      await untilWaiting(stage.raw, 2);
      await stage.raw.rows("commit");
      const [clicked, rejected] = await Promise.all(both);
      const runs = stage.notes.runs.filter((run) => run.confirmationId === id).length;
      expect([reasonOf(clicked), reasonOf(rejected), runs]).toEqual(
        clicked.ok ? ["ok", "used", 1] : ["rejected", "ok", 0],
      );
      stage.notes.put(stage.ada.userId, "empty");
    }
  });

  test("of a click that runs it and one that finds its target changed", async () => {
    const id = await stage.holdIt();
    // Both dry runs are over before either goes on: one saw the old note, the other the edited one.
    let rehearsed = 0;
    stage.notes.onPreview = () => {
      rehearsed += 1;
      if (rehearsed === 2) stage.notes.put(stage.ada.userId, "edited");
      return undefined;
    };
    await lockRow(id);
    const first = stage.click(id);
    await untilWaiting(stage.raw, 1);
    const second = stage.click(id, { on: other });
    await untilWaiting(stage.raw, 2);
    await stage.raw.rows("commit");
    expect([reasonOf(await first), reasonOf(await second)]).toEqual(["ok", "used"]);
    expect(await stage.rowOf(id)).toMatchObject({ status: "used", replaced_by: null });
  });

  test("of two that find its target changed: one row replaces it", async () => {
    const id = await stage.holdIt();
    stage.notes.put(stage.ada.userId, "edited");
    await lockRow(id);
    const both = [stage.click(id), stage.click(id, { on: other })];
    await untilWaiting(stage.raw, 2);
    await stage.raw.rows("commit");
    const answers = await Promise.all(both);
    const { replaced_by: replacedBy } = (await stage.rowOf(id)) ?? {};
    expect(answers).toEqual([1, 2].map(() => ({ ok: false, reason: "changed", replacedBy })));
    const held = "select id from confirmations where user_id = $1 and status = 'held'";
    expect(await stage.raw.rows(held, [stage.ada.userId])).toEqual([{ id: replacedBy }]);
    expect(stage.notes.runs).toEqual([]);
  });
});

describe("the row decides between running out and a spend that is under way", () => {
  test("a spend that waited past the time spends nothing", async () => {
    const id = await stage.holdIt();
    await stage.raw.rows("update confirmations set expires_at = clock_timestamp() + interval '1 s' where id = $1", [
      id,
    ]);
    await lockRow(id);
    const clicked = stage.click(id);
    await untilWaiting(stage.raw, 1);
    await stage.raw.rows(
      "select pg_sleep(extract(epoch from expires_at - clock_timestamp()) + 0.01) from confirmations where id = $1",
      [id],
    );
    // Nothing changed the row while it was held: only the clock went on.
    await stage.raw.rows("rollback");
    expect(await clicked).toEqual({ ok: false, reason: "expired" });
    expect(await stage.rowOf(id)).toMatchObject({ status: "expired" });
    expect(stage.notes.runs).toEqual([]);
  });

  test("a row that a spend has is not told as expired", async () => {
    const id = await stage.holdIt();
    await stage.raw.rows("update confirmations set expires_at = clock_timestamp() - interval '1 ms' where id = $1", [
      id,
    ]);
    // A spend of another node that found the row in time and has not committed yet.
    await stage.raw.rows("begin");
    await stage.raw.rows(
      `update confirmations set status = 'used', used_at = clock_timestamp(), spent_by = $2, preview = null,
              run_until = clock_timestamp() + interval '1 minute' where id = $1`,
      [id, crypto.randomUUID()],
    );
    const asked = stage.node.core.expireForUser(stage.ada.userId, [id]);
    const clicked = stage.click(id, { on: other });
    await untilWaiting(stage.raw, 2);
    await stage.raw.rows("commit");
    expect((await asked).get(id)).toMatchObject({ status: "used", ranOut: false, running: true });
    expect(await clicked).toEqual({ ok: false, reason: "used" });
  });
});

describe("a spend whose answer was lost", () => {
  const isSpend = ({ text }: Statement): boolean => text.includes("spent_by = case");

  /** Runs what `when` says of on the database, and then loses its answer. */
  let lost = 0;
  beforeEach(() => void (lost = 0));
  const losing =
    (when: (statement: Statement) => boolean, times: number) =>
    (database: Database): Database => ({
      ...database,
      async query<Row extends object>(statement: Statement): Promise<readonly Row[]> {
        const rows = await database.query<Row>(statement);
        if (!when(statement) || lost >= times) return rows;
        lost += 1;
        throw new Error("Connection terminated unexpectedly");
      },
    });

  test("is read back by the row: the handler runs, once", async () => {
    const on = await stage.startNode({ between: losing(isSpend, 2) });
    const id = await stage.holdIt();
    expect(await stage.click(id, { on })).toMatchObject({ ok: true });
    expect([lost, stage.notes.runs.length]).toEqual([2, 1]);
    expect(await stage.auditOf(id)).toMatchObject([{ code: null, duration_ms: expect.any(Number) as number }]);
    expect(await stage.rowOf(id)).toMatchObject({ status: "used", succeeded: true });
  });

  test("and another's click meanwhile is told by whose it is", async () => {
    const id = await stage.holdIt();
    const on = await stage.startNode({ between: losing(isSpend, 1) });
    await lockRow(id);
    const clicks = [stage.click(id, { on }), stage.click(id), stage.click(id, { on: other })];
    await untilWaiting(stage.raw, 3);
    await stage.raw.rows("commit");
    const answers = await Promise.all(clicks);
    expect(answers.filter((answer) => answer.ok)).toHaveLength(1);
    expect([lost, stage.notes.runs.length]).toEqual([1, 1]);
  });

  test("for good ends in a throw with the row spent and no handler run: it reads as not known", async () => {
    const on = await stage.startNode({ between: losing(isSpend, Infinity) });
    const id = await stage.holdIt();
    await expect(stage.click(id, { on })).rejects.toThrow("Connection terminated");
    expect(stage.notes.runs).toEqual([]);
    const states = await stage.node.core.lookupForUser(stage.ada.userId, [id]);
    expect(states.get(id)).toMatchObject({ status: "used", running: true, succeeded: null });
  });

  test("because its connection was cut before it could commit is asked again", async () => {
    const id = await stage.holdIt();
    await lockRow(id);
    const clicked = stage.click(id);
    const [pid] = await untilWaiting(stage.raw, 1);
    await stage.raw.rows("select pg_terminate_backend($1)", [pid]);
    await untilWaiting(stage.raw, 1);
    await stage.raw.rows("commit");
    expect(await clicked).toMatchObject({ ok: true });
    expect(stage.notes.runs).toHaveLength(1);
  });

  test("an end whose answer was lost is written all the same, and one that cannot be written is logged", async () => {
    const isEnd = ({ text }: Statement): boolean => text.includes("set finished_at");
    const id = await stage.holdIt();
    expect(await stage.click(id, { on: await stage.startNode({ between: losing(isEnd, 1) }) })).toMatchObject({
      ok: true,
    });
    expect(await stage.rowOf(id)).toMatchObject({ succeeded: true });
    expect(lost).toBe(1);
    stage.notes.put(stage.ada.userId, "empty");

    const next = await stage.holdIt();
    const gone = (database: Database): Database => ({
      ...database,
      query: (statement) => (isEnd(statement) ? Promise.reject(new Error("gone")) : database.query(statement)),
    });
    const on = await stage.startNode({ between: gone });
    expect(await stage.click(next, { on })).toMatchObject({ ok: true, result: { written: "a" } });
    expect(await stage.rowOf(next)).toMatchObject({ status: "used", succeeded: null });
    expect(on.log).toMatchObject([{ level: "error", fields: { confirmationId: next } }]);
  });
});

test("a replacement whose answer was lost answers the row it made", async () => {
  let lost = 0;
  const between = (database: Database): Database => ({
    ...database,
    async query<Row extends object>(statement: Statement): Promise<readonly Row[]> {
      const rows = await database.query<Row>(statement);
      if (!statement.text.includes("replaced_by = case") || lost++ > 0) return rows;
      throw new Error("Connection terminated unexpectedly");
    },
  });
  const id = await stage.holdIt();
  stage.notes.put(stage.ada.userId, "edited");
  const answer = await stage.click(id, { on: await stage.startNode({ between }) });
  const row = await stage.rowOf(id);
  expect(answer).toEqual({ ok: false, reason: "changed", replacedBy: row?.["replaced_by"] });
  expect(await stage.auditOf(id)).toMatchObject([{ code: "changed" }]);
  expect(lost).toBe(2);
});

test("a write held under a right that is then revoked is not run, and may still be turned down", async () => {
  const id = await stage.holdIt();
  stage.ada.permissions.clear();
  expect(await stage.click(id)).toEqual({ ok: false, reason: "forbidden" });
  const read = await stage.node.core.getForUser(stage.ada.ref, [id]);
  expect(read.ok && read.rows.get(id)).toMatchObject({ ok: false, reason: "forbidden", state: { status: "held" } });
  expect(await reject(id)).toEqual({ ok: true });
  expect(stage.notes.runs).toEqual([]);
  const again = await stage.node.core.execute(stage.ada.ref, toCall("notes.write", { text: "a" }));
  expect(again).toEqual({ ok: false, reason: "forbidden" });
});
