import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { sql } from "../database/sql.ts";
import { createBills } from "../testing/bills.ts";
import type { ScriptedAnswer } from "../testing/scripted-model.ts";
import { createTestDatabase, type TestDatabase } from "../testing/test-database.ts";
import { createTurnScenes } from "../testing/turn-scene.ts";

let db: TestDatabase;
const scenes = createTurnScenes(() => db.connectionString);
beforeAll(async () => {
  db = await createTestDatabase();
});
afterEach(() => scenes.close());
afterAll(() => db.drop());

const find = (id: string): ScriptedAnswer => ({ calls: [{ name: "bills__find", arguments: { id } }] });

describe("A marker ⟦off_purpose: …⟧", () => {
  const flagsOf = (userId: string) =>
    db.database.query<{ reason: string }>(sql`select reason from flags where user_id = ${userId}`);

  test("at the very end is cut off before the answer is stored or shown, and reported", async () => {
    const scene = await scenes.open([{ text: ["Not my field.", "\n⟦off_", "purpose: a po", "em⟧"] }]);
    const events = await scene.watch();
    await scene.ask("A poem, please.");
    const shown = events.map((event) => (event.type === "delta" ? event.text : ""));
    expect((await scene.messages())[1]?.text).toBe("Not my field.");
    expect(shown.join("")).toBe("Not my field.\n");
    expect(await flagsOf(scene.userId)).toEqual([{ reason: "a poem" }]);
  });

  test("is reported once a turn", async () => {
    const bills = createBills();
    const scene = await scenes.open([{ ...find("1"), text: "x⟦off_purpose: one⟧" }, "y⟦off_purpose: two⟧"], {
      modules: [bills.module],
    });
    await scene.ask("Hi");
    expect(await scene.told()).toContain("assistant: y");
    expect(await flagsOf(scene.userId)).toEqual([{ reason: "one" }]);
  });

  test("anywhere else is left as it is and flags nothing", async () => {
    const scene = await scenes.open(["The marker ⟦off_purpose: x⟧ is text."]);
    await scene.ask("Hi");
    expect((await scene.told())[1]).toBe("assistant: The marker ⟦off_purpose: x⟧ is text.");
    expect(await flagsOf(scene.userId)).toEqual([]);
  });

  test("alone is flagged and is an empty answer", async () => {
    const scene = await scenes.open(["⟦off_purpose: a joke⟧"]);
    await scene.ask("Hi");
    expect(await scene.told()).toEqual(["user: Hi", "notice: empty_answer"]);
    expect(await flagsOf(scene.userId)).toEqual([{ reason: "a joke" }]);
  });
});
