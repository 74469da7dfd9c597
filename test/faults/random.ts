import { createHash } from "node:crypto";

/** Random numbers that come again with their seed. */
export interface Random {
  /** Between 0 and 1. */
  next(): number;
  /** True with this chance. */
  chance(share: number): boolean;
  /** A whole number from 0 to below `limit`. */
  below(limit: number): number;
  pick<Item>(items: readonly Item[]): Item;
  /** A key, as often as its weight says. */
  weighed<Key extends string>(weights: Readonly<Record<Key, number>>): Key;
  /** Numbers of their own for a part of the story, so that one part's do not hang on what another draws. */
  fork(name: string): Random;
}

/** The numbers of a seed: each is a part of the hash of the seed and its place. */
export function createRandom(seed: number): Random {
  let drawn = 0;
  const next = (): number =>
    createHash("sha256")
      .update(`${seed} ${(drawn += 1)}`)
      .digest()
      .readUInt32LE() /
    2 ** 32;
  const random: Random = {
    next,
    chance: (share) => next() < share,
    below: (limit) => Math.floor(next() * limit),
    pick(items) {
      const item = items[random.below(items.length)];
      if (item === undefined) throw new Error("nothing to pick from");
      return item;
    },
    weighed(weights) {
      const entries = Object.entries<number>(weights);
      let left = next() * entries.reduce((sum, [, weight]) => sum + weight, 0);
      const found = entries.find(([, weight]) => (left -= weight) < 0) ?? entries.at(-1);
      return (found?.[0] ?? "") as keyof typeof weights;
    },
    fork(name) {
      return createRandom(createHash("sha256").update(`${seed} ${name}`).digest().readUInt32LE());
    },
  };
  return random;
}
