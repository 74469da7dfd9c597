import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { countRows, readTurn } from "../../test/turns/turn-rows.ts";
import { createBills } from "../testing/bills.ts";
import type { ScriptedStep } from "../testing/scripted-model.ts";
import { createTestDatabase, type TestDatabase } from "../testing/test-database.ts";
import { createTurnScenes } from "../testing/turn-scene.ts";
import type { PromptOptions } from "./system-prompt.ts";

let db: TestDatabase;
const scenes = createTurnScenes(() => db.connectionString);
beforeAll(async () => {
  db = await createTestDatabase();
});
afterEach(() => scenes.close());
afterAll(() => db.drop());

const pay: ScriptedStep = { calls: [{ name: "bills__pay", arguments: { id: "7" } }] };

describe("The end of a turn", () => {
  test.each([
    ["an answer", "Hello.", "assistant"],
    ["a card", pay, "tool"],
    ["a notice", { text: "" }, "notice"],
  ] as const)("%s, its end and the release of its lock are one statement", async (_end, step, role) => {
    const bills = createBills();
    const scene = await scenes.open([step, "Hello again."], { modules: [bills.module] });
    const { promise, resolve } = Promise.withResolvers<unknown>();
    let seen = 0;
    await scene.watch((event) => {
      // Whoever acts on what was just shown finds the lock free.
      if (event.type === "message" && event.message.role === role && seen++ === 0) resolve(scene.tryStart("Next"));
    });
    await scene.start("Hi");
    expect(await promise).toMatchObject({ ok: true });
    await scene.node.turns.idle();
    expect((await scene.told()).at(-1)).toBe("assistant: Hello again.");
  });

  test("that was stored, but whose answer was lost, stays as it is and is told to those who watch", async () => {
    let lost = 0;
    const after = {
      finish() {
        if (lost++ === 0) throw new Error("the connection was cut");
      },
    };
    const scene = await scenes.open(["Hello."], { after });
    const turnId = await scene.start("Hi");
    await scene.node.turns.idle();
    expect(await scene.told()).toEqual(["user: Hi", "assistant: Hello."]);
    expect(await readTurn(db.database, turnId)).toEqual({ how: "answer", rounds: 1, asked: true });
    expect(scene.node.chat.running(scene.userId, scene.conversationId)).toBeNull();
  });

  test("that the database refuses once is an interrupted notice by the monitor", async () => {
    let tries = 0;
    const before = {
      finish() {
        if (tries++ === 0) throw new Error("refused");
      },
    };
    const scene = await scenes.open(["Hello."], { before });
    await scene.ask("Hi");
    expect(await scene.told()).toEqual(["user: Hi", "notice: interrupted"]);
    expect(await countRows(db.database, scene.userId)).toEqual({ turns: 1, locks: 0, messages: 2 });
  });

  test("that the database refuses to the task and to the monitor is asked for once more", async () => {
    let tries = 0;
    const before = {
      finish() {
        if (tries++ < 2) throw new Error("the connection was cut");
      },
    };
    const scene = await scenes.open(["Hello."], { before });
    await scene.ask("Hi");
    expect(await scene.told()).toEqual(["user: Hi", "notice: interrupted"]);
    expect(await countRows(db.database, scene.userId)).toEqual({ turns: 1, locks: 0, messages: 2 });
  });

  test("that cannot be stored at all leaves the lock to lapse, and nobody keeps it", async () => {
    const before: { finish?: () => unknown } = { finish: () => Promise.reject(new Error("refused")) };
    const scene = await scenes.open(["Hello.", "Here."], {
      ...{ before, settings: { lockHold: 500, turnKeepMs: 100, clickKeepMs: 100 } },
    });
    const turnId = await scene.start("Hi");
    await scene.node.turns.idle();
    expect(await readTurn(db.database, turnId)).toMatchObject({ how: null });
    expect(await countRows(db.database, scene.userId)).toMatchObject({ locks: 1 });
    delete before.finish;
    await expect.poll(() => scene.tryStart("Again"), { timeout: 10_000 }).toMatchObject({ ok: true });
    await scene.node.turns.idle();
    expect(await scene.told()).toEqual(["user: Hi", "notice: interrupted", "user: Again", "assistant: Here."]);
  });
});

describe("A message that the database refuses", () => {
  test("ends the task; the log names fields and codes and never values; the monitor writes interrupted", async () => {
    const lines: string[] = [];
    const log = (fields: object, message: string): void => void lines.push(JSON.stringify([fields, message]));
    const bills = createBills();
    bills.find = () => "the secret is 4711";
    let stores = 0;
    const before = {
      store() {
        if (stores++ === 0) return;
        throw Object.assign(new Error("value 4711 of the row is bad"), {
          ...{ code: "22P02", detail: "Failing row contains (4711)", table: "messages", column: "tool_result" },
        });
      },
    };
    const scene = await scenes.open([{ calls: [{ name: "bills__find", arguments: { id: "1" } }] }], {
      ...{ modules: [bills.module], before, logger: { debug: log, info: log, warn: log, error: log } },
    });
    await scene.ask("Hi");
    expect(await scene.told()).toEqual(["user: Hi", "assistant:  [bills.find]", "notice: interrupted"]);
    const failed = lines.filter((line) => line.includes("store_failed"));
    expect(failed).toHaveLength(1);
    expect(failed[0]).toContain('"table":"messages","column":"tool_result"');
    expect(failed[0]).toContain("22P02");
    expect(lines.join("\n")).not.toContain("4711");
  });

  test("that is the question leaves nothing in the chat", async () => {
    const before = { storeQuestion: () => Promise.reject(new Error("refused")) };
    const scene = await scenes.open([], { before });
    const events = await scene.watch();
    const turnId = await scene.start("Hi");
    await scene.node.turns.idle();
    expect(await scene.told()).toEqual([]);
    expect(await readTurn(db.database, turnId)).toEqual({ how: "interrupted", rounds: 0, asked: false });
    expect(events.at(-1)).toEqual({ type: "turn_ended", turnId, how: "interrupted", asked: false });
  });
});

test("A task that throws ends as interrupted", async () => {
  const prompt: PromptOptions = {
    get replace(): never {
      throw new Error("a bug");
    },
  };
  const scene = await scenes.open([], { prompt });
  const turnId = await scene.start("Hi");
  await scene.node.turns.idle();
  expect(await readTurn(db.database, turnId)).toMatchObject({ how: "interrupted", asked: true });
  expect(await scene.told()).toEqual(["user: Hi", "notice: interrupted"]);
});
