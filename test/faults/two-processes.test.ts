import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openOfficeWorld, type OfficeWorld } from "./office-world.ts";
import { askForCard, click, hireOne, isTold } from "./scene.ts";

let world: OfficeWorld;
beforeAll(async () => {
  world = await openOfficeWorld();
}, 60_000);
afterAll(() => world.close());

test("fifty confirms of one card at once from two processes run its handler once", { timeout: 90_000 }, async () => {
  const nodes = [await world.startNode(), await world.startNode()] as const;
  const [one, other] = nodes;
  const as = await hireOne(world, "ada");
  const name = `slow-${randomUUID().slice(0, 8)}`;
  const card = await askForCard(one, as, `#1 rename: ${name}`);
  await Promise.all(Array.from({ length: 50 }, (_, index) => click(index % 2 === 0 ? one : other, as, { card })));
  expect(world.handlers().filter((run) => run.name === name)).toHaveLength(1);
  expect(await isTold(other, as, card)).toBe(true);
});
