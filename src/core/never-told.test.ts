import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { type CoreNode, createPeople, hold, startCoreNode, toCall } from "../../test/core/core-node.ts";
import { connectRaw, type Raw } from "../../test/core/raw.ts";
import { createTestDatabase, type TestDatabase } from "../testing/test-database.ts";
import { defineModule, readTool, writeTool } from "./define-tool.ts";
import { refuse } from "./refuse.ts";

// Every value of arguments, previews and results holds this word, in every way a tool can end.
const planted = "sesame";
const makeError = (): Error =>
  Object.assign(new Error(`${planted}\n    at ${planted} (${planted}.ts:1:1)`), {
    code: `${planted} code`,
    detail: planted,
  });
const input = z.object({ how: z.string(), text: z.string(), also: z.unknown().optional() });
const end = (how: string): unknown => {
  if (how === "throws") throw makeError();
  if (how === "refuses") return refuse("not_now", `Not ${planted}.`);
  return how === "hangs" ? new Promise(() => {}) : { [planted]: planted };
};
const common = { description: "Ends.", permission: "notes.read", input };
const modules = [
  defineModule({
    key: "notes",
    title: "Notes",
    sessionWrites: true,
    tools: [
      readTool({ ...common, name: "look", run: (_ctx, { how }) => end(how) }),
      writeTool({
        ...common,
        name: "write",
        preview: (_ctx, { how, text }) => {
          if (how === "preview throws") throw makeError();
          if (how === "preview refuses") return refuse("not_now", `Not ${planted}.`);
          const data = how === "preview is wrong" ? { [planted]: undefined as never } : { [planted]: text };
          return { title: text, changes: [{ label: text, before: text, after: text }], warnings: [text], data };
        },
        run: (_ctx, { how }) => end(how),
      }),
    ],
  }),
];

const people = createPeople();
let db: TestDatabase;
let node: CoreNode;
let raw: Raw;

beforeAll(async () => {
  db = await createTestDatabase();
  const values = { toolTimeLimit: 100, previewTimeLimit: 100 };
  node = await startCoreNode({ connectionString: db.connectionString, people, modules, values });
  raw = await connectRaw(db.connectionString);
});

afterAll(async () => {
  await raw.close();
  await node.close();
  await db.drop();
});

/** The log and the audit rows, as text. */
async function told(): Promise<string> {
  const rows = await raw.rows("select * from tool_calls order by at");
  expect(rows.length).toBeGreaterThan(0);
  return JSON.stringify([node.log, rows]);
}

test("no value of arguments, previews or results is in any log line or audit row, however a call ends", async () => {
  const ada = people.signIn("ada");
  ada.can = (permission) => {
    if (ada.locale === "throws") throw makeError();
    return permission === "notes.read";
  };
  const ways = ["ends", "throws", "refuses", "hangs", "preview throws", "preview refuses", "preview is wrong"];
  const args = (how: string): string => JSON.stringify({ how, text: planted });
  for (const how of ways) {
    await node.core.execute(ada.ref, toCall("notes.look", args(how)));
    const answer = await node.core.execute(ada.ref, toCall("notes.write", args(how)));
    if (!answer.ok || answer.status !== "confirmation_required") continue;
    const { confirmationId } = answer;
    await node.core.redeem(ada.ref, { ...toCall("notes.write", args("ends and other")), confirmationId });
    await node.core.redeem(ada.ref, { ...toCall("notes.write", args(how)), confirmationId });
    await node.core.redeem(ada.ref, { ...toCall("notes.write", args(how)), confirmationId });
  }
  const wrong = [`{"${planted}":1}`, `{"how":{"${planted}":1},"text":7}`, planted, `{"text":"${planted}\\u0000"}`];
  for (const text of wrong) await node.core.execute(ada.ref, toCall("notes.write", text));
  await node.core.execute(ada.ref, toCall(`${planted} with spaces`, args("ends")));
  const id = (await hold(node, ada, toCall("notes.write", args("ends")))).confirmationId;
  await node.core.rejectForUser(ada.ref, id, { via: "agent", requestContext: { requestId: "r" } });
  ada.locale = "throws";
  await node.core.execute(ada.ref, toCall("notes.look", args("ends")));
  ada.load = () => Promise.reject(makeError());
  await node.core.execute(ada.ref, toCall("notes.look", args("ends")));

  expect(node.log.map(({ message }) => message)).toEqual(
    expect.arrayContaining(["a handler failed", "a dry run failed", "sessions.load gave no answer"]) as unknown,
  );
  expect(await told()).not.toContain(planted);
  const kept = await raw.rows("select * from confirmations where status <> 'held'");
  expect(kept.length).toBeGreaterThan(0);
  expect(JSON.stringify(kept)).not.toContain(planted);
});

test("a call of any shape is answered, never thrown, and never reaches a write's handler", async () => {
  const ada = people.signIn("grace");
  const loose = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.json(),
    fc.anything({ withBigInt: true, withDate: true, withNullPrototype: true }),
    fc.record({ how: fc.constant("ends"), text: fc.string({ unit: "binary" }), also: fc.anything() }),
  );
  const names = fc.oneof(
    fc.constantFrom("notes.look", "notes.write", "__proto__", "constructor"),
    fc.string({ unit: "binary" }),
  );
  const ids = fc.oneof(fc.string({ unit: "binary" }), fc.uuid());
  await fc.assert(
    fc.asyncProperty(loose, names, ids, async (args, tool, confirmationId) => {
      const call = toCall(tool, args as string, { requestContext: { requestId: tool }, via: tool });
      const executed = await node.core.execute(ada.ref, call);
      const redeemed = await node.core.redeem(ada.ref, { ...call, confirmationId });
      expect([executed.ok || executed.reason, redeemed.ok]).toEqual([expect.anything(), false]);
      expect(executed).not.toMatchObject({ reason: "handler_failed" });
    }),
    { numRuns: 120 },
  );
  const used = await raw.rows("select 1 from confirmations where user_id = 'grace' and status <> 'held'");
  expect(used).toEqual([]);
});
