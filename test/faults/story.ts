import { setTimeout as pause } from "node:timers/promises";
import { findBroken } from "./invariants.ts";
import { createMishaps, type MishapKind } from "./mishaps.ts";
import type { Mistake } from "./node-setup.ts";
import { openOfficeWorld, type OfficeWorld } from "./office-world.ts";
import { hirePerson, type Person } from "./person.ts";
import { createRandom } from "./random.ts";
import { createWitness, type Witness } from "./witness.ts";

/** One run: some people on some nodes for a while, with mishaps, and what was wrong with the rows afterwards. */
export interface StorySetup {
  readonly seed: number;
  readonly seconds: number;
  readonly nodes: number;
  readonly people: number;
  readonly mishaps: Readonly<Record<MishapKind, number>>;
  readonly mistake?: Mistake;
}

export interface StoryTold {
  /** Each a sentence; none when every invariant holds. */
  readonly problems: readonly string[];
  /** How often each thing was seen. */
  readonly seen: ReadonlyMap<string, number>;
}

export const allMishaps = { kill: 3, end: 1.5, freeze: 2, cut: 2, restart: 0.7, crash: 0.7 } as const;

/** What the first person may spend a day, in dollars: soon used up. */
const smallBudget = 1;

export async function tellStory(setup: StorySetup): Promise<StoryTold> {
  const random = createRandom(setup.seed);
  const witness = createWitness();
  const secret = `planted${setup.seed}`;
  const world = await openOfficeWorld({ userBudgetDay: 10_000 });
  try {
    const { mistake } = setup;
    const mishaps = await createMishaps(
      { world, witness, mistake, random: random.fork("mishaps"), weights: setup.mishaps },
      setup.nodes,
    );
    const people: Person[] = [];
    for (let index = 0; index < setup.people; index++) {
      const userId = `person-${index}`;
      const nodes = mishaps.nodes;
      people.push(await hirePerson({ userId, world, witness, secret, nodes, random: random.fork(userId) }));
    }
    await world.postgres.ask(
      "insert into countersign.settings (user_id, key, value) values ($1, 'userBudgetDay', $2)",
      [people[0]?.userId, JSON.stringify(smallBudget)],
    );
    const over = AbortSignal.timeout(setup.seconds * 1_000);
    const budgets = sampleBudget({ world, witness, userId: "person-0", signal: over });
    await Promise.all([mishaps.happen(over), ...people.map((person) => person.live(over)), budgets]);
    const openAll = async (): Promise<void> => void (await Promise.all(people.map((person) => person.openAll())));
    const calm = Object.values(setup.mishaps).every((weight) => weight === 0);
    const broken = await findBroken({ world, witness, secret, calm, openAll });
    return { problems: [...witness.problems, ...broken], seen: witness.seen };
  } finally {
    await world.close();
  }
}

/** 8: looks again and again whether spent and reserved together pass the small budget. */
async function sampleBudget(of: {
  readonly world: OfficeWorld;
  readonly witness: Witness;
  readonly userId: string;
  readonly signal: AbortSignal;
}): Promise<void> {
  while (!of.signal.aborted) {
    const rows = await of.world.postgres.ask<{ micros: number }>(
      `select (spent_micros + reserved_micros)::float8 as micros from countersign.spend where user_id = $1 and length(period) = 10`,
      [of.userId],
    );
    for (const { micros } of rows) {
      if (micros > smallBudget * 1e6) of.witness.problems.push(`a budget was passed: ${micros}`);
    }
    await pause(250);
  }
}
