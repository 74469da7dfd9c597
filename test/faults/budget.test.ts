import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { expect, test } from "vitest";
import type { NodeProcess } from "./node-process.ts";
import { openOfficeWorld, type OfficeWorld } from "./office-world.ts";
import { hireOne, makeChat } from "./scene.ts";

const dollar = 1_000_000;
/** Fifty turns at once on a busy machine are no reason for a lock or a sign-in to lapse. */
const patience = { lockHold: 20_000, hostCallLimit: 15_000, turnDeadline: 100 };
/** More than one node's connections: calls of both wait. */
const more = 11;

interface Person {
  readonly as: string;
  readonly conversationId: string;
  readonly node: NodeProcess;
}

/** People with a chat each, their requests spread over the nodes. */
async function hireMany(
  world: OfficeWorld,
  nodes: readonly NodeProcess[],
  names: readonly string[],
): Promise<Person[]> {
  const people: Person[] = [];
  for (const [index, name] of names.entries()) {
    const as = await hireOne(world, name);
    const node = nodes[index % nodes.length] as NodeProcess;
    people.push({ as, node, conversationId: await makeChat(node, as) });
  }
  return people;
}

/** All ask at once; answers how each turn ended, or the code of its refusal, once none runs any more. */
async function askAll({ postgres }: OfficeWorld, people: readonly Person[]): Promise<readonly string[]> {
  const asked = await Promise.all(
    people.map(async ({ as, node, conversationId }, index) => {
      const body = { text: `#${index} talk slowly`, clientId: crypto.randomUUID() };
      const path = `/conversations/${conversationId}/turns`;
      return { conversationId, answer: await node.ask("POST", path, { as, body }) };
    }),
  );
  const begun = asked.filter(({ answer }) => answer.status === 202).map(({ conversationId }) => conversationId);
  const refusals = asked.flatMap(({ answer }) => (answer.status === 202 ? [] : [answer.code ?? "no answer"]));
  for (;;) {
    const [open] = await postgres.ask<{ n: number }>(
      "select count(*)::int as n from countersign.turns where how is null and conversation_id = any($1::uuid[])",
      [begun],
    );
    if (open?.n === 0) break;
    await pause(100);
  }
  const ends = await postgres.ask<{ end: string }>(
    "select coalesce(code, role) as end from countersign.messages where role in ('assistant', 'notice') and conversation_id = any($1::uuid[])",
    [begun],
  );
  return [...refusals, ...ends.map(({ end }) => end)];
}

interface Counted {
  readonly spent: number;
  readonly reserved: number;
}

/** The site's counter of the day. */
async function ofSite({ postgres }: OfficeWorld): Promise<Counted> {
  const [row] = await postgres.ask<Counted>(
    "select spent_micros::float8 as spent, reserved_micros::float8 as reserved from countersign.spend where user_id = '' and length(period) = 10",
  );
  return row ?? { spent: 0, reserved: 0 };
}

/** The same, summed over all users. */
async function ofUsers({ postgres }: OfficeWorld): Promise<Counted> {
  const [row] = await postgres.ask<Counted>(
    "select coalesce(sum(spent_micros), 0)::float8 as spent, coalesce(sum(reserved_micros), 0)::float8 as reserved from countersign.spend where user_id <> '' and length(period) = 10",
  );
  return row ?? { spent: 0, reserved: 0 };
}

async function rows({ postgres }: OfficeWorld): Promise<Readonly<Record<string, number>>> {
  const found = await postgres.ask<{ status: string; n: number }>(
    "select status, count(*)::int as n from countersign.ai_requests group by status",
  );
  return Object.fromEntries(found.map(({ status, n }) => [status, n]));
}

/** The most that was ever taken while something ran. */
async function mostWhile<T>(
  world: OfficeWorld,
  work: Promise<T>,
): Promise<{ readonly done: T; readonly most: number }> {
  const over = new AbortController();
  let most = 0;
  const looking = (async () => {
    while (!over.signal.aborted) {
      const { spent, reserved } = await ofSite(world);
      most = Math.max(most, spent + reserved);
      await pause(20);
    }
  })();
  const done = await work.finally(() => over.abort());
  await looking;
  return { done, most };
}

/** Holds the site's counter until so many calls wait for it, and then lets all of them at it at once. */
async function heldBack<T>({ postgres }: OfficeWorld, many: number, work: () => Promise<T>): Promise<T> {
  const barrier = new pg.Client({ connectionString: postgres.connectionString });
  await barrier.connect();
  try {
    await barrier.query("begin; select from countersign.spend where user_id = '' for update");
    const working = work();
    for (let waiting = 0; waiting < many;) {
      await pause(20);
      // From another connection: within a transaction what is told of the others stands still.
      const found = await postgres.ask<{ n: number }>(
        "select count(*)::int as n from pg_stat_activity where application_name = 'countersign' and wait_event_type = 'Lock'",
      );
      waiting = found[0]?.n ?? 0;
    }
    await barrier.query("commit");
    return await working;
  } finally {
    await barrier.end();
  }
}

/** Gives people and the site the counters that a first call would make, so that no call waits for them. */
async function giveCounters({ postgres }: OfficeWorld, names: readonly string[]): Promise<void> {
  await postgres.ask(
    `insert into countersign.spend (user_id, period)
    select name, to_char(clock_timestamp() at time zone 'UTC', form)
    from unnest($1::text[]) as name, unnest(array['YYYY-MM', 'YYYY-MM-DD']) as form`,
    [["", ...names]],
  );
}

const numbered = (prefix: string, many: number): readonly string[] =>
  Array.from({ length: many }, (_one, index) => `${prefix}${index}`);

async function inBudgetWorld(work: (world: OfficeWorld) => Promise<void>): Promise<void> {
  const world = await openOfficeWorld({ siteBudgetDay: 10, ...patience });
  try {
    await work(world);
  } finally {
    await world.close();
  }
}

test(
  "of fifty turns at once on two nodes, on a budget for ten, exactly ten go through, and the sum never exceeds it",
  { timeout: 120_000 },
  () =>
    inBudgetWorld(async (world) => {
      const nodes = [await world.startNode({ dollarCalls: true }), await world.startNode({ dollarCalls: true })];
      const names = numbered("user-", 50);
      await giveCounters(world, names);
      const people = await hireMany(world, nodes, names);
      const asking = heldBack(world, more, () => askAll(world, people));
      const { done, most } = await mostWhile(world, asking);
      expect(done.filter((how) => how === "assistant")).toHaveLength(10);
      expect(new Set(done)).toEqual(new Set(["assistant", "budget_total"]));
      expect(world.modelCalls().filter(({ what }) => what === "begun")).toHaveLength(10);
      expect(most).toBeLessThanOrEqual(10 * dollar);
      expect(await ofSite(world)).toEqual({ spent: 10 * dollar, reserved: 0 });
      expect(await ofUsers(world)).toEqual({ spent: 10 * dollar, reserved: 0 });
      const { ok, refused = 0, ...others } = await rows(world);
      expect({ ok, others }).toEqual({ ok: 10, others: {} });
      expect(refused).toBeLessThanOrEqual(40);
    }),
);

test(
  "a node that is killed in five calls leaves no reservation: its rows are lost, what they reserved is spent, and of fifty turns five go through",
  { timeout: 120_000 },
  () =>
    inBudgetWorld(async (world) => {
      const doomed = await world.startNode({ dollarCalls: true });
      const living = [await world.startNode({ dollarCalls: true }), await world.startNode({ dollarCalls: true })];
      const early = await hireMany(world, [doomed], numbered("early-", 5));
      const lost = early.map(({ as, conversationId }, index) => {
        const body = { text: `#${index} talk without end`, clientId: crypto.randomUUID() };
        return doomed.ask("POST", `/conversations/${conversationId}/turns`, { as, body });
      });
      await Promise.all(lost);
      await expect.poll(() => world.modelCalls().filter(({ what }) => what === "begun").length).toBe(5);
      doomed.signal("SIGKILL");
      await doomed.gone;
      await expect.poll(() => rows(world)).toEqual({ lost: 5 });
      expect(await ofSite(world)).toEqual({ spent: 5 * dollar, reserved: 0 });
      expect(await ofUsers(world)).toEqual({ spent: 5 * dollar, reserved: 0 });

      const people = await hireMany(world, living, numbered("late-", 50));
      const asking = askAll(world, people);
      const { done, most } = await mostWhile(world, asking);
      expect(done.filter((how) => how === "assistant")).toHaveLength(5);
      expect(new Set(done)).toEqual(new Set(["assistant", "budget_total"]));
      expect(most).toBeLessThanOrEqual(10 * dollar);
      expect(await ofSite(world)).toEqual({ spent: 10 * dollar, reserved: 0 });
      expect(await rows(world)).toMatchObject({ ok: 5, lost: 5 });
    }),
);
