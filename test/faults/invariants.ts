import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import type { OfficeWorld } from "./office-world.ts";
import { askedNames, journalled, rules, unsettled } from "./rules.sql.ts";
import type { Witness } from "./witness.ts";

/** What the invariants are checked from: the rows, the side files, and what was seen from outside. */
export interface Checked {
  readonly world: OfficeWorld;
  readonly witness: Witness;
  /** Planted in names: in no log and no audit row. */
  readonly secret: string;
  /** Whether nothing happened to any node: then nothing may have been interrupted either. */
  readonly calm: boolean;
  /** Opens every chat, so that what is known by now is told. */
  openAll(): Promise<void>;
}

const settleLimitMs = 60_000;
/** Longer than any handler of the office takes that ends at all. */
const lateLimitMs = 6_000;

/** Waits until those that live have ended what died, and says what is wrong with what is there; nothing when all holds. */
export async function findBroken(checked: Checked): Promise<readonly string[]> {
  const found: string[] = [...(await waitUntilSettled(checked)), ...(await findBrokenRows(checked))];
  found.push(...(await findBadRuns(checked)), ...(await findLost(checked)), ...(await findUnjournalled(checked)));
  found.push(...(await findTold(checked)), ...(await findInterrupted(checked)));
  return found;
}

/**
 * What the rows alone break. A handler that answers late ends after its card was told, and whoever opens the chat next
 * tells its end: what is broken stays so, however often the chats are opened.
 */
async function findBrokenRows({ world, openAll }: Checked): Promise<readonly string[]> {
  const until = performance.now() + lateLimitMs;
  for (;;) {
    await openAll();
    const found: string[] = [];
    for (const [rule, text] of Object.entries(rules)) {
      for (const row of await world.postgres.ask(text)) found.push(`${rule}: ${JSON.stringify(row)}`);
    }
    if (found.length === 0 || performance.now() > until) return found;
    await pause(200);
  }
}

/** Nobody opens a chat meanwhile: the sweepers have to do it all. */
async function waitUntilSettled({ world }: Checked): Promise<readonly string[]> {
  const until = performance.now() + settleLimitMs;
  for (;;) {
    const left = await world.postgres.ask<{ what: string; id: string }>(unsettled);
    if (left.length === 0) return [];
    if (performance.now() > until) return left.map(({ what, id }) => `after a minute ${what}: ${id}`);
    await pause(200);
  }
}

/** 1: at most one run a row, with its user's click, with the arguments of its call, and only of a row that was spent. */
async function findBadRuns({ world, witness }: Checked): Promise<readonly string[]> {
  const asked = await world.postgres.ask<{ confirmation_id: string; status: string | null; name: string }>(askedNames);
  const cards = new Map(asked.map((card) => [card.confirmation_id, card]));
  const ran = new Map<string, number>();
  const found: string[] = [];
  for (const { confirmationId, name } of world.handlers()) {
    ran.set(confirmationId, (ran.get(confirmationId) ?? 0) + 1);
    if (!witness.clicks.has(confirmationId)) found.push(`a write ran that nobody clicked: ${confirmationId}`);
    const card = cards.get(confirmationId);
    // The card of a deleted chat is gone with it.
    if (card === undefined) continue;
    if (card.name !== name) found.push(`a write ran with other arguments than its card's: ${confirmationId}`);
    if (card.status !== "used") found.push(`a write ran whose row is ${card.status}: ${confirmationId}`);
  }
  for (const [id, times] of ran) if (times > 1) found.push(`a write ran ${times} times: ${id}`);
  witness.seen.set("writes run", ran.size);
  return found;
}

/** 4: what was told as stored is there, at its place. */
async function findLost({ world, witness }: Checked): Promise<readonly string[]> {
  const rows = await world.postgres.ask<{ id: string; seq: number }>("select id, seq from countersign.messages");
  const stored = new Map(rows.map(({ id, seq }) => [id, seq]));
  const found: string[] = [];
  for (const [id, { conversationId, seq }] of witness.shown) {
    if (witness.deleted.has(conversationId)) continue;
    if (stored.get(id) !== seq) found.push(`a message that was shown is not there: ${id}, number ${seq}`);
  }
  witness.seen.set("messages stored", rows.length);
  return found;
}

/** 5: a journal row for each call that was begun, with its cost where the provider said it and the node lived to hear it. */
async function findUnjournalled({ world, witness }: Checked): Promise<readonly string[]> {
  const rows = await world.postgres.ask<{ tag: string; rows: number }>(journalled);
  const journal = new Map(rows.map((row) => [row.tag, row.rows]));
  const costs = await world.postgres.ask<{ micros: string }>(
    "select cost_micros::text as micros from countersign.ai_requests where cost_micros is not null",
  );
  const said = new Set(costs.map(({ micros }) => Number(micros)));
  const living = new Set(world.nodes.filter(({ alive }) => alive).map(({ name }) => name));
  const begun = new Map<string, number>();
  const found: string[] = [];
  for (const { tag, what, node, costMicros } of world.modelCalls()) {
    if (what === "begun") begun.set(tag, (begun.get(tag) ?? 0) + 1);
    else if (living.has(node) && !said.has(costMicros)) found.push(`a cost is not in the journal: ${costMicros}`);
  }
  for (const [tag, calls] of begun) {
    const written = journal.get(tag);
    if (written !== undefined && written < calls)
      found.push(`question ${tag} made ${calls} calls and has ${written} rows`);
  }
  witness.seen.set(
    "model calls",
    [...begun.values()].reduce((sum, calls) => sum + calls, 0),
  );
  return found;
}

/** 9: nothing of a call's content in a log or an audit row. */
async function findTold({ world, secret }: Checked): Promise<readonly string[]> {
  const found: string[] = [];
  const log = readFileSync(world.logFile(), { encoding: "utf8", flag: "a+" });
  for (const line of log.split("\n")) if (line.includes(secret)) found.push(`a log line tells a name: ${line}`);
  const rows = await world.postgres.ask<{ row: string }>(
    "select t::text as row from countersign.tool_calls t where t::text like '%' || $1 || '%'",
    [secret],
  );
  return [...found, ...rows.map(({ row }) => `an audit row tells a name: ${row}`)];
}

/** Keeping is what holds a turn's lock: where no node died or stood still, none is lost. */
async function findInterrupted({ world, calm }: Checked): Promise<readonly string[]> {
  if (!calm) return [];
  const rows = await world.postgres.ask<{ id: string }>("select id from countersign.turns where how = 'interrupted'");
  return rows.map(({ id }) => `a turn was interrupted though its node lived: ${id}`);
}
