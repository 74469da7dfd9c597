import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { readTurn } from "../../test/turns/turn-rows.ts";
import { sql } from "../database/sql.ts";
import { createBills } from "../testing/bills.ts";
import type { ScriptedAnswer } from "../testing/scripted-model.ts";
import { createTestDatabase, type TestDatabase } from "../testing/test-database.ts";
import { createTurnScenes, type TurnScene } from "../testing/turn-scene.ts";

let db: TestDatabase;
const scenes = createTurnScenes(() => db.connectionString);
beforeAll(async () => {
  db = await createTestDatabase();
});
afterEach(() => scenes.close());
afterAll(() => db.drop());

const find = (id: string): ScriptedAnswer => ({ calls: [{ name: "bills__find", arguments: { id } }] });

describe("Each round checks anew, and ends the turn with a notice of its own when", () => {
  test.each([
    ["the user signed out", "session_ended", null],
    ["the session was taken by somebody who acts in the user's name", "impersonated", { impersonatedBy: "somebody" }],
    ["the user may no longer use the assistant", "not_allowed", { can: () => false }],
    ["the sign-in names another user now", "session_ended", { userId: "somebody-else" }],
  ])("%s: %s", async (_rule, code, change) => {
    const bills = createBills();
    const scene = await scenes.open([find("7")], { modules: [bills.module] });
    bills.find = () => scene.sessions.set(scene.ref, change && { ...scene.session, ...change }) && "found";
    const turnId = await scene.start("Find 7.");
    await scene.node.turns.idle();
    expect((await scene.told()).slice(1)).toEqual(["assistant:  [bills.find]", "tool ok: found", `notice: ${code}`]);
    expect(await readTurn(db.database, turnId)).toMatchObject({ how: "notice" });
    scene.model.assertUsedUp();
  });

  test("the sign-in cannot be looked at: session_unavailable, which is no sign-out", async () => {
    const bills = createBills();
    const scene = await scenes.open([find("7")], { modules: [bills.module] });
    bills.find = () => scene.sessions.set(scene.ref, () => Promise.reject(new Error("down"))) && "found";
    await scene.ask("Find 7.");
    expect((await scene.told()).at(-1)).toBe("notice: session_unavailable");
  });

  test.each([
    ["sign-in is never looked up: session_unavailable", "session_unavailable", null],
    [
      "right to the assistant is never answered: not_allowed",
      "not_allowed",
      { can: () => new Promise<boolean>(() => {}) },
    ],
  ])("the %s", async (_rule, code, change) => {
    const bills = createBills();
    const scene = await scenes.open([find("7")], { modules: [bills.module], settings: { hostCallLimit: 100 } });
    const never = (): Promise<never> => new Promise(() => {});
    bills.find = () =>
      scene.sessions.set(scene.ref, change === null ? never : { ...scene.session, ...change }) && "found";
    await scene.ask("Find 7.");
    expect((await scene.told()).at(-1)).toBe(`notice: ${code}`);
  });

  test("the assistant was switched off: assistant_off", async () => {
    const bills = createBills();
    const scene = await scenes.open([find("7")], { modules: [bills.module] });
    bills.find = async () => {
      await scene.node.settings.setSite({ assistantOn: false });
      return "found";
    };
    await scene.ask("Find 7.");
    expect((await scene.told()).at(-1)).toBe("notice: assistant_off");
  });

  test("model calls were switched off: ai_off, a refusal in mid-turn", async () => {
    const bills = createBills();
    const scene = await scenes.open([find("7")], { modules: [bills.module] });
    bills.find = async () => {
      await scene.node.settings.setSite({ aiOn: false });
      return "found";
    };
    await scene.ask("Find 7.");
    expect((await scene.told()).at(-1)).toBe("notice: ai_off");
  });
});

describe("A deleted chat ends its turn quietly, with nothing more written and no further model call", () => {
  test.each(["inside a tool", "inside a model call", "while the session is looked at"])("deleted %s", async (where) => {
    const bills = createBills();
    const remove = async (): Promise<string> => {
      const { node, ref, conversationId } = scene;
      await node.chat.removeConversation(ref, { conversationId });
      return "found";
    };
    const scene = await scenes.open(
      [{ ...find("7"), ...(where === "inside a model call" && { before: () => remove() }) }],
      {
        modules: [bills.module],
      },
    );
    let checks = 0;
    if (where === "inside a tool") bills.find = remove;
    if (where === "while the session is looked at") {
      bills.find = () => {
        scene.sessions.set(scene.ref, async () => {
          if (checks++ === 0) {
            scene.sessions.set(scene.ref, scene.session);
            await remove();
          }
          return scene.session;
        });
        return "found";
      };
    }
    const turnId = await scene.start("Find 7.");
    await scene.node.turns.idle();
    scene.model.assertUsedUp();
    expect((await readTurn(db.database, turnId))?.how).not.toBeNull();
    const told = await scene.told();
    expect(told.filter((line) => line.startsWith("notice"))).toEqual([]);
    expect(bills.reads).toHaveLength(where === "inside a model call" ? 0 : 1);
  });
});

test("A chat that is deleted while its model pauses, with nothing said yet, gets no further model call", async () => {
  // Deleted without a word to the turn: what is left is the round's own look at the chat.
  const before = async (): Promise<void> => {
    await db.database.query(sql`
update conversations set deleted_at = clock_timestamp() where user_id = ${scene.userId}`);
  };
  const scene: TurnScene = await scenes.open([{ text: "", finish: "pause", before }]);
  const turnId = await scene.start("Hi");
  await scene.node.turns.idle();
  expect(scene.model.requests).toHaveLength(1);
  expect(await readTurn(db.database, turnId)).toMatchObject({ how: "chat_gone" });
});

describe("The tools of a round", () => {
  test("are those the session may see then: one whose right was lost is not offered, and a call of it is denied", async () => {
    const bills = createBills();
    const rights = new Set(["assistant.use", "bills.read"]);
    const scene = await scenes.open([find("1"), find("2"), "Sorry."], {
      modules: [bills.module],
      session: { can: (permission) => rights.has(permission) },
    });
    bills.find = () => rights.delete("bills.read");
    await scene.ask("Find them.");
    const offered = scene.model.requests.map(({ options }) => options.tools?.map((tool) => tool.name) ?? []);
    expect(offered).toEqual([["bills__find"], [], []]);
    expect(bills.reads).toEqual(["1"]);
    expect((await scene.told()).slice(3)).toEqual([
      "assistant:  [bills__find]",
      "tool denied: Not run: there is no tool of this name here. There are no tools.",
      "assistant: Sorry.",
    ]);
  });

  test("go out under names that every provider takes", async () => {
    const bills = createBills();
    const scene = await scenes.open(["Hello."], { modules: [bills.module] });
    await scene.ask("Hi");
    const names = scene.model.requests[0]?.options.tools?.map(({ name }) => name);
    expect(names).toEqual(["bills__drop", "bills__find", "bills__pay"]);
  });
});
