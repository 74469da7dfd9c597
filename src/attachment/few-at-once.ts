/** Runs pieces of work in the order in which they came, no more than a few at once. */
export function createFewAtOnce(most: number): <Value>(work: () => Promise<Value>) => Promise<Value> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running === most) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      // Its place goes over to the next, so that nobody who comes now is faster.
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
