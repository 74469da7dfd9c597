/** One thing that is timed beside another. */
export interface Side {
  /** Called with the number of the run; what it answers is the time in milliseconds. */
  run(index: number): Promise<number>;
}

/** Milliseconds that a piece of work took. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await work();
  return performance.now() - from;
}

/** The value below which this share of the values lies. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export interface Compared {
  readonly ours: readonly number[];
  readonly floor: readonly number[];
}

/** Runs two sides by turns on the same server, each first as often as the other; the first runs are not counted. */
export async function interleave(
  { ours, floor }: { readonly ours: Side; readonly floor: Side },
  { runs, warmUp }: { readonly runs: number; readonly warmUp: number },
): Promise<Compared> {
  const times = { ours: [] as number[], floor: [] as number[] };
  for (let index = 0; index < warmUp + runs; index++) {
    for (const side of index % 2 === 0 ? (["ours", "floor"] as const) : (["floor", "ours"] as const)) {
      const took = await { ours, floor }[side].run(index);
      if (index >= warmUp) times[side].push(took);
    }
  }
  return times;
}

export const round = (value: number, digits = 2): number => Number(value.toFixed(digits));

/** The medians and their ratio, as they are printed. */
export function toRatio({ ours, floor }: Compared): {
  readonly ours_p50_ms: number;
  readonly floor_p50_ms: number;
  readonly ratio: number;
} {
  const [mine, theirs] = [quantile(ours, 0.5), quantile(floor, 0.5)];
  return { ours_p50_ms: round(mine, 3), floor_p50_ms: round(theirs, 3), ratio: round(mine / theirs) };
}

/** Milliseconds of this process's CPU that some work took. */
export async function cpuMs(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
