// npm run race: how often one approved write is run, counted in a side file that its handler writes to, with real
// processes over real HTTP on a real PostgreSQL. `--json` prints the counts alone; `--rounds <n>` repeats the races;
// `--peers` runs the same races with other packages beside it, once `npm run peers` has installed them.
import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { invariant } from "../src/outcome.ts";
import type { NodeProcess } from "../test/faults/node-process.ts";
import { openOfficeWorld, type OfficeWorld } from "../test/faults/office-world.ts";
import { askForCard, click, hireOne, isTold, type AskedCard } from "../test/faults/scene.ts";
import { contenders } from "./peer.ts";
import { arePeersInstalled, howToInstall, versionsOf } from "./peer-process.ts";
import { racePeers, type PeerRace } from "./race-peers.ts";

const { values } = parseArgs({
  options: {
    json: { type: "boolean", default: false },
    rounds: { type: "string", default: "10" },
    peers: { type: "boolean", default: false },
  },
});
if (values.peers && !arePeersInstalled()) {
  console.error(howToInstall);
  process.exit(1);
}
const opened = await openOfficeWorld();
try {
  const figures = await race(opened, Number(values.rounds));
  const beside = values.peers ? await racePeers(Number(values.rounds)) : null;
  if (values.json) console.log(JSON.stringify(beside === null ? figures : { ...figures, peers: beside }));
  else print(figures);
  if (beside !== null && !values.json) printBeside(figures, beside);
} finally {
  await opened.close();
}
process.exit(0);

type Figures = Awaited<ReturnType<typeof race>>;

/** The most that was seen in any round. */
async function race(
  world: OfficeWorld,
  rounds: number,
): Promise<{
  readonly two_clicks: number;
  readonly late_third: number;
  readonly forged_arguments: number;
  readonly kill_in_handler: { readonly runs: number; readonly settled: boolean };
}> {
  const nodes = [await world.startNode(), await world.startNode()] as const;
  const [one, other] = nodes;
  const as = await hireOne(world, "ada");
  const runsOf = (card: Named): number => world.handlers().filter(({ name }) => name === card.name).length;
  const ran = { two: 0, third: 0, forged: 0 };

  for (let index = 0; index < rounds; index++) {
    // Two connections at once: of one process, and of two.
    for (const second of nodes) {
      const card = await askFor(one, as, "slow");
      await Promise.all([click(one, as, { card }), click(second, as, { card })]);
      ran.two = Math.max(ran.two, runsOf(card));
      await click(other, as, { card });
      ran.third = Math.max(ran.third, runsOf(card));
    }
    ran.forged = Math.max(ran.forged, await forge(one));
  }
  invariant(ran.two > 0, "an approved write runs at all");
  const killed = await killInHandler();
  return { two_clicks: ran.two, late_third: ran.third, forged_arguments: ran.forged, kill_in_handler: killed };

  /** Runs with other arguments than the card's, whatever a request says beside its path. */
  async function forge(node: NodeProcess): Promise<number> {
    const [card, victim] = [await askFor(node, as, "plain"), await askFor(node, as, "plain")];
    const name = `forged-${randomUUID().slice(0, 8)}`;
    const { confirmationId, messageId, conversationId } = victim;
    const body = {
      ...{ arguments: { name }, args: JSON.stringify({ name }), input: { name }, name, tool: "office.rename" },
      ...{ confirmationId, confirmation_id: confirmationId, messageId, id: messageId, conversationId },
    };
    const query = new URLSearchParams(Object.entries(body).map(([key, value]) => [key, JSON.stringify(value)]));
    await click(node, as, { card, body, query: `?${query.toString()}` });
    return runsOf({ name }) + runsOf(victim);
  }

  async function killInHandler(): Promise<{ readonly runs: number; readonly settled: boolean }> {
    const doomed = await world.startNode({ death: { point: "in the handler", nth: 1 } });
    const card = await askFor(one, as, "slow");
    await click(doomed, as, { card });
    await doomed.gone;
    // Whoever opens the chat settles the card, once its lock has lapsed and its handler cannot be running any more.
    let settled = false;
    for (const until = performance.now() + 30_000; !settled && performance.now() < until; await pause(100)) {
      await other.ask("POST", `/conversations/${card.conversationId}/open`, { as });
      settled = await isTold(other, as, card);
    }
    await Promise.all([click(one, as, { card }), click(other, as, { card })]);
    return { runs: runsOf(card), settled };
  }
}

interface Named {
  readonly name: string;
}

/** A chat whose model has asked for a write under a name that no other has. */
async function askFor(node: NodeProcess, as: string, behaviour: string): Promise<AskedCard & Named> {
  const name = `${behaviour}-${randomUUID().slice(0, 8)}`;
  return { ...(await askForCard(node, as, `#1 rename: ${name}`)), name };
}

function print(figures: Figures): void {
  const killed = figures.kill_in_handler;
  console.table([
    { race: "two clicks at once", "runs of the write": figures.two_clicks, "has to be": "1" },
    { race: "and a late third", "runs of the write": figures.late_third, "has to be": "1" },
    {
      race: "forged arguments and ids: runs with those",
      "runs of the write": figures.forged_arguments,
      "has to be": "0",
    },
    { race: "killed in the handler, opened elsewhere", "runs of the write": killed.runs, "has to be": "at most 1" },
    { race: "… and the card was settled", "runs of the write": killed.settled, "has to be": "true" },
  ]);
}

/** Executions of one approved write. */
function printBeside(ours: Figures, peers: readonly PeerRace[]): void {
  const all = [{ title: contenders.ours.title, version: versionsOf("ours"), ...ours }, ...peers];
  console.table(
    all.map((one) => ({
      who: one.title,
      version: one.version,
      "two clicks at once": one.two_clicks,
      "and a late third": one.late_third,
      "with arguments nobody saw": one.forged_arguments,
      "killed in the handler, then gone on with": one.kill_in_handler.runs,
    })),
  );
}
