import { expect, test } from "vitest";
import { createRemembered } from "./remembered.ts";

test("readers at the same time share one read", async () => {
  const remembered = createRemembered<number>({ keepMs: 1_000, most: 10, now: () => 0 });
  let reads = 0;
  const read = async (): Promise<number> => ++reads;
  expect(await Promise.all([remembered.get("a", read), remembered.get("a", read)])).toEqual([1, 1]);
});

test("the age of a value counts from the question, not from the answer", async () => {
  let time = 0;
  const remembered = createRemembered<number>({ keepMs: 1_000, most: 10, now: () => time });
  const slow = Promise.withResolvers<number>();
  const first = remembered.get("a", () => slow.promise);
  time = 1_000;
  slow.resolve(1);
  expect(await first).toBe(1);
  expect(await remembered.get("a", async () => 2)).toBe(2);
});

test("what is being read when all is forgotten is not kept", async () => {
  const remembered = createRemembered<number>({ keepMs: 1_000, most: 10, now: () => 0 });
  const slow = Promise.withResolvers<number>();
  const before = remembered.get("a", () => slow.promise);
  remembered.forget();
  const after = remembered.get("a", async () => 2);
  slow.resolve(1);
  expect(await Promise.all([before, after, remembered.get("a", async () => 3)])).toEqual([1, 2, 2]);
});

test("a read that failed is not kept", async () => {
  const remembered = createRemembered<number>({ keepMs: 1_000, most: 10, now: () => 0 });
  await expect(remembered.get("a", () => Promise.reject(new Error("gone")))).rejects.toThrow("gone");
  expect(await remembered.get("a", async () => 2)).toBe(2);
});

test("the memory is bounded: the value asked for longest ago leaves first", async () => {
  const remembered = createRemembered<number>({ keepMs: 1_000, most: 2, now: () => 0 });
  for (const [index, key] of ["a", "b", "c"].entries()) await remembered.get(key, async () => index);
  expect(await remembered.get("c", async () => 9)).toBe(2);
  expect(await remembered.get("a", async () => 9)).toBe(9);
});
