import { describe, expect, test } from "vitest";
import { sql } from "../../src/database/sql.ts";
import { invariant } from "../../src/outcome.ts";
import { target } from "../node.ts";
import { ask, at, desk, nodeWith, one, other, type Scene } from "./click-scene.ts";

async function runOut({ signIn, card }: Scene): Promise<void> {
  await at.database.query(
    sql`update confirmations set expires_at = clock_timestamp() where user_id = ${signIn.userId} and id = ${card.confirmationId}`,
  );
}

describe("a reload", () => {
  const states: readonly (readonly [state: string, name: string, become: (scene: Scene) => Promise<unknown>])[] = [
    ["waiting", "Bo", async () => undefined],
    ["confirmed", "Bo", (scene) => one.confirmations.confirm(scene.signIn.ref, target(scene.card))],
    ["failed", "bad luck", (scene) => one.confirmations.confirm(scene.signIn.ref, target(scene.card))],
    ["rejected", "Bo", (scene) => one.confirmations.reject(scene.signIn.ref, target(scene.card))],
    ["expired", "Bo", runOut],
    [
      "changed",
      "Bo",
      (scene) => {
        desk.setName(scene.signIn.userId, "Grace");
        return one.confirmations.confirm(scene.signIn.ref, target(scene.card));
      },
    ],
    ["unavailable", "Bo", async (scene) => scene.signIn.permissions.delete("desk.write")],
  ];
  test.each(states)(
    "of a card that is %s shows the same card with the same buttons, on every node",
    async (state, name, become) => {
      const scene = await ask(name);
      await become(scene);
      const { conversationId, messageId } = scene.card;
      const fresh = await nodeWith({});
      const seen = await Promise.all(
        [one, other, fresh].map(async (node) => {
          const read = await node.confirmations.cards(scene.signIn.ref, { conversationId, messageIds: [messageId] });
          invariant(read.ok, "its user reads the card");
          return { ...read.cards[messageId], expiresAt: null };
        }),
      );
      expect(seen[0]).toMatchObject({ state });
      expect(seen).toEqual([seen[0], seen[0], seen[0]]);
    },
  );
});
