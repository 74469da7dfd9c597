// A node of its own process that runs one turn and stands still in the middle of it, to be killed there.
import { randomUUID } from "node:crypto";
import { invariant } from "../../src/outcome.ts";
import { createBills } from "../../src/testing/bills.ts";
import { findLeaks, watchLogs } from "../../src/testing/log-watch.ts";
import { scriptedModel } from "../../src/testing/scripted-model.ts";
import { type ChatHooks, createTestNode, type TestSessions } from "../../src/testing/test-node.ts";

/** Where it stands still. */
export type DoomedPlace = "question" | "model" | "answer" | "tool" | "finish" | "drain";

export interface Doomed {
  readonly connectionString: string;
  readonly ref: string;
  readonly userId: string;
  readonly conversationId: string;
  readonly place: DoomedPlace;
  /** Whether locks and keeps have their default times; short ones otherwise. */
  readonly realTimes?: boolean;
}

const doomed = JSON.parse(process.argv[2] ?? "") as Doomed;
const { connectionString, ref, userId, conversationId, place, realTimes = false } = doomed;

watchLogs();

function standStill(): Promise<never> {
  const leaks = findLeaks();
  process.stdout.write(leaks.length === 0 ? "reached\n" : `a log line holds ${leaks.join("; ")}\n`);
  // A timer, or a process with nothing left to do would end by itself.
  setInterval(() => {}, 60_000);
  return new Promise(() => {});
}

const bills = createBills();
if (place === "tool") bills.find = standStill;
const before: ChatHooks = {};
const after: ChatHooks = {};
if (place === "question") before.storeQuestion = standStill;
if (place === "answer") after.store = standStill;
if (place === "finish") before.finish = standStill;
const sessions: TestSessions = new Map([[ref, { ref, userId, can: () => true }]]);
const waits = place === "model" || place === "drain";
const node = await createTestNode({
  ...{ connectionString, sessions, before, after, modules: [bills.module] },
  settings: realTimes ? {} : { lockHold: 500, turnKeepMs: 100, clickKeepMs: 100, stopGrace: 1 },
  model: scriptedModel([
    {
      text: "Let me see.",
      calls: [{ name: "bills__find", arguments: { id: "1" } }],
      ...(waits && { between: standStill }),
    },
    "Found.",
  ]),
});
process.once("SIGTERM", () => {
  void node.turns.drain().then(() => process.exit(0));
});
const started = await node.turns.start(ref, {
  ...{ conversationId, text: "Hi", clientId: randomUUID(), requestContext: { requestId: randomUUID() } },
});
invariant(started.ok, "the doomed node starts its turn");
