import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
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

describe("The calls of an answer", () => {
  test("of names that were not shown never reach a tool, and are denied with those that exist", async () => {
    const bills = createBills();
    const calls = ["bills.find", "bills__finds", "constructor", "$READ FILE.now"].map((name) => ({
      name,
      arguments: { id: "1" },
    }));
    const scene = await scenes.open([{ calls }, "Sorry."], { modules: [bills.module] });
    const stored = await scene.ask("Hi");
    expect(bills.reads).toEqual([]);
    expect(stored.filter(({ role }) => role === "tool").map(({ status }) => status)).toEqual(Array(4).fill("denied"));
    expect(stored[1]?.calls.map(({ name }) => name)).toEqual([
      "bills_find",
      "bills__finds",
      "constructor",
      "_READ_FILE_now",
    ]);
  });

  test("past the tenth are denied; every call has one result, in the order of the calls, when it is sent back", async () => {
    const bills = createBills();
    const calls = Array.from({ length: 12 }, (_, n) => ({ name: "bills__find", arguments: { id: `${n}` } }));
    const scene = await scenes.open([{ calls }, "Done."], { modules: [bills.module] });
    await scene.ask("Hi");
    expect(bills.reads).toEqual(["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"]);
    const prompt = scene.model.requests[1]?.options.prompt ?? [];
    const asked = prompt.flatMap((message) =>
      message.role === "assistant"
        ? message.content.map((part) => (part.type === "tool-call" ? part.toolCallId : ""))
        : [],
    );
    const answered = prompt.flatMap((message) =>
      message.role === "tool"
        ? message.content.map((part) => (part.type === "tool-result" ? part.toolCallId : ""))
        : [],
    );
    expect(asked).toHaveLength(12);
    expect(answered).toEqual(asked);
    expect(new Set(asked.map((id) => /^[a-zA-Z0-9]{9}$/.test(id)))).toEqual(new Set([true]));
  });

  test("past the hundredth are dropped: not run, stored or sent back", async () => {
    const bills = createBills();
    const calls = Array.from({ length: 130 }, (_, n) => ({ name: "bills__find", arguments: { id: `${n}` } }));
    const scene = await scenes.open([{ calls }, "Done."], { modules: [bills.module] });
    const stored = await scene.ask("Hi");
    expect(bills.reads).toHaveLength(10);
    expect(stored[1]?.calls).toHaveLength(100);
    expect(stored.filter(({ role }) => role === "tool")).toHaveLength(100);
    const sent = scene.model.requests[1]?.options.prompt.findLast(({ role }) => role === "tool");
    expect(sent?.content).toHaveLength(100);
  });

  test("run one after another, each result stored before the next call begins", async () => {
    const bills = createBills();
    const seen: (readonly string[])[] = [];
    const scene = await scenes.open([{ calls: [find("1"), find("2")].flatMap(({ calls = [] }) => calls) }, "Done."], {
      modules: [bills.module],
    });
    bills.find = async (id) => {
      seen.push((await scene.told()).slice(1));
      return id;
    };
    await scene.ask("Hi");
    expect(seen).toEqual([
      ["assistant:  [bills.find, bills.find]"],
      ["assistant:  [bills.find, bills.find]", "tool ok: 1"],
    ]);
  });

  test("have results cut to their limit at a character boundary", async () => {
    const bills = createBills();
    bills.find = () => "😀".repeat(6_000);
    const scene = await scenes.open([find("1"), "Done."], { modules: [bills.module] });
    const stored = await scene.ask("Hi");
    const result = stored.find(({ role }) => role === "tool")?.result ?? "";
    expect(result.length).toBeLessThanOrEqual(8_000);
    expect(result).toMatch(/^(?:😀)+\n\[\d+ more characters were left out\]$/u);
  });

  test("that fail are results the model reads, and the turn goes on", async () => {
    const bills = createBills();
    bills.find = () => {
      throw new Error("the secret is 4711");
    };
    const bad = { name: "bills__find", arguments: '{"id": 5}' };
    const broken = { name: "bills__find", arguments: '{"id": "' };
    const scene = await scenes.open([{ calls: [...(find("1").calls ?? []), bad, broken] }, "Sorry."], {
      modules: [bills.module],
    });
    const stored = await scene.ask("Hi");
    const results = stored.filter(({ role }) => role === "tool");
    expect(results.map(({ status }) => status)).toEqual(["error", "error", "error"]);
    expect(results.map(({ result }) => /\((\w+)\)/.exec(result ?? "")?.[1])).toEqual([
      "handler_failed",
      "invalid_input",
      "invalid_input",
    ]);
    expect(JSON.stringify(stored)).not.toContain("4711");
  });
});
