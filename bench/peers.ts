import { quantile, round } from "./measure.ts";
import { contenders, type ContenderName } from "./peer.ts";
import { arePeersInstalled, howToInstall, startPeer, versionsOf, type PeerProcess } from "./peer-process.ts";
import type { Stage } from "./stage.ts";

const chats = 24;
const warmUp = 2 * chats;
const atOnce = 20;
const passes = 5;

/** All on one script and one PostgreSQL, each in a process and a database of its own, by turns. */
export async function benchPeers(stage: Stage, runs = 10 * chats): Promise<object> {
  if (!arePeersInstalled()) return { not_measured: howToInstall };
  const sides = await startAll(stage);
  for (let index = 0; index < warmUp + runs; index++) {
    for (const side of rotated(sides, index)) {
      const took = await side.process.turn(`chat-${index % chats}`);
      if (index >= warmUp) side.turns.push(took);
    }
  }
  for (let index = 0; index < warmUp + runs; index++) {
    for (const side of rotated(sides, index)) {
      const took = await side.process.write(`desk-${index % chats}`, `name ${index}`);
      if (index >= warmUp) side.writes.push(took);
    }
  }
  const each = Math.max(1, Math.round(runs / 60));
  for (let pass = 0; pass < passes; pass++) {
    const crowd = Array.from({ length: atOnce }, (_none, index) => `crowd-${pass}-${index}`);
    for (const side of rotated(sides, pass)) {
      const took = await side.process.turns(crowd, each);
      if (pass > 0) side.perSecond.push((atOnce * each * 1_000) / took);
    }
  }
  await Promise.all(sides.map(({ process }) => process.close()));
  return toFigures(sides);
}

interface Side {
  readonly name: ContenderName;
  readonly process: PeerProcess;
  readonly turns: number[];
  readonly writes: number[];
  readonly perSecond: number[];
}

async function startAll(stage: Stage): Promise<readonly Side[]> {
  const names = (Object.keys(contenders) as ContenderName[]).filter((name) => name !== "ai-sdk-signed");
  const sides: Side[] = [];
  for (const name of names) {
    const connectionString = name === "ours" ? stage.connectionString : await ownDatabase(stage, name);
    const process = await startPeer({ name, connectionString });
    sides.push({ name, process, turns: [], writes: [], perSecond: [] });
  }
  return sides;
}

/** A database beside the stage's own, on the same server. */
export async function ownDatabase(stage: Stage, name: ContenderName): Promise<string> {
  const database = `peer_${name.replaceAll("-", "_")}`;
  const client = await stage.connect();
  await client.query({ name: "", text: `create database ${database}`, values: [] });
  const address = new URL(stage.connectionString);
  address.pathname = `/${database}`;
  return address.toString();
}

/** Everybody is first as often as anybody else. */
function rotated<Item>(items: readonly Item[], by: number): readonly Item[] {
  const first = by % items.length;
  return [...items.slice(first), ...items.slice(0, first)];
}

function toFigures(sides: readonly Side[]): object {
  const rows = sides.map(({ name, turns, writes, perSecond }) => ({
    who: contenders[name].title,
    version: versionsOf(name),
    stores: contenders[name].stores,
    turn_p50_ms: round(quantile(turns, 0.5)),
    write_p50_ms: round(quantile(writes, 0.5)),
    turns_per_s: round(quantile(perSecond, 0.5), 0),
  }));
  const [ours, ...others] = rows;
  const durable = others.filter(({ stores }) => stores);
  if (ours === undefined) return { rows };
  const fastest = (figure: "turn_p50_ms" | "write_p50_ms"): number => Math.min(...durable.map((row) => row[figure]));
  return {
    sides: rows,
    turn_of_the_fastest: round(ours.turn_p50_ms / fastest("turn_p50_ms")),
    write_of_the_fastest: round(ours.write_p50_ms / fastest("write_p50_ms")),
    turns_per_s_of_the_fastest: round(ours.turns_per_s / Math.max(...durable.map((row) => row.turns_per_s)), 1),
  };
}
