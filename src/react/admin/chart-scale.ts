/** The top of an axis: the smallest plain number that holds every value and whose half is plain too, or whole for counts. */
export function toTop(values: readonly number[], { areCounts }: { readonly areCounts: boolean }): number {
  const most = Math.max(0, ...values);
  if (most === 0) return areCounts ? 2 : 1;
  const power = 10 ** Math.floor(Math.log10(most));
  const steps = areCounts && power < 10 ? [2, 4, 6, 10] : [1, 2, 4, 5, 6, 8, 10];
  const step = steps.find((one) => one * power >= most) ?? 10;
  return step * power;
}

/** Which of many days are written under an axis: the first, the last, and as many between as there is room for. */
export function toLabelled(count: number, width: number): ReadonlySet<number> {
  if (count <= 1) return new Set([0]);
  const most = Math.max(2, Math.min(count, Math.floor(width / 90)));
  return new Set(Array.from({ length: most }, (_, index) => Math.round((index * (count - 1)) / (most - 1))));
}
