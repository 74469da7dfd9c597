import { expect, test } from "vitest";
import { deathPoints, type DeathPoint } from "./node-setup.ts";
import { askForCard, brokenIn, click, hireOne, inScene, isGone, makeChat, say, type Scene } from "./scene.ts";
import { allMishaps, tellStory } from "./story.ts";

// `COUNTERSIGN_SEED` tells the same story again; `npm run test:faults` tells longer ones.
const seed = Number(process.env["COUNTERSIGN_SEED"] ?? Date.now() % 1_000_000);
const limits = { timeout: 180_000 };

const ofClicks: ReadonlySet<DeathPoint> = new Set([
  "before the spend",
  "after the spend",
  "in the handler",
  "after the handler's end",
  "before the notice",
  "after the notice",
]);

/** A node dies at a moment of a turn or of a click; what was clicked is clicked again elsewhere. */
async function dieAt({ world, living, witness }: Scene, point: DeathPoint): Promise<void> {
  const as = await hireOne(world, `somebody ${point}`);
  const doomed = await world.startNode({ death: { point, nth: 1 } });
  if (ofClicks.has(point)) {
    const card = await askForCard(living, as, "#1 rename: slow-a");
    witness.clicks.add(card.confirmationId);
    await click(doomed, as, { card });
    await isGone(doomed);
    await click(living, as, { card });
  } else {
    const conversationId = await makeChat(living, as);
    await say(doomed, { as, conversationId, text: "#2 look and rename: plain-b" });
    await isGone(doomed);
  }
}

test("a node that dies at any moment leaves no turn open, no outcome untold, and nothing done twice", limits, () =>
  inScene(async (scene) => {
    const left = [...deathPoints];
    const dieOneAfterAnother = async (): Promise<void> => {
      for (let point = left.pop(); point !== undefined; point = left.pop()) await dieAt(scene, point);
    };
    await Promise.all([dieOneAfterAnother(), dieOneAfterAnother(), dieOneAfterAnother()]);
    expect(await brokenIn(scene, { calm: false })).toEqual([]);
    expect(scene.world.handlers().length).toBeGreaterThan(0);
  }),
);

test(
  `people on nodes that die, stand still and lose their database find every promise kept (seed ${seed})`,
  limits,
  async () => {
    const { problems, seen } = await tellStory({ seed, seconds: 15, nodes: 2, people: 3, mishaps: allMishaps });
    expect(problems).toEqual([]);
    expect(seen.get("messages stored")).toBeGreaterThan(20);
  },
);
