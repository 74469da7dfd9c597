import { setTimeout as pause } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { invariant } from "../../src/outcome.ts";
import { findBroken } from "./invariants.ts";
import type { NodeProcess } from "./node-process.ts";
import { deathPoints, type DeathPoint, type Mistake } from "./node-setup.ts";
import { openOfficeWorld, type OfficeWorld } from "./office-world.ts";
import { askForCard, click, makeChat, say, untilFree } from "./scene.ts";
import { allMishaps, tellStory } from "./story.ts";
import { createWitness, type Witness } from "./witness.ts";

// `COUNTERSIGN_SEED` tells the same story again; `npm run test:faults` tells longer ones.
const seed = Number(process.env["COUNTERSIGN_SEED"] ?? Date.now() % 1_000_000);

let world: OfficeWorld;
afterEach(() => world?.close());

const clicked: ReadonlySet<DeathPoint> = new Set([
  "before the spend",
  "after the spend",
  "in the handler",
  "after the handler's end",
  "before the notice",
  "after the notice",
]);

test(
  "a node that dies at any moment leaves no turn open, no outcome untold, and nothing done twice",
  { timeout: 120_000 },
  async () => {
    world = await openOfficeWorld();
    const witness = createWitness();
    const living = await world.startNode();

    async function dieAt(point: DeathPoint): Promise<void> {
      const [as] = await world.hire(`somebody ${point}`, 1);
      invariant(as !== undefined, "somebody has a sign-in");
      const doomed = await world.startNode({ death: { point, nth: 1 } });
      if (clicked.has(point)) {
        const card = await askForCard(living, as, "#1 rename: slow-a");
        witness.clicks.add(card.confirmationId);
        await click(doomed, as, { card });
        await isGone(doomed, point);
        // The same click again, elsewhere.
        await click(living, as, { card });
      } else {
        const conversationId = await makeChat(living, as);
        await say(doomed, { as, conversationId, text: "#2 look and rename: plain-b" });
      }
      await isGone(doomed, point);
    }
    // Some at a time: each is a process.
    for (let from = 0; from < deathPoints.length; from += 3) {
      await Promise.all(deathPoints.slice(from, from + 3).map(dieAt));
    }
    expect(await findBroken({ ...quiet(witness), calm: false })).toEqual([]);
    expect(world.handlers().map(({ node }) => node)).not.toHaveLength(0);
  },
);

test(
  `people on nodes that die, stand still and lose their database find every promise kept (seed ${seed})`,
  { timeout: 120_000 },
  async () => {
    const { problems, seen } = await tellStory({ seed, seconds: 15, nodes: 2, people: 3, mishaps: allMishaps });
    expect(problems).toEqual([]);
    expect(seen.get("messages stored")).toBeGreaterThan(20);
  },
);

/** Each mistake on purpose, what it takes to see it, and the rule that it breaks. */
const caught: Readonly<Record<Mistake, { readonly rule: string; happen(witness: Witness): Promise<void> }>> = {
  "spend after the handler": {
    rule: "a write ran 2 times",
    async happen(witness) {
      const [living, as] = await livingWith("ada");
      const card = await askForCard(living, as, "#1 rename: plain-a");
      witness.clicks.add(card.confirmationId);
      const wrong = await world.startNode({
        mistake: "spend after the handler",
        death: { point: "in the handler", nth: 1 },
      });
      await click(wrong, as, { card });
      await isGone(wrong, "its mistake");
      await untilFree(() => click(living, as, { card }));
    },
  },
  "no fence": {
    rule: "a message was stored after its turn had ended",
    async happen() {
      const [living, as] = await livingWith("ada");
      const conversationId = await makeChat(living, as);
      const wrong = await world.startNode({ mistake: "no fence" });
      await say(wrong, { as, conversationId, text: "#1 look slowly" });
      wrong.signal("SIGSTOP");
      await untilFree(() => living.ask("POST", `/conversations/${conversationId}/open`, { as }));
      await say(living, { as, conversationId, text: "#2 talk" });
      wrong.signal("SIGCONT");
      await answered("#1");
    },
  },
  "notice before the spend": {
    rule: "a card's notice says what its row does not",
    async happen(witness) {
      const [living, as] = await livingWith("ada");
      const card = await askForCard(living, as, "#1 rename: plain-a");
      witness.clicks.add(card.confirmationId);
      const death = { point: "before the spend", nth: 1 } as const;
      const wrong = await world.startNode({ mistake: "notice before the spend", death });
      await click(wrong, as, { card });
      await isGone(wrong, "its mistake");
    },
  },
  "keeping stopped": {
    rule: "a turn was interrupted though its node lived",
    async happen() {
      const [living, as] = await livingWith("ada");
      const conversationId = await makeChat(living, as);
      const wrong = await world.startNode({ mistake: "keeping stopped" });
      await say(wrong, { as, conversationId, text: "#1 talk very slowly" });
      await answered("#1");
    },
  },
};

test.for(Object.entries(caught))(
  "a node built with %s is found out",
  { timeout: 60_000 },
  async ([, { rule, happen }]) => {
    world = await openOfficeWorld();
    const witness = createWitness();
    await happen(witness);
    const problems = await findBroken({ ...quiet(witness), calm: true });
    expect(problems.filter((problem) => problem.startsWith(rule))).not.toHaveLength(0);
  },
);

async function livingWith(userId: string): Promise<readonly [NodeProcess, string]> {
  const [as] = await world.hire(userId, 1);
  invariant(as !== undefined, "somebody has a sign-in");
  return [await world.startNode(), as];
}

/** A node that never came to its death would wait for ever. */
async function isGone(node: NodeProcess, point: string): Promise<void> {
  const late = new Promise<never>((_resolve, reject) => {
    setTimeout(() => reject(new Error(`a node never came to ${point}`)), 20_000).unref();
  });
  await Promise.race([node.gone, late]);
}

/** Waits until the model has answered a question, and a moment for what its node does then. */
async function answered(tag: string): Promise<void> {
  while (!world.modelCalls().some((line) => `#${line.tag}` === tag && line.what === "answered")) await pause(50);
  await pause(500);
}

function quiet(witness: Witness): Omit<Parameters<typeof findBroken>[0], "calm"> {
  return { world, witness, secret: "planted", openAll: async () => {} };
}
