import { expect, test } from "vitest";
import { createFewAtOnce } from "./few-at-once.ts";

test("pieces of work are run in their order, a few at once, also after one that failed", async () => {
  const run = createFewAtOnce(2);
  const begun: number[] = [];
  const gates = [0, 1, 2, 3].map(() => Promise.withResolvers<void>());
  const done = gates.map(({ promise }, index) => run(async () => (begun.push(index), promise)));
  expect(begun).toEqual([0, 1]);
  gates[1]?.reject(new Error("broken"));
  await expect(done[1]).rejects.toThrow("broken");
  await expect.poll(() => begun).toEqual([0, 1, 2]);
  for (const { resolve } of gates) resolve();
  await Promise.allSettled(done);
  expect(begun).toEqual([0, 1, 2, 3]);
  expect(await run(async () => "free again")).toBe("free again");
});
