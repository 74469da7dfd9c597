import { expect, test } from "vitest";
import { toLabelled, toTop } from "./chart-scale.ts";

test("an axis ends at a plain number that holds every value", () => {
  const tops = [[], [0.03], [1], [3], [7, 2], [11], [240_001]].map((values) => toTop(values, { areCounts: false }));
  expect(tops.map((top) => Number(top.toPrecision(3)))).toEqual([1, 0.04, 1, 4, 8, 20, 400_000]);
});

test("half of an axis of counts is a count", () => {
  const tops = [[], [1], [2], [3], [5], [9], [11], [45]].map((values) => toTop(values, { areCounts: true }));
  expect(tops).toEqual([2, 2, 2, 4, 6, 10, 20, 50]);
});

test("the first and the last day are always written, and no more than there is room for", () => {
  expect([...toLabelled(1, 400)]).toEqual([0]);
  expect([...toLabelled(2, 10)]).toEqual([0, 1]);
  expect([...toLabelled(30, 360)]).toEqual([0, 10, 19, 29]);
  expect([...toLabelled(90, 100)]).toEqual([0, 89]);
});
