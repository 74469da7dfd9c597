import { expect, test } from "vitest";
import type { Mistake } from "./node-setup.ts";
import {
  askForCard,
  brokenIn,
  click,
  inScene,
  isGone,
  makeChat,
  modelHas,
  say,
  type Scene,
  untilFree,
} from "./scene.ts";

// Nodes built wrongly on purpose: a run that finds nothing wrong with these would find nothing wrong with anything.

/** What it takes to see a mistake, and the rule that it breaks. */
interface Caught {
  readonly rule: string;
  happen(scene: Scene): Promise<void>;
}

const caught: Readonly<Record<Mistake, Caught>> = {
  "spend after the handler": {
    rule: "a write ran 2 times",
    async happen({ world, living, as, witness }) {
      const card = await askForCard(living, as, "#1 rename: plain-a");
      witness.clicks.add(card.confirmationId);
      const death = { point: "in the handler", nth: 1 } as const;
      const wrong = await world.startNode({ mistake: "spend after the handler", death });
      await click(wrong, as, { card });
      await isGone(wrong);
      await untilFree(() => click(living, as, { card }));
    },
  },
  "no fence": {
    rule: "a message was stored after its turn had ended",
    async happen(scene) {
      const { world, living, as } = scene;
      const conversationId = await makeChat(living, as);
      const wrong = await world.startNode({ mistake: "no fence" });
      await say(wrong, { as, conversationId, text: "#1 look slowly" });
      await modelHas(scene, "begun", "1");
      wrong.signal("SIGSTOP");
      await say(living, { as, conversationId, text: "#2 talk" });
      wrong.signal("SIGCONT");
      await modelHas(scene, "answered", "1");
    },
  },
  "notice before the spend": {
    rule: "a card's notice says what its row does not",
    async happen({ world, living, as, witness }) {
      const card = await askForCard(living, as, "#1 rename: plain-a");
      witness.clicks.add(card.confirmationId);
      const death = { point: "before the spend", nth: 1 } as const;
      const wrong = await world.startNode({ mistake: "notice before the spend", death });
      await click(wrong, as, { card });
      await isGone(wrong);
    },
  },
  "keeping stopped": {
    rule: "a turn was interrupted though its node lived",
    async happen(scene) {
      const { world, living, as } = scene;
      const conversationId = await makeChat(living, as);
      const wrong = await world.startNode({ mistake: "keeping stopped" });
      await say(wrong, { as, conversationId, text: "#1 talk very slowly" });
      await modelHas(scene, "answered", "1");
    },
  },
};

test.concurrent.for(Object.entries(caught))(
  "a node built with the mistake %s is found out",
  { timeout: 120_000 },
  ([, { rule, happen }]) =>
    inScene(async (scene) => {
      await happen(scene);
      const problems = await brokenIn(scene, { calm: true });
      expect(problems.filter((problem) => problem.startsWith(rule))).not.toHaveLength(0);
    }),
);
