import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sql } from "../../src/database/sql.ts";
import type { AdminFlags, AdminJournal, AdminToolCalls, AdminTurns, AdminUsage } from "../../src/wire/admin.ts";
import type { SignIn } from "../desk.ts";
import { createGate } from "../../src/testing/gate.ts";
import { serveDesk, type Served } from "../http/served.ts";
import { addCalls, signInManager } from "./people.ts";

let served: Served;
let manager: SignIn;
const gate = createGate();

beforeAll(async () => {
  served = await serveDesk([{ text: "Slow", before: gate.pass }]);
  manager = signInManager(served);
});

afterAll(() => served.close());

async function read<Body>(path: string): Promise<Body> {
  const answer = await served.ask("GET", path, { as: manager });
  expect([path, answer.status]).toEqual([path, 200]);
  return answer.body as Body;
}

/** Every page of a list, from the newest to the oldest. */
async function readAll(query: string, onPage?: () => Promise<void>): Promise<AdminJournal["entries"]> {
  const all: AdminJournal["entries"][number][] = [];
  let before = "";
  for (;;) {
    const page: AdminJournal = await read(`/admin/journal?${query}${before}`);
    all.push(...page.entries);
    if (page.next === null) return all;
    before = `&before=${encodeURIComponent(page.next)}`;
    await onPage?.();
  }
}

describe("The journal", () => {
  beforeAll(() =>
    addCalls(
      served,
      Array.from({ length: 120 }, (_, index) => ({
        userId: index % 3 === 0 ? "mia" : "tom",
        minutesAgo: 1 + index,
        ...(index % 10 === 0 && { status: "error" as const, code: "rate_limited" }),
      })),
    ),
  );

  test("is paged so that rows that come meanwhile shift nothing: each is listed once", async () => {
    const listed = await readAll("from=2020-01-01", () =>
      addCalls(served, [
        { userId: "late", minutesAgo: 0 },
        { userId: "late", minutesAgo: 0 },
      ]),
    );
    expect(listed).toHaveLength(120);
    expect(new Set(listed.map(({ requestId }) => requestId)).size).toBe(120);
    const times = listed.map(({ at }) => at);
    expect(times).toEqual(times.toSorted().toReversed());
  });

  test("is filtered by user, status, code, and by days", async () => {
    expect(await readAll("userId=mia")).toHaveLength(40);
    expect(await readAll("userId=mia&status=trouble")).toHaveLength(4);
    expect(await readAll("status=trouble")).toHaveLength(12);
    expect(await readAll("status=error&code=rate_limited")).toHaveLength(12);
    expect(await readAll("code=timeout")).toEqual([]);
    expect(await readAll("model=scripted&userId=tom")).toHaveLength(80);
    expect(await readAll("to=2020-01-01")).toEqual([]);
  });

  test("a filter that takes little says where to go on, and reads a bounded number of rows a page", async () => {
    await served.base.database.query(sql`
      insert into ai_requests (user_id, id, at, source, task, endpoint, model_asked, status, node, ended_at)
      select 'many', gen_random_uuid(), clock_timestamp() - interval '10 days' - n * interval '1 second', 'agent', 'agent.chat',
        'scripted', case when n = 6000 then 'rare' else 'plain' end, 'ok', 'node', clock_timestamp()
      from generate_series(1, 6001) n`);
    const first = await read<AdminJournal>("/admin/journal?userId=many&model=rare");
    expect(first.entries).toEqual([]);
    expect(first.next).not.toBeNull();
    expect(await readAll("userId=many&model=rare")).toHaveLength(1);
    await served.base.database.query(sql`delete from ai_requests where user_id = 'many'`);
  });

  test("as a file has every row, and no cell that a spreadsheet would run", async () => {
    const hostile = ["=1+1", "+1", "-1", "@sum(a1)", "\t=1", 'say "hi", twice', " =1"];
    await addCalls(
      served,
      hostile.map((userId, index) => ({ userId, minutesAgo: 200 + index, model: "=cmd|' /c calc'!a0" })),
    );
    const answer = await fetch(`${served.origin}/assistant/admin/journal.csv`, {
      headers: { "x-desk-session": manager.ref },
    });
    expect(answer.headers.get("content-type")).toBe("text/csv");
    expect(answer.headers.get("content-disposition")).toMatch(/^attachment; filename="journal-\d{4}-\d\d-\d\d\.csv"$/);
    const lines = (await answer.text()).trimEnd().split("\r\n");
    expect(lines[0]).toMatch(/^\uFEFF?at,requestId,userId,/);
    const [row] = await served.base.database.query<{ n: number }>(sql`select count(*)::int as n from ai_requests`);
    expect(lines).toHaveLength(1 + (row?.n ?? 0));
    for (const safe of ["'=1+1", "'+1", "'-1", "'@sum(a1)", "'\t=1", '"say ""hi"", twice"', "' =1"]) {
      expect(lines.filter((line) => line.split(",").slice(2).join(",").startsWith(safe))).toHaveLength(1);
    }
    expect(lines.filter((line) => line.includes("'=cmd|' /c calc'!a0"))).toHaveLength(hostile.length);
    expect(lines.some((line) => /,[=+@-]/.test(line))).toBe(false);
  });
});

test("usage is told by day, user, model and endpoint, a refused call apart from those that were made", async () => {
  await addCalls(served, [
    { userId: "zoe", minutesAgo: 0, costMicros: 5_000, model: "dear" },
    { userId: "zoe", minutesAgo: 0, costMicros: 0, status: "error", code: "timeout" },
    { userId: "zoe", minutesAgo: 0, costMicros: 0, status: "refused", code: "budget_user" },
    { userId: "zoe", minutesAgo: 3 * 1_440, costMicros: 7_000 },
  ]);
  const usage = await read<AdminUsage>("/admin/usage?userId=zoe");
  expect(usage.total).toEqual({
    calls: 3,
    errors: 1,
    refused: 1,
    costMicros: 12_000,
    inputTokens: 400,
    outputTokens: 80,
  });
  expect(usage.days).toHaveLength(30);
  expect(usage.days.filter(({ calls }) => calls > 0).map(({ calls, costMicros }) => [calls, costMicros])).toEqual([
    [1, 7_000],
    [2, 5_000],
  ]);
  expect(usage.models.map(({ name, costMicros }) => [name, costMicros])).toEqual([
    ["scripted", 7_000],
    ["dear", 5_000],
  ]);
  const site = await read<AdminUsage>("/admin/usage");
  expect(site.users.map(({ name }) => name)).toEqual(expect.arrayContaining(["zoe", "mia", "tom"]));
  expect(site.endpoints.map(({ name }) => name)).toEqual(["scripted"]);
});

test("tool calls are listed with who, what and how it went, in pages and by filters", async () => {
  await served.base.database.query(sql`
    insert into tool_calls (user_id, id, at, session_hash, tool, kind, step, via, request_id, code, duration_ms)
    select case when n % 2 = 0 then 'mia' else 'tom' end, ('01970000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid,
      clock_timestamp() - interval '1 day' + n * interval '1 second', 'hash', 'desk.rename', 'write',
      case when n % 4 = 0 then 'redeem' else 'hold' end, 'agent', 'request', case when n % 5 = 0 then 'forbidden' end, n
    from generate_series(1, 120) n`);
  const count = async (query: string): Promise<number> => {
    const ids = new Set<string>();
    let before = "";
    for (;;) {
      const page: AdminToolCalls = await read(`/admin/tool-calls?${query}${before}`);
      for (const { id } of page.calls) ids.add(id);
      if (page.next === null) return ids.size;
      before = `&before=${encodeURIComponent(page.next)}`;
    }
  };
  expect(await count("")).toBe(120);
  expect(await count("userId=mia")).toBe(60);
  expect(await count("userId=tom&outcome=refused")).toBe(12);
  expect(await count("outcome=done")).toBe(96);
  expect(await count("step=redeem")).toBe(30);
  expect(await count("tool=desk.other")).toBe(0);
  const newest = await read<AdminToolCalls>("/admin/tool-calls");
  expect(newest.calls[0]).toMatchObject({
    userId: "mia",
    title: "Rename the record",
    durationMs: 120,
    code: "forbidden",
  });
  expect(JSON.stringify(newest)).not.toContain("arguments");
});

test("flags suspend as the guard says, with a limit of the user's own, until they are cleared", async () => {
  const flag = (userId: string, times: number) =>
    served.base.database.query(sql`
      insert into flags (user_id, turn_id, reason)
      select ${userId}, gen_random_uuid(), 'homework' from generate_series(1, ${times}::int)`);
  await flag("often", 5);
  await flag("lenient", 5);
  await flag("seldom", 1);
  await served.assistant.settings.setUser("lenient", { offPurposeLimit: 9 }, { asAdmin: true });
  const before = await read<AdminFlags>("/admin/flags?standing=1");
  expect(before.flags).toHaveLength(11);
  const told = new Map(before.standing.map((one) => [one.userId, one]));
  expect(told.get("often")).toMatchObject({ count: 5, limit: 5, suspended: true });
  expect(told.get("lenient")).toMatchObject({ count: 5, limit: 9, suspended: false });
  expect(told.get("seldom")).toMatchObject({ suspended: false });
  expect(await read("/admin/overview")).toMatchObject({ suspendedUsers: 1 });

  const cleared = await served.ask("POST", "/admin/flags/clear", { as: manager, body: { userId: "often" } });
  expect(cleared.status).toBe(204);
  const after = await read<AdminFlags>("/admin/flags?standing=1");
  expect(after.standing.map(({ userId }) => userId)).not.toContain("often");
  expect((await read<AdminFlags>("/admin/flags")).flags).toHaveLength(11);
});

test("a running turn is listed without what is said in it, and stops when an administrator says so", async () => {
  const owner = served.desk.signIn("owner");
  const made = await served.ask("POST", "/conversations", { as: owner });
  const chatId = (made.body as { conversation: { id: string } }).conversation.id;
  const body = { text: "A private question", clientId: "one" };
  const started = await served.ask("POST", `/conversations/${chatId}/turns`, { as: owner, body });
  await gate.reached;
  const running = await read<AdminTurns>("/admin/turns");
  expect(running.turns).toMatchObject([
    { userId: "owner", turnId: started.body["turnId"], conversationId: chatId, stopRequested: false },
  ]);
  expect(JSON.stringify(running)).not.toContain("private");
  const stop = `/admin/turns/${String(started.body["turnId"])}/stop`;
  expect(await served.ask("POST", stop, { as: manager, body: { userId: "somebody" } })).toMatchObject({
    status: 409,
    body: { code: "not_running" },
  });
  expect((await served.ask("POST", stop, { as: manager, body: { userId: "owner" } })).status).toBe(204);
  gate.open();
  await expect.poll(async () => (await read<AdminTurns>("/admin/turns")).turns.length, { timeout: 20_000 }).toBe(0);
  const [turn] = await served.base.database.query<{ how: string }>(sql`select how from turns where user_id = 'owner'`);
  expect(turn?.how).toBe("stopped");
});
