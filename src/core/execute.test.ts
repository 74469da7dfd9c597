import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type CoreNode, createPeople, hold, type SignIn, startCoreNode, toCall } from "../../test/core/core-node.ts";
import { createNotes } from "../../test/core/notes.ts";
import { connectRaw, type Raw } from "../../test/core/raw.ts";
import { createTestDatabase, type TestDatabase } from "../testing/test-database.ts";
import { refuse } from "./refuse.ts";
import type { WriteContext } from "./tool.ts";

const people = createPeople();
const notes = createNotes();
let db: TestDatabase;
let node: CoreNode;
let raw: Raw;
let ada: SignIn;

beforeAll(async () => {
  db = await createTestDatabase();
  const values = { toolTimeLimit: 100, previewTimeLimit: 100, confirmationTtl: 600 };
  node = await startCoreNode({ connectionString: db.connectionString, people, modules: notes.modules, values });
  raw = await connectRaw(db.connectionString);
});

afterAll(async () => {
  await raw.close();
  await node.close();
  await db.drop();
});

beforeEach(() => {
  ada = people.signIn(`ada-${crypto.randomUUID()}`, { locale: "ru", timeZone: "Europe/Moscow" });
  notes.onRead = null;
  notes.onPreview = null;
  notes.runs.length = 0;
  notes.seen.length = 0;
});

const look = (more = {}) => node.core.execute(ada.ref, toCall("notes.look", "{}", more));
const write = (args: string | object = { text: "a" }, more = {}) =>
  node.core.execute(ada.ref, toCall("notes.write", typeof args === "string" ? args : JSON.stringify(args), more));
const audit = () =>
  raw.rows<Record<string, unknown>>(
    "select tool, kind, step, via, request_id, code, confirmation_id, duration_ms from tool_calls where user_id = $1 order by at",
    [ada.userId],
  );
const rowCount = async (): Promise<number> =>
  (await raw.rows("select 1 from confirmations where user_id = $1", [ada.userId])).length;
const never = (): Promise<never> => new Promise(() => {});

describe("a read", () => {
  test("runs at once with the session, the request and the user's language, and leaves one audit row", async () => {
    const requestContext = { requestId: "r-1", ip: "192.0.2.1", userAgent: "test" };
    expect(await look({ requestContext })).toEqual({ ok: true, status: "done", result: { text: "empty" } });
    expect(notes.seen).toMatchObject([
      { ...requestContext, via: "agent", locale: "ru", timeZone: "Europe/Moscow", session: { userId: ada.userId } },
    ]);
    expect(await audit()).toMatchObject([
      { tool: "notes.look", kind: "read", step: "read", via: "agent", request_id: "r-1", code: null },
    ]);
  });

  test("that throws is handler_failed, at once or later", async () => {
    notes.onRead = () => expect.fail("down");
    expect(await look()).toEqual({ ok: false, reason: "handler_failed" });
    notes.onRead = () => Promise.reject(new Error("down"));
    expect(await look()).toEqual({ ok: false, reason: "handler_failed" });
    expect((await audit()).map(({ code }) => code)).toEqual(["handler_failed", "handler_failed"]);
  });

  test("that does not answer in its time is timeout, and its signal has fired", async () => {
    notes.onRead = never;
    expect(await look()).toEqual({ ok: false, reason: "timeout" });
    expect(notes.seen[0]?.signal.aborted).toBe(true);
  });

  test("that its caller stops is not waited for", async () => {
    const caller = new AbortController();
    notes.onRead = () => {
      caller.abort();
      return never();
    };
    expect(await look({ signal: caller.signal })).toEqual({ ok: false, reason: "timeout" });
    expect(await audit()).toMatchObject([{ code: "timeout" }]);
  });

  test("may refuse with a code of its own, answered or thrown", async () => {
    const refusal = refuse("not_there", "There is no such note.");
    const answer = { ok: false, reason: "refused_by_tool", code: "not_there", sentence: "There is no such note." };
    notes.onRead = () => refusal;
    expect(await look()).toEqual(answer);
    notes.onRead = () => Promise.reject(refusal);
    expect(await look()).toEqual(answer);
    expect((await audit()).map(({ code }) => code)).toEqual(["not_there", "not_there"]);
  });

  test("that answers nothing has answered", async () => {
    notes.onRead = () => undefined;
    expect(await look()).toEqual({ ok: true, status: "done", result: undefined });
  });
});

describe("a write", () => {
  test("is held with what its dry run says, and its handler does not run", async () => {
    const answer = await write();
    expect(answer).toEqual({
      ok: true,
      status: "confirmation_required",
      confirmationId: expect.stringMatching(/^[0-9a-f-]{36}$/) as unknown,
      expiresAt: expect.any(Date) as unknown,
      preview: { title: "Write a", changes: [{ label: "Note", before: "empty", after: "a" }], warnings: [] },
    });
    expect(notes.runs).toEqual([]);
    const [row] = await raw.rows<Record<string, unknown>>("select * from confirmations where user_id = $1", [
      ada.userId,
    ]);
    expect(row).toMatchObject({
      module: "notes",
      tool: "notes.write",
      tool_title: "Write the note",
      locale: "ru",
      time_zone: "Europe/Moscow",
      status: "held",
      args_hash: node.core.argumentsHash('{"text":"a"}'),
      preview: { title: "Write a", data: { before: "empty" } },
      expires_at: answer.ok && answer.status === "confirmation_required" ? answer.expiresAt : null,
    });
    expect(JSON.stringify(row)).not.toContain(ada.ref);
    expect(await audit()).toMatchObject([{ step: "hold", kind: "write", code: null, confirmation_id: row?.["id"] }]);
  });

  test("waits for confirmationTtl", async () => {
    const held = await hold(node, ada, toCall("notes.write", { text: "a" }));
    const [row] = await raw.rows<{ seconds: number }>(
      "select extract(epoch from expires_at - created_at)::int as seconds from confirmations where id = $1",
      [held.confirmationId],
    );
    expect(row?.seconds).toBe(600);
  });

  test.each<[string, (() => unknown) | null]>([
    ["throws", () => expect.fail("down")],
    ["rejects", () => Promise.reject(new Error("down"))],
    ["never answers", never],
  ])("whose dry run %s is preview_failed, and nothing is held", async (_what, onPreview) => {
    notes.onPreview = onPreview;
    expect(await write()).toEqual({ ok: false, reason: "preview_failed" });
    expect(await rowCount()).toBe(0);
    expect(await audit()).toMatchObject([{ step: "hold", code: "preview_failed" }]);
    expect(node.log.at(-1)).toMatchObject({ level: "warn", fields: { tool: "notes.write" } });
  });

  test("whose preview is too large is preview_failed, and nothing is held", async () => {
    expect(await write({ text: "x".repeat(65_536) })).toEqual({ ok: false, reason: "preview_failed" });
    expect(await rowCount()).toBe(0);
  });

  test("that its tool refuses is refused with its code and sentence, and nothing is held", async () => {
    notes.onPreview = () => Promise.reject(refuse("locked", "The note is locked."));
    const answer = { ok: false, reason: "refused_by_tool", code: "locked", sentence: "The note is locked." };
    expect(await write()).toEqual(answer);
    expect(await rowCount()).toBe(0);
    expect(await audit()).toMatchObject([{ step: "hold", code: "locked" }]);
  });

  test("that its caller stops is not held", async () => {
    const caller = new AbortController();
    notes.onPreview = () => {
      caller.abort();
      return never();
    };
    expect(await write({ text: "a" }, { signal: caller.signal })).toEqual({ ok: false, reason: "preview_failed" });
    expect(await rowCount()).toBe(0);
  });

  test("cannot be run by any argument of the call", async () => {
    await write('{"text":"a","confirmed":true,"confirmationId":"x"}');
    await write({ text: "b" }, { confirmationId: crypto.randomUUID(), kind: "read" });
    expect(notes.runs).toEqual([]);
  });
});

test("arguments of any shape are invalid_input, with paths and never values, and leave nothing but the audit row", async () => {
  const shapes = [
    "",
    "[]",
    '{"text":1}',
    '{"text":"a\\u0000"}',
    '{"text":"a","text":"a"}',
    '{"text":"a","__proto__":{}}',
  ];
  for (const args of shapes) expect(await write(args)).toMatchObject({ ok: false, reason: "invalid_input" });
  expect(await write('{"text":{"planted":"planted"}}')).toEqual({
    ok: false,
    reason: "invalid_input",
    invalidPaths: ["text"],
  });
  expect(await rowCount()).toBe(0);
  expect(new Set((await audit()).map(({ code }) => code))).toEqual(new Set(["invalid_input"]));
});

test("what a host puts into a call's names never breaks the audit row", async () => {
  const odd = { requestId: `\0${"x".repeat(500)}\ud800` };
  expect(await look({ requestContext: odd, via: "\0door" })).toMatchObject({ ok: true });
  expect(await node.core.execute(ada.ref, toCall("no such\0tool", "{}"))).toMatchObject({ reason: "unknown_tool" });
  expect(await audit()).toMatchObject([
    { via: "door", request_id: "x".repeat(199) },
    { tool: "", kind: "unknown", code: "unknown_tool" },
  ]);
});

test("a write's context is a write's alone", async () => {
  await write();
  const [seen] = notes.seen;
  expect(seen).toBeDefined();
  expect((seen as WriteContext).idempotencyKey).toBeUndefined();
});
