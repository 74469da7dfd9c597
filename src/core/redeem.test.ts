import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import type { CoreNode } from "../../test/core/core-node.ts";
import { setStage, type Stage } from "../../test/core/stage.ts";
import { defineModule, writeTool } from "./define-tool.ts";
import { refuse } from "./refuse.ts";

const twin = defineModule({
  key: "twin",
  title: "Twin",
  sessionWrites: true,
  tools: [
    writeTool({
      name: "write",
      description: "Takes the same arguments.",
      permission: "notes.write",
      input: z.object({ text: z.string() }),
      preview: () => ({ title: "Twin", changes: [] }),
      run: () => expect.fail("run"),
    }),
  ],
});

/** The nodes' monotonic clock, moved by tests. */
let now = 0;
let other: CoreNode;
let stage: Stage;

beforeAll(async () => {
  stage = await setStage({ now: () => now, modules: [twin] });
  other = await stage.startNode();
});

afterAll(() => stage.close());

beforeEach(() => void stage.enter());

const lapse = (id: string) =>
  stage.raw.rows("update confirmations set expires_at = clock_timestamp() - interval '1 ms' where id = $1", [id]);

describe("a click on a row that holds", () => {
  test("runs the handler once, and the row and its audit row say so", async () => {
    const id = await stage.holdIt();
    expect(await stage.click(id)).toEqual({ ok: true, result: { written: "a" } });
    expect(stage.notes.runs).toEqual([{ confirmationId: id, text: "a" }]);
    const [row, [audited, ...more]] = [await stage.rowOf(id), await stage.auditOf(id)];
    expect(row).toMatchObject({ status: "used", succeeded: true, preview: null, spent_by: audited?.["id"] });
    expect(audited).toMatchObject({
      step: "redeem",
      kind: "write",
      code: null,
      duration_ms: expect.any(Number) as number,
    });
    expect(more).toEqual([]);
    expect(await stage.click(id)).toEqual({ ok: false, reason: "used" });
    expect(stage.notes.runs).toHaveLength(1);
    expect(await stage.auditOf(id)).toMatchObject([{ code: null }, { code: "used" }]);
  });

  test("gives the handler the row's id, the fresh dry run's data, and its session as it is now", async () => {
    stage.notes.put(stage.ada.userId, "draft");
    const id = await stage.holdIt();
    await stage.click(id);
    expect(stage.notes.seen.at(-1)).toMatchObject({
      idempotencyKey: id,
      preview: { data: { before: "draft" } },
      via: "agent",
      session: { ref: stage.ada.ref },
    });
  });

  test("may come from another session of its user", async () => {
    const id = await stage.holdIt();
    expect(await stage.click(id, { signIn: stage.people.signIn(stage.ada.userId) })).toMatchObject({ ok: true });
  });

  test("may write the arguments in another way, as long as they are the same", async () => {
    const id = await stage.holdIt("notes.write", '{"text":"a"}');
    expect(await stage.click(id, { args: String.raw` { "text" : "\u0061" } ` })).toMatchObject({ ok: true });
  });

  test("repeats the dry run in the row's language and zone", async () => {
    const id = await stage.holdIt();
    const elsewhere = stage.people.signIn(stage.ada.userId, { locale: "en", timeZone: "UTC" });
    expect(await stage.click(id, { signIn: elsewhere })).toMatchObject({ ok: true });
    const [, rehearsal, run] = stage.notes.seen;
    expect(rehearsal).toMatchObject({ locale: "ru", timeZone: "Europe/Moscow", session: { ref: elsewhere.ref } });
    expect(run).toMatchObject({ locale: "en", timeZone: "UTC" });
  });
});

describe("a row that does not hold answers what it is, and nothing runs", () => {
  const nobody = "018f0000-0000-7000-8000-000000000000";
  test("there is none", async () => {
    for (const id of [nobody, "", "x", "'; drop table confirmations; --", "\0"]) {
      expect(await stage.click(id)).toEqual({ ok: false, reason: "invalid" });
    }
  });

  test("somebody else's", async () => {
    const id = await stage.holdIt();
    expect(await stage.click(id, { signIn: stage.people.signIn("eve") })).toEqual({ ok: false, reason: "invalid" });
    expect(await stage.rowOf(id)).toMatchObject({ status: "held" });
  });

  test("rejected", async () => {
    const id = await stage.holdIt();
    const request = { via: "agent", requestContext: { requestId: "r" } } as const;
    expect(await stage.node.core.rejectForUser(stage.ada.ref, id, request)).toEqual({ ok: true });
    expect(await stage.click(id)).toEqual({ ok: false, reason: "rejected" });
    expect(await stage.rowOf(id)).toMatchObject({ status: "rejected", preview: null });
  });

  test("ran out, which is a status", async () => {
    const id = await stage.holdIt();
    await lapse(id);
    expect(await stage.click(id)).toEqual({ ok: false, reason: "expired" });
    expect(await stage.rowOf(id)).toMatchObject({ status: "expired", preview: null });
    expect(await stage.click(id)).toEqual({ ok: false, reason: "expired" });
  });

  test("another tool or other arguments than it holds", async () => {
    const id = await stage.holdIt();
    expect(await stage.click(id, { args: '{"text":"b"}' })).toEqual({ ok: false, reason: "mismatch" });
    expect(await stage.click(id, { tool: "twin.write" })).toEqual({ ok: false, reason: "mismatch" });
    expect(await stage.click(id, { tool: "notes.look", args: "{}" })).toEqual({ ok: false, reason: "mismatch" });
    expect(await stage.rowOf(id)).toMatchObject({ status: "held" });
    expect(stage.notes.runs).toEqual([]);
  });
});

describe("a dry run that fails at the click changes nothing", () => {
  test.each<[string, () => unknown, object]>([
    ["a throw", () => expect.fail("down"), { ok: false, reason: "preview_failed" }],
    [
      "a refusal",
      () => Promise.reject(refuse("locked", "The note is locked.")),
      { ok: false, reason: "refused_by_tool", code: "locked", sentence: "The note is locked." },
    ],
  ])("%s", async (_what, onPreview, answer) => {
    const id = await stage.holdIt();
    stage.notes.onPreview = onPreview;
    expect(await stage.click(id)).toEqual(answer);
    expect(await stage.rowOf(id)).toMatchObject({ status: "held" });
    stage.notes.onPreview = null;
    expect(await stage.click(id)).toMatchObject({ ok: true });
  });
});

describe("rights are those of now", () => {
  test("a box that another node switched off counts at once", async () => {
    const id = await stage.holdIt();
    await stage.node.settings.site();
    await other.settings.setSite({ "module:notes:writes": false });
    expect(await stage.click(id)).toEqual({ ok: false, reason: "writes_off" });
    await other.settings.setSite({ "module:notes:writes": null });
    await stage.node.settings.site({ fresh: true });
    expect(await stage.click(id, { on: other })).toMatchObject({ ok: true });
  });

  test("a sign-out during a dry run of over a second stops the spend", async () => {
    const id = await stage.holdIt();
    stage.notes.onPreview = () => {
      now += 1_001;
      stage.people.signOut(stage.ada);
    };
    expect(await stage.click(id)).toEqual({ ok: false, reason: "session_invalid" });
    expect(await stage.rowOf(id)).toMatchObject({ status: "held" });
    expect(await stage.auditOf(id)).toMatchObject([{ code: "session_invalid" }]);
  });

  test.each<[string, () => void]>([
    ["forbidden", () => stage.ada.permissions.delete("notes.write")],
    ["impersonated", () => (stage.ada.impersonatedBy = "admin")],
    ["out_of_scope", () => (stage.ada.scopes = [])],
  ])("a session that became %s during such a dry run stops it too", async (reason, change) => {
    const id = await stage.holdIt();
    stage.notes.onPreview = () => {
      now += 1_001;
      change();
    };
    expect(await stage.click(id)).toEqual({ ok: false, reason });
    expect(await stage.rowOf(id)).toMatchObject({ status: "held" });
  });

  test("a ref that names another user after such a dry run is no session of this one", async () => {
    const id = await stage.holdIt();
    stage.notes.onPreview = () => {
      now += 1_001;
      stage.ada.load = async () => ({ ref: stage.ada.ref, userId: "eve", can: () => true });
    };
    expect(await stage.click(id)).toEqual({ ok: false, reason: "session_invalid" });
    expect(stage.notes.runs).toEqual([]);
  });

  test("a session is loaded once for a quick dry run, and twice for a slow one", async () => {
    const [quick, slow] = [await stage.holdIt(), await stage.holdIt("notes.write", '{"text":"b"}')];
    stage.people.loads.length = 0;
    await stage.click(quick);
    expect(stage.people.loads).toHaveLength(1);
    stage.notes.put(stage.ada.userId, "empty");
    stage.notes.onPreview = () => void (now += 1_001);
    expect(await stage.click(slow, { args: '{"text":"b"}' })).toMatchObject({ ok: true });
    expect(stage.people.loads).toHaveLength(3);
  });
});
