import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { toCall } from "../../test/core/core-node.ts";
import { setStage, type Stage } from "../../test/core/stage.ts";
import { defineModule, writeTool } from "./define-tool.ts";

/** The clock a note of the host bears: it drifts with every look. */
const market = { price: 10, tick: 0, version: 1 as number | undefined, deep: { nested: true } };
const priced = { description: "Buys.", permission: "notes.write", input: z.object({ n: z.number() }) };
const say = (): string => `at ${++market.tick}`;
const markets = defineModule({
  key: "market",
  title: "Market",
  sessionWrites: true,
  tools: [
    writeTool({
      ...priced,
      name: "by_facts",
      preview: () => ({ title: say(), changes: [], data: { price: market.price, at: market.tick } }),
      run: (ctx) => ctx.preview.data,
      fingerprint: ({ data }) => (data === undefined ? undefined : { price: data.price }),
    }),
    writeTool({
      ...priced,
      name: "by_version",
      preview: () => ({ title: say(), changes: [], fingerprint: `v${market.version}` }),
      run: () => "bought",
    }),
    writeTool({
      ...priced,
      name: "by_missing",
      preview: () => ({ title: "same", changes: [] }),
      run: () => "bought",
      fingerprint: () => market.version,
    }),
    writeTool({
      ...priced,
      name: "changes_input",
      preview: (_ctx, input) => {
        input.n += 1;
        return { title: "same", changes: [] };
      },
      run: () => "bought",
    }),
  ],
});

let stage: Stage;

beforeAll(async () => {
  stage = await setStage({ modules: [markets] });
});

afterAll(() => stage.close());

beforeEach(() => {
  stage.enter();
  Object.assign(market, { price: 10, version: 1 });
});

describe("a target that changed", () => {
  test("replaces the row by one that says what is true now, and the next click finishes a click that was lost", async () => {
    const id = await stage.holdIt();
    stage.notes.put(stage.ada.userId, "edited");
    const answer = await stage.click(id);
    expect(answer).toEqual({ ok: false, reason: "changed", replacedBy: expect.any(String) as string });
    const next = !answer.ok && answer.reason === "changed" ? answer.replacedBy : "";
    expect(await stage.rowOf(id)).toMatchObject({ status: "replaced", replaced_by: next, preview: null });
    expect(await stage.rowOf(next)).toMatchObject({
      status: "held",
      locale: "ru",
      preview: { changes: [{ label: "Note", before: "edited", after: "a" }] },
    });
    expect(await stage.click(id)).toEqual({ ok: false, reason: "changed", replacedBy: next });
    expect(stage.notes.runs).toEqual([]);
    expect(await stage.click(next)).toMatchObject({ ok: true });
    expect((await stage.auditOf(id)).map(({ code }) => code)).toEqual(["changed", "changed"]);
  });

  test("is not replaced when the row was settled meanwhile: it answers what it is now", async () => {
    for (const [settle, reason] of [
      ["status = 'rejected', rejected_at = clock_timestamp(), preview = null", "rejected"],
      ["expires_at = clock_timestamp() - interval '1 ms'", "expired"],
    ] as const) {
      const id = await stage.holdIt();
      stage.notes.onPreview = async () => {
        stage.notes.put(stage.ada.userId, `edited-${reason}`);
        await stage.raw.rows(`update confirmations set ${settle} where id = $1`, [id]);
      };
      expect(await stage.click(id)).toEqual({ ok: false, reason });
      expect(await stage.rowOf(id)).toMatchObject({ status: reason, replaced_by: null });
      stage.notes.onPreview = null;
    }
    expect(await stage.raw.rows("select 1 from confirmations where user_id = $1", [stage.ada.userId])).toHaveLength(2);
  });

  test("counts by declared facts alone: a clock in the preview does not", async () => {
    const id = await stage.holdIt("market.by_facts", '{"n":1}');
    const first = market.tick;
    expect(await stage.click(id, { tool: "market.by_facts", args: '{"n":1}' })).toEqual({
      ok: true,
      result: { price: 10, at: first + 1 },
    });
    const next = await stage.holdIt("market.by_facts", '{"n":1}');
    market.price = 11;
    expect(await stage.click(next, { tool: "market.by_facts", args: '{"n":1}' })).toMatchObject({ reason: "changed" });
  });

  test("counts by the version a preview gives itself", async () => {
    const id = await stage.holdIt("market.by_version", '{"n":1}');
    expect(await stage.click(id, { tool: "market.by_version", args: '{"n":1}' })).toMatchObject({ ok: true });
    const next = await stage.holdIt("market.by_version", '{"n":1}');
    market.version = 2;
    expect(await stage.click(next, { tool: "market.by_version", args: '{"n":1}' })).toMatchObject({
      reason: "changed",
    });
  });

  test("cannot be told where the facts are missing: preview_failed, at the hold and at the click", async () => {
    const id = await stage.holdIt("market.by_missing", '{"n":1}');
    market.version = undefined;
    const missing = { tool: "market.by_missing", args: '{"n":1}' };
    expect(await stage.click(id, missing)).toEqual({ ok: false, reason: "preview_failed" });
    expect(await stage.rowOf(id)).toMatchObject({ status: "held" });
    const held = await stage.node.core.execute(stage.ada.ref, toCall("market.by_missing", '{"n":1}'));
    expect(held).toEqual({ ok: false, reason: "preview_failed" });
  });

  test("is not what a dry run does to its own input: that is preview_failed", async () => {
    const held = await stage.node.core.execute(stage.ada.ref, toCall("market.changes_input", '{"n":1}'));
    expect(held).toEqual({ ok: false, reason: "preview_failed" });
  });
});
