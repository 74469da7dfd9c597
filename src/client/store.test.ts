import { expect, test } from "vitest";
import { patient } from "../../test/patient.ts";
import { createStore } from "./store.ts";

function heardBy(store: { subscribe(listener: () => void): () => void; getSnapshot(): number }): number[] {
  const heard: number[] = [];
  store.subscribe(() => heard.push(store.getSnapshot()));
  return heard;
}

test("changes told soon are told together, and until then the snapshot stays what was told", async () => {
  const store = createStore(0, 1);
  const heard = heardBy(store);
  for (let index = 0; index < 50; index += 1) store.updateSoon((value) => value + 1);
  expect(store.get()).toBe(50);
  expect(store.getSnapshot()).toBe(0);
  await expect.poll(() => heard, patient).toEqual([50]);
});

test("a change told at once takes along what was to be told soon", () => {
  const store = createStore(0, 1);
  const heard = heardBy(store);
  store.updateSoon((value) => value + 1);
  store.update((value) => value + 1);
  expect(heard).toEqual([2]);
});

test("a change that changes nothing is not told", () => {
  const store = createStore(0, 1);
  const heard = heardBy(store);
  store.update((value) => value);
  expect(heard).toEqual([]);
});
