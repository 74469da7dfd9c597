import { expect, test } from "vitest";
import { silentLogger } from "../logger.ts";
import { createReadQueue, toReadsAtOnce } from "./read-queue.ts";

test("by default one processor is left for turns, and one file is always read", () => {
  expect([1, 2, 8].map((processors) => toReadsAtOnce(0, processors))).toEqual([1, 1, 7]);
  expect(toReadsAtOnce(3, 2)).toBe(3);
});

test("no more files are read at once than is set, and a user with many waits behind one with few", async () => {
  const queue = createReadQueue({ atOnce: 2, logger: silentLogger });
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const add = (userId: string, name: string): void =>
    void queue.add(userId, () => {
      begun.push(name);
      return new Promise((resolve) => ends.push(resolve));
    });
  for (const name of ["a1", "a2", "a3"]) add("a", name);
  add("b", "b1");
  expect(begun).toEqual(["a1", "a2"]);
  ends.shift()?.();
  await expect.poll(() => begun).toEqual(["a1", "a2", "b1"]);
  while (begun.length < 4) {
    ends.shift()?.();
    await Promise.resolve();
  }
  expect(begun.at(-1)).toBe("a3");
  for (const end of ends) end();
  await queue.idle();
});
