import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { type CoreNode, createPeople, type SignIn, startCoreNode, toCall } from "../../test/core/core-node.ts";
import { connectRaw, type Raw } from "../../test/core/raw.ts";
import { createTestDatabase, type TestDatabase } from "../testing/test-database.ts";
import { defineModule, readTool, writeTool } from "./define-tool.ts";

const people = createPeople();
const common = { description: "Does.", permission: "notes.read", input: z.object({ n: z.number().optional() }) };
const limited = { rateLimit: { limit: 2, perSeconds: 3_600 } };
const modules = [
  defineModule({
    key: "notes",
    title: "Notes",
    sessionWrites: true,
    tools: [
      readTool({ ...common, name: "look", run: () => 1 }),
      readTool({ ...common, ...limited, name: "rare", run: () => 1 }),
      writeTool({ ...common, ...limited, name: "put", preview: () => ({ title: "Put", changes: [] }), run: () => 1 }),
    ],
  }),
];
const values = { readsPerMinute: 5, holdsPerMinute: 4, redeemsPerMinute: 3 };
let db: TestDatabase;
let nodes: readonly CoreNode[];
let raw: Raw;
let ada: SignIn;

beforeAll(async () => {
  db = await createTestDatabase();
  const setup = { connectionString: db.connectionString, people, modules, values };
  nodes = [await startCoreNode(setup), await startCoreNode(setup)];
  raw = await connectRaw(db.connectionString);
});

afterAll(async () => {
  await raw.close();
  for (const node of nodes) await node.close();
  await db.drop();
});

beforeEach(() => {
  ada = people.signIn(`ada-${crypto.randomUUID()}`);
});

async function look(tool: string, times: number, args: object = {}): Promise<readonly string[]> {
  const calls = Array.from({ length: times }, async (_, turn) => {
    const answer = await nodes[turn % 2]?.core.execute(ada.ref, toCall(tool, JSON.stringify(args)));
    return answer?.ok === true ? "ok" : String(answer?.reason);
  });
  return Promise.all(calls);
}

const oks = (answers: readonly string[]): number => answers.filter((answer) => answer === "ok").length;
const used = async (bucket: string, tool: string): Promise<number | undefined> => {
  const text = "select used from rates where user_id = $1 and bucket = $2 and tool = $3";
  const [row] = await raw.rows<{ used: number }>(text, [ada.userId, bucket, tool]);
  return row?.used;
};

test("a user's limit holds over all nodes, however many calls come at once", async () => {
  const answers = await look("notes.look", 20);
  expect(oks(answers)).toBe(5);
  expect(answers.filter((answer) => answer === "rate_limited")).toHaveLength(15);
  expect(await used("reads", "")).toBe(5);
});

test("a tool's own limit holds beside the user's, and a call it refuses does not count for the user", async () => {
  expect(oks(await look("notes.rare", 10))).toBe(2);
  expect(await used("reads", "notes.rare")).toBe(2);
  expect(await used("reads", "")).toBe(2);
  expect(oks(await look("notes.look", 10))).toBe(3);
});

test("a call that the user's limit refuses does not count for its tool", async () => {
  expect(oks(await look("notes.look", 5))).toBe(5);
  expect(await look("notes.rare", 1)).toEqual(["rate_limited"]);
  expect(await used("reads", "notes.rare")).toBe(0);
});

test("what a later check refuses is given back", async () => {
  // At once: one that finds the tool's counter full meanwhile is told so, and gives back what it had counted.
  expect(oks(await look("notes.rare", 8, { n: "planted" }))).toBe(0);
  expect(await used("reads", "notes.rare")).toBe(0);
  expect(await used("reads", "")).toBe(0);
  expect(oks(await look("notes.rare", 2))).toBe(2);
});

test("a refused call is told when to come again", async () => {
  await look("notes.look", 5);
  const answer = await nodes[0]?.core.execute(ada.ref, toCall("notes.look", {}));
  expect(answer).toMatchObject({ ok: false, reason: "rate_limited" });
  const retryAfter = answer !== undefined && !answer.ok && "retryAfter" in answer ? answer.retryAfter : undefined;
  expect(retryAfter).toBeGreaterThan(0);
  expect(retryAfter).toBeLessThanOrEqual(60);
});

test("a window ends by the database's clock, and one from the future holds nobody", async () => {
  for (const start of ["- interval '61 seconds'", "+ interval '1 hour'"]) {
    await look("notes.look", 5);
    await raw.rows(`update rates set window_start = clock_timestamp() ${start} where user_id = $1`, [ada.userId]);
    expect(oks(await look("notes.look", 6))).toBe(5);
    expect(await used("reads", "")).toBe(5);
  }
});

test("what was held can be run: holds, redeems and reads are counted apart", async () => {
  const [node] = nodes;
  const held: string[] = [];
  for (let turn = 0; turn < 3; turn++) {
    const answer = await node?.core.execute(ada.ref, toCall("notes.put", { n: turn }));
    if (answer?.ok === true && answer.status === "confirmation_required") held.push(answer.confirmationId);
  }
  expect(held).toHaveLength(2);
  for (const [turn, confirmationId] of held.entries()) {
    const redemption = { ...toCall("notes.put", { n: turn }), confirmationId };
    expect(await node?.core.redeem(ada.ref, redemption)).toMatchObject({ ok: true });
  }
  expect(await used("holds", "notes.put")).toBe(2);
  expect(await used("redeems", "notes.put")).toBe(2);
  expect(await used("reads", "")).toBeUndefined();
});

test("the limits of two users have nothing to do with each other", async () => {
  await look("notes.look", 5);
  ada = people.signIn(`grace-${crypto.randomUUID()}`);
  expect(oks(await look("notes.look", 5))).toBe(5);
});
