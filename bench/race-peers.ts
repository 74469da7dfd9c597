import { randomUUID } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { contenders, type Held, type PeerName } from "./peer.ts";
import { startPeer, versionsOf, type PeerProcess } from "./peer-process.ts";
import { ownDatabase } from "./peers.ts";
import { setStage, type Stage } from "./stage.ts";

/** How often one approved write ran: the most that was seen in any round. */
export interface PeerRace {
  readonly name: PeerName;
  readonly title: string;
  readonly version: string;
  readonly two_clicks: number;
  readonly late_third: number;
  readonly forged_arguments: number;
  readonly kill_in_handler: { readonly runs: number };
}

/** The races of this package, run by each of its peers: two processes, a handler that writes to a side file. */
export async function racePeers(rounds: number): Promise<readonly PeerRace[]> {
  const stage = await setStage();
  const folder = await mkdtemp(path.join(tmpdir(), "countersign-race-"));
  const names = (Object.keys(contenders) as (keyof typeof contenders)[]).filter((name) => name !== "ours");
  try {
    const races: PeerRace[] = [];
    for (const name of names) races.push(await raceOne(stage, name, { rounds, file: path.join(folder, name) }));
    return races;
  } finally {
    await stage.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function raceOne(
  stage: Stage,
  name: PeerName,
  { rounds, file }: { readonly rounds: number; readonly file: string },
): Promise<PeerRace> {
  const connectionString = await ownDatabase(stage, name);
  const start = (dies: boolean): Promise<PeerProcess> =>
    startPeer({ name, connectionString, handler: { file, takesMs: 200, dies } });
  const nodes = [await start(false), await start(false)] as const;
  const [one, other] = nodes;
  const runsOf = (written: string): number =>
    existsSync(file)
      ? readFileSync(file, "utf8")
          .split("\n")
          .filter((line) => line === written).length
      : 0;
  const ran = { two: 0, third: 0, forged: 0 };
  for (let round = 0; round < rounds; round++) {
    for (const second of nodes) {
      const held = await holdOne(one);
      await Promise.all([one.approve(held), second.approve(held)]);
      ran.two = Math.max(ran.two, runsOf(held.name));
      await other.approve(held);
      ran.third = Math.max(ran.third, runsOf(held.name));
    }
    const forged = `forged-${randomUUID()}`;
    await one.forge(await holdOne(one), forged);
    ran.forged = Math.max(ran.forged, runsOf(forged));
  }
  const doomed = await start(true);
  const held = await holdOne(one);
  await doomed.approve(held);
  await other.recover(held);
  const killed = runsOf(held.name);
  await Promise.all(nodes.map((node) => node.close()));
  const { title } = contenders[name];
  const { two, third, forged } = ran;
  return {
    ...{ name, title, version: versionsOf(name), two_clicks: two, late_third: third, forged_arguments: forged },
    kill_in_handler: { runs: killed },
  };
}

/** In a chat of its own, under a name that no other has. */
function holdOne(node: PeerProcess): Promise<Held> {
  const name = `asked-${randomUUID()}`;
  return node.hold(`chat-${name}`, name);
}
