import { expect, test } from "vitest";
import { deathPoints, type DeathPoint, type DeathSignal } from "./node-setup.ts";
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
async function dieAt(
  { world, living, witness }: Scene,
  { point, signal }: { readonly point: DeathPoint; readonly signal: DeathSignal },
): Promise<void> {
  const as = await hireOne(world, `somebody ${point}`);
  const doomed = await world.startNode({ death: { point, nth: 1, signal } });
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

/** One node after another, a few side by side, until each moment had its own. */
function expectNoHarmOfEach(signal: DeathSignal): Promise<void> {
  return inScene(async (scene) => {
    const left = [...deathPoints];
    const dieOneAfterAnother = async (): Promise<void> => {
      for (let point = left.pop(); point !== undefined; point = left.pop()) await dieAt(scene, { point, signal });
    };
    await Promise.all([dieOneAfterAnother(), dieOneAfterAnother(), dieOneAfterAnother()]);
    expect(await brokenIn(scene, { calm: false })).toEqual([]);
    expect(scene.world.handlers().length).toBeGreaterThan(0);
  });
}

test("a node that dies at any moment leaves no turn open, no outcome untold, and nothing done twice", limits, () =>
  expectNoHarmOfEach("SIGKILL"),
);

test("a node that is told to end at any moment ends, and leaves as little", limits, () =>
  expectNoHarmOfEach("SIGTERM"),
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
