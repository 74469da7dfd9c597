import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { setStage, type Stage } from "../../test/core/stage.ts";
import type { ConfirmationState } from "./core.ts";

let stage: Stage;

beforeAll(async () => {
  stage = await setStage();
});

afterAll(() => stage.close());

beforeEach(() => void stage.enter());

const request = { via: "agent", requestContext: { requestId: "r" } } as const;
const reject = (id: string, ref = stage.ada.ref) => stage.node.core.rejectForUser(ref, id, request);
const lapse = (id: string) =>
  stage.raw.rows("update confirmations set expires_at = clock_timestamp() - interval '1 ms' where id = $1", [id]);
const nobody = "018f0000-0000-7000-8000-000000000000";
const still = {
  ranOut: false,
  running: false,
  succeeded: null,
  runUntil: null,
  replacedBy: null,
  replacementHolds: false,
};

/** A row of each kind, by what it is. */
async function oneOfEach(): Promise<
  Record<"held" | "used" | "failed" | "rejected" | "replaced" | "ranOut" | "next", string>
> {
  const held = await stage.holdIt();
  const ranOut = await stage.holdIt();
  await lapse(ranOut);
  const rejected = await stage.holdIt();
  await reject(rejected);
  const failed = await stage.holdIt();
  stage.notes.onRun = () => Promise.reject(new Error("down"));
  await stage.click(failed);
  stage.notes.onRun = null;
  const [used, replaced] = [await stage.holdIt(), await stage.holdIt()];
  await stage.click(used);
  const changed = await stage.click(replaced);
  const next = !changed.ok && changed.reason === "changed" ? changed.replacedBy : "";
  return { held, used, failed, rejected, replaced, ranOut, next };
}

describe("what a row is, for its user alone", () => {
  test("reads as it stands, with an entry for each id", async () => {
    const { held, used, failed, rejected, replaced, ranOut, next } = await oneOfEach();
    const ids = [held, used, failed, rejected, replaced, ranOut, nobody, "x", "\0"];
    const states = await stage.node.core.lookupForUser(stage.ada.userId, ids);
    const runUntil = expect.any(Date) as Date;
    const expected: Record<string, Partial<ConfirmationState>> = {
      [held]: { status: "held" },
      [used]: { status: "used", succeeded: true, runUntil },
      [failed]: { status: "used", succeeded: false, runUntil },
      [rejected]: { status: "rejected" },
      [replaced]: { status: "replaced", replacedBy: next, replacementHolds: true },
      [ranOut]: { status: "held", ranOut: true },
      [nobody]: { status: "gone" },
      x: { status: "gone" },
      "\0": { status: "gone" },
    };
    expect(Object.fromEntries(states)).toEqual(
      Object.fromEntries(ids.map((id) => [id, { ...still, ...expected[id], id }])),
    );
    const others = await stage.node.core.lookupForUser("eve", ids);
    expect(new Set([...others.values()].map(({ status }) => status))).toEqual(new Set(["gone"]));
    expect(await stage.node.core.lookupForUser(stage.ada.userId, [])).toEqual(new Map());
  });

  test("says running while its handler may run, and whether a replacement still holds", async () => {
    const { used, replaced, next } = await oneOfEach();
    await stage.raw.rows("update confirmations set finished_at = null, succeeded = null where id = $1", [used]);
    await lapse(next);
    const states = await stage.node.core.lookupForUser(stage.ada.userId, [used, replaced]);
    expect(states.get(used)).toMatchObject({ running: true, succeeded: null });
    expect(states.get(replaced)).toMatchObject({ replacementHolds: false });
    await stage.raw.rows("update confirmations set run_until = clock_timestamp() where id = $1", [used]);
    const later = await stage.node.core.lookupForUser(stage.ada.userId, [used]);
    expect(later.get(used)).toMatchObject({ status: "used", running: false, succeeded: null });
  });

  test("is expired only once the row is, and only where its time is over", async () => {
    const { held, used, rejected, replaced, ranOut } = await oneOfEach();
    const ids = [held, used, rejected, replaced, ranOut, nobody];
    expect((await stage.node.core.expireForUser("eve", ids)).get(ranOut)).toMatchObject({ status: "gone" });
    const states = await stage.node.core.expireForUser(stage.ada.userId, ids);
    expect(ids.map((id) => states.get(id)?.status)).toEqual([
      "held",
      "used",
      "rejected",
      "replaced",
      "expired",
      "gone",
    ]);
    expect(states.get(ranOut)).toEqual({ ...still, id: ranOut, status: "expired" });
    expect(await stage.rowOf(ranOut)).toMatchObject({ status: "expired", preview: null });
  });
});

describe("what a card shows, for a session that may use its tool now", () => {
  test("is the preview without its data, and the time left by the database's clock", async () => {
    const { held, used, ranOut, next } = await oneOfEach();
    const answer = await stage.node.core.getForUser(stage.ada.ref, [held, used, ranOut, next, nobody, "x"]);
    const rows = answer.ok ? answer.rows : expect.fail(answer.reason);
    const details = [held, used, ranOut].map((id) => rows.get(id));
    expect(details).toMatchObject([
      {
        ok: true,
        row: { status: "held", tool: "notes.write", title: "Write the note", preview: { title: "Write a" } },
      },
      { ok: true, row: { status: "used", preview: null } },
      { ok: true, row: { status: "held", ranOut: true } },
    ]);
    const row = details[0]?.ok === true ? details[0].row : expect.fail("readable");
    expect(row.expiresInMs).toBeGreaterThan(3_500_000);
    expect(row.expiresInMs).toBeLessThanOrEqual(3_600_000);
    expect(JSON.stringify(row)).not.toMatch(/data|hash|fingerprint/i);
    expect([rows.get(nobody), rows.get("x")]).toEqual([1, 2].map(() => ({ ok: false, reason: "invalid" })));
  });

  test.each<[string, () => unknown, () => unknown]>([
    ["the right is gone", () => stage.ada.permissions.clear(), () => {}],
    ["it is out of scope", () => (stage.ada.scopes = []), () => {}],
    [
      "the box is off",
      () => stage.node.settings.setSite({ "module:notes:writes": false }),
      () => stage.node.settings.setSite({ "module:notes:writes": null }),
    ],
    [
      "the module is off",
      () => stage.node.settings.setSite({ "module:notes:on": false }),
      () => stage.node.settings.setSite({ "module:notes:on": null }),
    ],
    [
      "there is no such tool any more",
      () => stage.raw.rows("update confirmations set tool = 'notes.burn' where user_id = $1", [stage.ada.userId]),
      () => {},
    ],
  ])("is withheld when %s", async (_what, take, giveBack) => {
    const id = await stage.holdIt();
    await take();
    const answer = await stage.node.core.getForUser(stage.ada.ref, [id]);
    await giveBack();
    // How the row is, and nothing of what it would do.
    const state = { id, status: "held", ...still };
    expect(answer.ok && answer.rows.get(id)).toEqual({ ok: false, reason: "forbidden", state });
  });

  test("is found however its id is written", async () => {
    const id = await stage.holdIt();
    const capitals = id.toUpperCase();
    const answer = await stage.node.core.getForUser(stage.ada.ref, [capitals]);
    expect(answer.ok && answer.rows.get(capitals)).toMatchObject({ ok: true, row: { id } });
    const states = await stage.node.core.lookupForUser(stage.ada.userId, [capitals]);
    expect(states.get(capitals)).toMatchObject({ id, status: "held" });
  });

  test("does not exist for another user", async () => {
    const id = await stage.holdIt();
    const eve = stage.people.signIn("eve");
    const answer = await stage.node.core.getForUser(eve.ref, [id]);
    expect(answer.ok && answer.rows.get(id)).toEqual({ ok: false, reason: "invalid" });
  });

  test("asks each permission once, however many rows there are", async () => {
    const asked: string[] = [];
    const ids = [await stage.holdIt(), await stage.holdIt(), await stage.holdIt()];
    stage.ada.can = (permission) => asked.push(permission) > 0;
    await stage.node.core.getForUser(stage.ada.ref, ids);
    expect(asked).toEqual(["notes.write"]);
  });
});

describe("turning a row down", () => {
  test("answers what the row is where it does not hold", async () => {
    const { held, used, rejected, replaced, ranOut, next } = await oneOfEach();
    const answers = await Promise.all([used, rejected, replaced, ranOut, nobody, "x", "\0"].map((id) => reject(id)));
    expect(answers).toEqual([
      { ok: false, reason: "used" },
      { ok: false, reason: "rejected" },
      { ok: false, reason: "changed", replacedBy: next },
      { ok: false, reason: "expired" },
      ...["none", "no id", "NUL"].map(() => ({ ok: false, reason: "invalid" })),
    ]);
    expect(await reject(held, stage.people.signIn("eve").ref)).toEqual({ ok: false, reason: "invalid" });
    expect(await stage.rowOf(held)).toMatchObject({ status: "held" });
    expect(await reject(held)).toEqual({ ok: true });
    expect(await stage.rowOf(ranOut)).toMatchObject({ status: "expired" });
    const step = "select tool, kind, code from tool_calls where step = 'reject' and confirmation_id = $1";
    expect(await stage.raw.rows(step, [held])).toMatchObject([
      { tool: "", kind: "unknown", code: "invalid" },
      { tool: "notes.write", kind: "write", code: null },
    ]);
  });

  test("needs a live session of one's own", async () => {
    const id = await stage.holdIt();
    stage.ada.impersonatedBy = "admin";
    expect(await reject(id)).toEqual({ ok: false, reason: "impersonated" });
    stage.ada.load = () => Promise.reject(new Error("down"));
    expect(await reject(id)).toEqual({ ok: false, reason: "session_unavailable" });
    stage.people.signOut(stage.ada);
    expect(await reject(id)).toEqual({ ok: false, reason: "session_invalid" });
    expect(await stage.rowOf(id)).toMatchObject({ status: "held" });
  });
});
