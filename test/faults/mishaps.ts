import { setTimeout as pause } from "node:timers/promises";
import type { NodeProcess } from "./node-process.ts";
import { deathPoints, type Mistake, type NodeSetup } from "./node-setup.ts";
import type { OfficeWorld } from "./office-world.ts";
import type { Random } from "./random.ts";
import type { Witness } from "./witness.ts";

/** The nodes of a story, and what becomes of them. */
export interface Mishaps {
  /** Those that are thought to answer. */
  nodes(): readonly NodeProcess[];
  /** One mishap after another until the signal fires; then every frozen node runs again. */
  happen(signal: AbortSignal): Promise<void>;
}

export interface MishapsSetup {
  readonly world: OfficeWorld;
  readonly random: Random;
  readonly witness: Witness;
  readonly mistake?: Mistake | undefined;
  /** How often each kind happens beside the others; none at all when all are 0. */
  readonly weights: Readonly<Record<MishapKind, number>>;
}

export type MishapKind = "kill" | "end" | "freeze" | "cut" | "restart" | "crash";

/** Minutes by which nodes' clocks are off. */
const clockShifts = [0, 0, -7, 11].map((minutes) => minutes * 60_000);
/** Longer than the lock holds. */
const frozenMs = 2_600;

export async function createMishaps(setup: MishapsSetup, count: number): Promise<Mishaps> {
  const { world, random, witness, mistake, weights } = setup;
  const live = new Set<NodeProcess>();
  const frozen = new Set<NodeProcess>();
  const mayDie = Object.values(weights).some((weight) => weight > 0);

  async function start(): Promise<void> {
    // Drawn whether or not they are used, so that the story goes on alike.
    const [dies, point, nth] = [random.chance(0.6), random.pick(deathPoints), 1 + random.below(3)];
    const signal = random.chance(0.7) ? "SIGKILL" : "SIGTERM";
    const clockShiftMs = random.pick(clockShifts);
    const death: Pick<NodeSetup, "death"> = dies && mayDie && weights.kill > 0 ? { death: { point, nth, signal } } : {};
    const node = await world.startNode({ clockShiftMs, ...death, ...(mistake !== undefined && { mistake }) });
    live.add(node);
    void node.gone.then(() => {
      live.delete(node);
      frozen.delete(node);
    });
  }

  /** A node that is gone, by whatever, is followed by another. */
  async function refill(): Promise<void> {
    while (live.size < count) await start();
  }

  const things: Readonly<Record<MishapKind, () => Promise<unknown>>> = {
    kill: async () => random.pick([...live]).signal("SIGKILL"),
    end: async () => random.pick([...live]).signal("SIGTERM"),
    async freeze() {
      const node = random.pick([...live]);
      if (frozen.size > 0) return;
      frozen.add(node);
      node.signal("SIGSTOP");
      await pause(frozenMs);
      node.signal("SIGCONT");
      frozen.delete(node);
    },
    cut: () => world.postgres.cutConnections(() => random.chance(0.5)),
    restart: () => world.postgres.restart("fast"),
    crash: () => world.postgres.restart("crash"),
  };

  await Promise.all(Array.from({ length: count }, start));
  return {
    nodes() {
      const answering = [...live].filter((node) => !frozen.has(node));
      return answering.length > 0 ? answering : [...world.nodes.slice(-1)];
    },
    async happen(signal) {
      while (!signal.aborted) {
        await pause(200 + random.below(900));
        await refill();
        if (!mayDie || live.size === 0 || signal.aborted) continue;
        const kind = random.weighed(weights);
        witness.count(`mishap: ${kind}`);
        await things[kind]();
      }
      // Somebody who has no mishaps is there to tidy up.
      await world.startNode(mistake === undefined ? {} : { mistake });
    },
  };
}
