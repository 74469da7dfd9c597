import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  allRights,
  type CoreNode,
  createPeople,
  hold,
  type SignIn,
  startCoreNode,
  toCall,
} from "../../test/core/core-node.ts";
import { createNotes } from "../../test/core/notes.ts";
import { connectRaw, type Raw } from "../../test/core/raw.ts";
import { createTestDatabase, type TestDatabase } from "../testing/test-database.ts";
import type { Call } from "./core.ts";

const people = createPeople();
const notes = createNotes();
let db: TestDatabase;
let node: CoreNode;
let raw: Raw;
let ada: SignIn;

beforeAll(async () => {
  db = await createTestDatabase();
  node = await startCoreNode({ connectionString: db.connectionString, people, modules: notes.modules });
  raw = await connectRaw(db.connectionString);
});

afterAll(async () => {
  await raw.close();
  await node.close();
  await db.drop();
});

beforeEach(() => {
  ada = people.signIn(`ada-${crypto.randomUUID()}`);
  notes.onPreview = null;
});

interface Attempt {
  tool: string;
  args: Call["args"];
  ref: string;
}

interface Fault {
  readonly code: string;
  readonly break: (attempt: Attempt, step: Step) => unknown;
  readonly mend: (attempt: Attempt, step: Step) => unknown;
}

interface Step {
  readonly bucket: string;
  readonly tool: string;
  readonly args: Call["args"];
}

const site = (changes: Record<string, unknown>): Promise<unknown> => node.settings.setSite(changes);
const faults: readonly Fault[] = [
  {
    code: "session_invalid",
    break: (attempt) => (attempt.ref = "nobody"),
    mend: (attempt) => (attempt.ref = ada.ref),
  },
  { code: "impersonated", break: () => (ada.impersonatedBy = "admin"), mend: () => (ada.impersonatedBy = undefined) },
  {
    code: "unknown_tool",
    break: (attempt) => (attempt.tool = "notes.burn"),
    mend: (attempt, step) => (attempt.tool = step.tool),
  },
  {
    code: "module_off",
    break: () => site({ "module:notes:on": false }),
    mend: () => site({ "module:notes:on": null }),
  },
  {
    code: "writes_off",
    break: () => site({ "module:notes:writes": false }),
    mend: () => site({ "module:notes:writes": null }),
  },
  { code: "out_of_scope", break: () => (ada.scopes = ["mail"]), mend: () => (ada.scopes = ["mail", "notes"]) },
  {
    code: "forbidden",
    break: () => ada.permissions.clear(),
    mend: () => allRights.forEach((right) => ada.permissions.add(right)),
  },
  {
    code: "rate_limited",
    break: (_attempt, { bucket }) =>
      raw.rows(
        `insert into rates (user_id, bucket, tool, window_start, used) values ($1, $2, '', clock_timestamp(), 100000)
         on conflict (user_id, bucket, tool) do update set used = 100000`,
        [ada.userId, bucket],
      ),
    mend: () => raw.rows("delete from rates where user_id = $1", [ada.userId]),
  },
  {
    code: "invalid_input",
    break: (attempt) => (attempt.args = { text: 7, page: "planted" }),
    mend: (attempt, step) => (attempt.args = step.args),
  },
];

async function expectInOrder(
  step: Step,
  codes: readonly string[],
  run: (attempt: Attempt) => Promise<unknown>,
): Promise<void> {
  const attempt: Attempt = { tool: step.tool, args: step.args, ref: ada.ref };
  for (const fault of faults) await fault.break(attempt, step);
  const seen: unknown[] = [];
  for (const fault of faults) {
    const answer = await run(attempt);
    if (codes.includes(fault.code)) seen.push(answer);
    await fault.mend(attempt, step);
  }
  expect(seen).toMatchObject(codes.map((reason) => ({ ok: false, reason })));
}

const all = faults.map(({ code }) => code);
const write: Step = { bucket: "holds", tool: "notes.write", args: { text: "a" } };

describe("the checks are made in one order, and the first that fails is told", () => {
  test("for a hold", async () => {
    const run = ({ ref, tool, args }: Attempt) => node.core.execute(ref, toCall(tool, args));
    await expectInOrder(write, all, run);
    expect(await run({ ...write, ref: ada.ref })).toMatchObject({ ok: true, status: "confirmation_required" });
  });

  test("for a read, which has no box", async () => {
    const step: Step = { bucket: "reads", tool: "notes.look", args: {} };
    const run = ({ ref, tool, args }: Attempt) => node.core.execute(ref, toCall(tool, args));
    await expectInOrder(
      step,
      all.filter((code) => code !== "writes_off"),
      run,
    );
    expect(await run({ ...step, ref: ada.ref })).toMatchObject({ ok: true, status: "done" });
  });

  test("for a redeem, before its row is looked at, and a failure changes nothing", async () => {
    const { confirmationId } = await hold(node, ada, toCall(write.tool, write.args));
    const before = await raw.rows("select * from confirmations where id = $1", [confirmationId]);
    const run = ({ ref, tool, args }: Attempt) => node.core.redeem(ref, { ...toCall(tool, args), confirmationId });
    await expectInOrder({ ...write, bucket: "redeems" }, all, run);
    expect(await raw.rows("select * from confirmations where id = $1", [confirmationId])).toEqual(before);
    expect(await run({ ...write, ref: ada.ref })).toMatchObject({ ok: true });
    expect(notes.runs.filter((held) => held.confirmationId === confirmationId)).toHaveLength(1);
  });
});

test("nothing later is looked at once a check has failed", async () => {
  const asked: string[] = [];
  ada.can = (permission) => {
    asked.push(permission);
    return true;
  };
  ada.scopes = ["mail"];
  expect(await node.core.execute(ada.ref, toCall("notes.look", "{"))).toEqual({ ok: false, reason: "out_of_scope" });
  ada.scopes = undefined;
  ada.impersonatedBy = "admin";
  expect(await node.core.execute(ada.ref, toCall("notes.look", "{"))).toEqual({ ok: false, reason: "impersonated" });
  expect(asked).toEqual([]);
  expect(await raw.rows("select * from rates where user_id = $1", [ada.userId])).toEqual([]);
});

test("an impersonated session may read over another door than the assistant, and never write", async () => {
  ada.impersonatedBy = "";
  const http = { via: "http" } as const;
  expect(await node.core.execute(ada.ref, toCall("notes.look", {}, http))).toMatchObject({ ok: true });
  expect(await node.core.execute(ada.ref, toCall("notes.look", {}))).toMatchObject({ reason: "impersonated" });
  expect(await node.core.execute(ada.ref, toCall("notes.write", { text: "a" }, http))).toMatchObject({
    reason: "impersonated",
  });
  for (const tool of ["notes.look", "notes.write", "notes.burn"]) {
    const redemption = { ...toCall(tool, {}, http), confirmationId: crypto.randomUUID() };
    expect(await node.core.redeem(ada.ref, redemption)).toMatchObject({ reason: "impersonated" });
  }
  expect(await node.core.visibleFor(ada.ref)).toEqual({ ok: false, reason: "impersonated" });
  expect(await node.core.getForUser(ada.ref, [])).toEqual({ ok: false, reason: "impersonated" });
});

describe("a session that cannot be loaded is no sign-out", () => {
  test.each<[string, SignIn["load"]]>([
    ["a throw", () => Promise.reject(new Error("down"))],
    ["no answer", () => new Promise(() => {})],
    ["no user", async () => ({ ref: "r", userId: "", can: () => true })],
    ["a user with NUL", async () => ({ ref: "r", userId: "a\0", can: () => true })],
    ["no session at all", async () => "yes" as never],
  ])("%s", async (_what, load) => {
    const slow = { hostCallLimit: 100 };
    const own = await startCoreNode({
      connectionString: db.connectionString,
      people,
      modules: notes.modules,
      values: slow,
    });
    ada.load = load;
    const unavailable = { ok: false, reason: "session_unavailable" };
    expect(await own.core.loadSession(ada.ref)).toEqual(unavailable);
    expect(await own.core.execute(ada.ref, toCall("notes.look", {}))).toEqual(unavailable);
    const confirmationId = crypto.randomUUID();
    expect(await own.core.redeem(ada.ref, { ...toCall("notes.look", {}), confirmationId })).toEqual(unavailable);
    expect(await own.core.visibleFor(ada.ref)).toEqual(unavailable);
    expect(own.log.length).toBeGreaterThan(0);
    await own.close();
  });
});

describe("a rights check that does not say yes is no", () => {
  test.each<[string, SignIn["can"]]>([
    ["a throw", () => expect.fail("down")],
    ["a rejection", () => Promise.reject(new Error("down"))],
    ["no answer", () => new Promise(() => {})],
    ["something like yes", () => 1 as never],
  ])("%s", async (_what, can) => {
    const slow = { hostCallLimit: 100 };
    const own = await startCoreNode({
      connectionString: db.connectionString,
      people,
      modules: notes.modules,
      values: slow,
    });
    ada.can = can;
    expect(await own.core.execute(ada.ref, toCall("notes.look", {}))).toEqual({ ok: false, reason: "forbidden" });
    expect(await own.core.visibleFor(ada.ref)).toEqual({ ok: true, tools: [] });
    await own.close();
  });
});

test("a session sees the reads it has the right to, and its writes where the box is on, in one order", async () => {
  const names = async (): Promise<readonly string[]> => {
    const answer = await node.core.visibleFor(ada.ref);
    return answer.ok ? answer.tools.map(({ providerName }) => providerName) : [answer.reason];
  };
  expect(await names()).toEqual(["notes__look", "notes__write"]);
  await site({ "module:notes:writes": false });
  expect(await names()).toEqual(["notes__look"]);
  await site({ "module:notes:writes": null, "module:notes:on": false });
  expect(await names()).toEqual([]);
  await site({ "module:notes:on": null });
  ada.permissions.delete("notes.read");
  expect(await names()).toEqual(["notes__write"]);
  ada.scopes = [];
  expect(await names()).toEqual([]);
  people.signOut(ada);
  expect(await names()).toEqual(["session_invalid"]);
});

test("titles and kinds are known by registry name, whatever name is asked", () => {
  expect(["notes.write", "notes.look", "__proto__", "constructor"].map(node.core.kindOf)).toEqual([
    "write",
    "read",
    null,
    null,
  ]);
  expect(["notes.write", "notes.look", "notes.burn"].map(node.core.titleOf)).toEqual(["Write the note", "Look", null]);
  expect(node.core.longestClick("notes.write")).toBe(7 * 5_000 + 10_000 + 30_000 + 5_000);
});

test("arguments are hashed and printed as they would run, or not at all", () => {
  expect(node.core.argumentsHash('{"b":1.0,"a":2}')).toBe(node.core.argumentsHash('{"a":2,"b":1}'));
  expect(node.core.argumentsHash('{"a":1,"a":1}')).toBeNull();
  expect(node.core.printArguments('{"b":1.50}')).toBe('{\n  "b": 1.5\n}');
  expect(node.core.printArguments('{"b":-0}')).toBeNull();
});
