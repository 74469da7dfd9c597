import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { readTurn } from "../../test/turns/turn-rows.ts";
import { createBills } from "../testing/bills.ts";
import type { ScriptedCall } from "../testing/scripted-model.ts";
import { createTestDatabase, type TestDatabase } from "../testing/test-database.ts";
import { createTurnScenes, type TurnScene } from "../testing/turn-scene.ts";

let db: TestDatabase;
const scenes = createTurnScenes(() => db.connectionString);
beforeAll(async () => {
  db = await createTestDatabase();
});
afterEach(() => scenes.close());
afterAll(() => db.drop());

const call = (name: "find" | "pay" | "drop", id: string, given: Partial<ScriptedCall> = {}): ScriptedCall => ({
  name: `bills__${name}`,
  arguments: { id },
  ...given,
});

async function newestCard({ node, ref, conversationId }: TurnScene): Promise<string> {
  const waiting = await node.confirmations.waitingCards(ref, { conversationId });
  const messageId = waiting.ok ? waiting.messages.at(-1)?.id : undefined;
  if (messageId === undefined) throw new Error("no card waits");
  return messageId;
}

async function click(scene: TurnScene, how: "confirm" | "reject"): Promise<void> {
  const { node, ref, conversationId } = scene;
  const messageId = await newestCard(scene);
  const clicked = await node.confirmations[how](ref, {
    ...{ conversationId, messageId, requestContext: { requestId: randomUUID() } },
  });
  if (!clicked.ok) throw new Error(clicked.reason);
}

describe("A write the model asks for", () => {
  test("is never run by the turn: it becomes a card, and the turn ends with it", async () => {
    const bills = createBills();
    const scene = await scenes.open([{ text: "I will pay it.", calls: [call("pay", "7")] }], {
      modules: [bills.module],
    });
    const turnId = await scene.start("Pay 7.");
    await scene.node.turns.idle();
    expect(await scene.told()).toEqual(["user: Pay 7.", "assistant: I will pay it. [bills.pay]", "card: bills.pay"]);
    expect(bills.writes).toEqual([]);
    expect(await readTurn(db.database, turnId)).toEqual({ how: "card", rounds: 1, asked: true });
    scene.model.assertUsedUp();
  });

  test("leaves no arguments, preview or code in its card", async () => {
    const bills = createBills();
    const scene = await scenes.open([{ calls: [call("pay", "the-secret-7")] }], { modules: [bills.module] });
    const stored = await scene.ask("Pay it.");
    expect(JSON.stringify(stored.at(-1))).not.toContain("the-secret-7");
    expect(stored.at(-1)).toMatchObject({
      status: "needs_confirmation",
      assistantMessageId: stored[1]?.id,
      callId: stored[1]?.calls[0]?.id,
    });
    expect(stored.at(-1)?.confirmationId).not.toBeNull();
  });

  test("whose dry run is refused is a result the model reads, and the turn goes on", async () => {
    const bills = createBills();
    bills.beforePreview = () => Promise.reject(new Error("no such bill"));
    const scene = await scenes.open([{ calls: [call("pay", "7")] }, "There is no bill 7."], {
      modules: [bills.module],
    });
    await scene.ask("Pay 7.");
    expect((await scene.told()).slice(2)).toEqual([
      expect.stringMatching(/^tool error: Not held \(preview_failed\)/),
      "assistant: There is no bill 7.",
    ]);
  });

  test("in a module whose box is off is not shown, and so not held", async () => {
    const bills = createBills();
    const scene = await scenes.open([{ calls: [call("pay", "7")] }, "I cannot."], { modules: [bills.module] });
    await scene.node.settings.setSite({ "module:bills:writes": false });
    await scene.ask("Pay 7.");
    expect((await scene.told())[2]).toMatch(/^tool denied: Not run: there is no tool of this name here/);
  });
});

describe("In one answer", () => {
  test("reads before the write run, and what comes after it is denied, in the turn's last statement", async () => {
    const bills = createBills();
    const calls = [call("find", "1"), call("pay", "2"), call("find", "3"), call("drop", "4")];
    const scene = await scenes.open([{ calls }], { modules: [bills.module] });
    const statements = scene.node.statements;
    await scene.start("Do it.");
    await scene.node.turns.idle();
    expect((await scene.told()).slice(2)).toEqual([
      'tool ok: {"id":"1"}',
      "tool denied: Not run: the change before it is held for confirmation, and the turn ends with it.",
      expect.stringMatching(/^tool denied: Not run: confirm the earlier change first/),
      "card: bills.pay",
    ]);
    expect(bills.reads).toEqual(["1"]);
    const storing = statements.filter((text) => text.includes("insert into messages") && text.includes("recordset"));
    expect(storing).toHaveLength(3);
    expect(storing.at(-1)).toContain("delete from locks");
  });

  test("a second write may still be held where the first one could not", async () => {
    const bills = createBills();
    let tries = 0;
    bills.beforePreview = () => (tries++ === 0 ? Promise.reject(new Error("no")) : undefined);
    const scene = await scenes.open([{ calls: [call("pay", "1"), call("drop", "2")] }], { modules: [bills.module] });
    await scene.ask("Do it.");
    expect((await scene.told()).slice(2)).toEqual([expect.stringMatching(/preview_failed/), "card: bills.drop"]);
  });

  test("a write whose provider's id another call bears is denied", async () => {
    const bills = createBills();
    const calls = [call("find", "1", { id: "call_0" }), call("pay", "2", { id: "call_0" })];
    const scene = await scenes.open([{ calls }, "I will ask again."], { modules: [bills.module] });
    await scene.ask("Do it.");
    expect(await scene.told()).toContain(
      "tool denied: Not run: another call of this answer has the same id. Ask for one change at a time.",
    );
    expect((await scene.told()).some((line) => line.startsWith("card"))).toBe(false);
  });

  test("writes without an id of the provider's share none", async () => {
    const bills = createBills();
    const calls = [call("pay", "1", { id: "" }), call("find", "2", { id: "" })];
    const scene = await scenes.open([{ calls }], { modules: [bills.module] });
    await scene.ask("Do it.");
    expect((await scene.told()).at(-1)).toBe("card: bills.pay");
  });
});

describe("The same tool and arguments as a card that still waits", () => {
  test("are denied, however the arguments are written", async () => {
    const bills = createBills();
    const again = call("pay", "7", { arguments: '{ "id" : "\\u0037" }' });
    const scene = await scenes.open([{ calls: [call("pay", "7")] }, { calls: [again] }, "It waits for you."], {
      modules: [bills.module],
    });
    await scene.ask("Pay 7.");
    await scene.ask("Pay 7!");
    expect((await scene.told()).slice(3)).toEqual([
      "user: Pay 7!",
      "assistant:  [bills.pay]",
      expect.stringMatching(/^tool denied: Not run: already waiting for confirmation/),
      "assistant: It waits for you.",
    ]);
  });

  test("are held anew once that card was turned down", async () => {
    const bills = createBills();
    const scene = await scenes.open([{ calls: [call("pay", "7")] }, { calls: [call("pay", "7")] }], {
      modules: [bills.module],
    });
    await scene.ask("Pay 7.");
    await click(scene, "reject");
    await scene.ask("Do pay it.");
    expect((await scene.told()).filter((line) => line.startsWith("card"))).toHaveLength(2);
  });

  test("of another tool, or with other arguments, are held beside it", async () => {
    const bills = createBills();
    const scene = await scenes.open(
      [{ calls: [call("pay", "7")] }, { calls: [call("pay", "8")] }, { calls: [call("drop", "7")] }],
      { modules: [bills.module] },
    );
    for (const text of ["Pay 7.", "Pay 8.", "Drop 7."]) await scene.ask(text);
    expect((await scene.told()).filter((line) => line.startsWith("card"))).toHaveLength(3);
  });
});

describe("What became of a card reaches the model in the next turn's history", () => {
  async function nextResult(how: "confirm" | "reject" | null): Promise<readonly string[]> {
    const bills = createBills();
    const results: string[] = [];
    const scene = await scenes.open(
      [
        { calls: [call("pay", "7")] },
        ({ options }) => {
          for (const message of options.prompt) {
            if (message.role === "tool") results.push(JSON.stringify(message.content));
          }
          return "I see.";
        },
      ],
      { modules: [bills.module] },
    );
    await scene.ask("Pay 7.");
    if (how !== null) await click(scene, how);
    await scene.ask("And now?");
    expect(bills.writes).toEqual(how === "confirm" ? ["pay 7"] : []);
    return results;
  }

  test.each([
    [null, "Waiting for the user"],
    ["confirm", "it was done"],
    ["reject", "turned this change down"],
  ] as const)("%s: %s", async (how, words) => {
    expect(await nextResult(how)).toEqual([expect.stringContaining(words)]);
  });
});
