import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { toCall } from "../../test/core/core-node.ts";
import { setStage, type Stage } from "../../test/core/stage.ts";
import { refuse } from "./refuse.ts";

let stage: Stage;

beforeAll(async () => {
  stage = await setStage({ values: { toolTimeLimit: 100, runEndMargin: 200 } });
});

afterAll(() => stage.close());

beforeEach(() => void stage.enter());

const args = '{"text":"a"}';

describe("a handler of a spent row", () => {
  test("that throws has failed, and the row stays used", async () => {
    const id = await stage.holdIt();
    stage.notes.onRun = () => Promise.reject(new Error("down"));
    expect(await stage.click(id)).toEqual({ ok: false, reason: "handler_failed" });
    expect(await stage.rowOf(id)).toMatchObject({
      status: "used",
      succeeded: false,
      finished_at: expect.any(Date) as Date,
    });
    expect(await stage.auditOf(id)).toMatchObject([{ code: "handler_failed" }]);
    expect(await stage.click(id)).toEqual({ ok: false, reason: "used" });
    expect(stage.notes.runs).toHaveLength(1);
  });

  test("that refuses has failed too: its row is spent", async () => {
    const id = await stage.holdIt();
    stage.notes.onRun = () => Promise.reject(refuse("locked", "The note is locked."));
    expect(await stage.click(id)).toEqual({ ok: false, reason: "handler_failed", sentence: "The note is locked." });
    expect(await stage.rowOf(id)).toMatchObject({ status: "used", succeeded: false });
  });

  test("that does not answer in its time may have been done, and a late end is still written", async () => {
    for (const [end, succeeded] of [
      ["resolve", true],
      ["reject", false],
    ] as const) {
      const id = await stage.holdIt();
      const gate = Promise.withResolvers<undefined>();
      stage.notes.onRun = () => gate.promise;
      expect(await stage.click(id)).toEqual({ ok: false, reason: "timeout" });
      expect(stage.notes.seen.at(-1)?.signal.aborted).toBe(true);
      expect(await stage.rowOf(id)).toMatchObject({ status: "used", succeeded: null, finished_at: null });
      expect(await stage.auditOf(id)).toMatchObject([{ code: "timeout" }]);
      if (end === "resolve") gate.resolve(undefined);
      else gate.reject(new Error("down"));
      await vi.waitFor(async () => expect(await stage.rowOf(id)).toMatchObject({ succeeded }));
      expect(await stage.auditOf(id)).toMatchObject([{ code: "timeout" }]);
      stage.notes.put(stage.ada.userId, "empty");
    }
  });

  test("is not stopped by its caller", async () => {
    const id = await stage.holdIt();
    const caller = new AbortController();
    stage.notes.onRun = (ctx) => {
      caller.abort();
      return { aborted: ctx.signal.aborted };
    };
    const redemption = { ...toCall("notes.write", args, { signal: caller.signal }), confirmationId: id };
    expect(await stage.node.core.redeem(stage.ada.ref, redemption)).toEqual({ ok: true, result: { aborted: false } });
  });

  test("has until its limit and a margin before its end counts as unknown", async () => {
    const id = await stage.holdIt();
    await stage.click(id);
    const [row] = await stage.raw.rows<{ ms: number }>(
      "select (extract(epoch from run_until - used_at) * 1000)::int as ms from confirmations where id = $1",
      [id],
    );
    expect(row?.ms).toBeGreaterThanOrEqual(299);
    expect(row?.ms).toBeLessThan(400);
  });
});
