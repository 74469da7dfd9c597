import { describe, expect, test } from "vitest";
import { v7 as uuid } from "uuid";
import type { Database } from "../../src/database/database.ts";
import { invariant } from "../../src/outcome.ts";
import { askForWrite, startNode, target } from "../node.ts";
import { at, desk, one, ask, look, started } from "./click-scene.ts";

describe("what a card shows", () => {
  test("a waiting card shows its preview and the arguments that will run; a settled one neither", async () => {
    const scene = await ask();
    expect(await look(scene)).toMatchObject({
      state: "waiting",
      title: "Rename the record",
      arguments: '{\n  "name": "Bo"\n}',
      preview: { title: "Rename to Bo", changes: [{ label: "Name", before: "Ada", after: "Bo" }], warnings: [] },
      cut: false,
      repeatable: false,
      rejectable: true,
    });
    await one.confirmations.confirm(scene.signIn.ref, target(scene.card));
    expect(await look(scene)).toMatchObject({
      state: "confirmed",
      preview: null,
      arguments: null,
      expiresAt: null,
      rejectable: false,
    });
  });

  test("a long card is cut on a page, and whole when it is asked for alone", async () => {
    const scene = await ask("x".repeat(10_000));
    const cut = await look(scene);
    expect(cut.cut).toBe(true);
    expect(cut.arguments?.length).toBe(one.settings.fixed.cardChars);
    const whole = await one.confirmations.card(scene.signIn.ref, scene.card);
    invariant(whole.ok, "its user reads the card");
    expect(whole.card.cut).toBe(false);
    expect(whole.card.preview?.changes[0]?.after).toBe("x".repeat(10_000));
  });

  test("a page of fifty cards is one query a room, as a page of one", async () => {
    const scene = await ask();
    const { conversationId, messageId } = scene.card;
    const messageIds = [messageId];
    for (let index = 1; index < 50; index++) {
      const args = JSON.stringify({ name: `Bo ${index}` });
      const asked = { ref: scene.signIn.ref, conversationId, tool: "desk.rename", args };
      messageIds.push((await askForWrite(one, asked)).messageId);
    }
    const texts: string[] = [];
    const counted: Database = {
      ...at.database,
      query: (statement) => {
        texts.push(statement.text);
        return at.database.query(statement);
      },
    };
    const node = await startNode({ connectionString: "", desk, database: counted });
    started.push(node);
    const read = async (ids: readonly string[]) => {
      await node.settings.site();
      texts.length = 0;
      const answer = await node.confirmations.cards(scene.signIn.ref, { conversationId, messageIds: ids });
      expect(answer.ok && Object.values(answer.cards).filter((card) => card.state === "waiting")).toHaveLength(
        ids.length,
      );
      return [/from messages/i, /from confirmations/i].map((room) => texts.filter((text) => room.test(text)).length);
    };
    expect(await read(messageIds)).toEqual([1, 1]);
    expect(await read([messageId])).toEqual([1, 1]);
  });

  test("ids of messages that are no cards of the chat are left out", async () => {
    const scene = await ask();
    const { conversationId } = scene.card;
    const read = await one.confirmations.cards(scene.signIn.ref, {
      conversationId,
      messageIds: [uuid(), "no id", scene.card.messageId],
    });
    expect(read.ok && Object.keys(read.cards)).toEqual([scene.card.messageId]);
    expect(await one.confirmations.card(scene.signIn.ref, { conversationId, messageId: uuid() })).toEqual({
      ok: false,
      reason: "not_waiting",
    });
  });
});
