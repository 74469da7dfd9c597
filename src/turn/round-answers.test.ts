import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { readTurn } from "../../test/turns/turn-rows.ts";
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

describe("A call of the model that failed", () => {
  test("is a notice under its code, with its journal row", async () => {
    const scene = await scenes.open([
      { fail: { status: 401, body: { error: { message: "no", code: "invalid_api_key" } } } },
    ]);
    const turnId = await scene.start("Hi");
    await scene.node.turns.idle();
    expect(await scene.told()).toEqual(["user: Hi", "notice: auth_failed"]);
    expect(await readTurn(db.database, turnId)).toEqual({ how: "notice", rounds: 1, asked: true });
    const [row] = await db.database.query<{ linked: boolean }>(sql`
select a.status = 'error' as linked from messages m join ai_requests a on a.user_id = m.user_id and a.id = m.ai_request_id
where m.user_id = ${scene.userId} and m.role = 'notice'`);
    expect(row).toEqual({ linked: true });
  });

  test("by the guard's refusal has no journal row at its notice", async () => {
    const bills = createBills();
    const scene = await scenes.open([find("7")], { modules: [bills.module] });
    bills.find = () => scene.node.settings.setSite({ aiOn: false });
    await scene.ask("Hi");
    const rows = await db.database.query(sql`
select ai_request_id from messages where user_id = ${scene.userId} and role = 'notice'`);
    expect(rows).toEqual([{ ai_request_id: null }]);
  });

  test("in mid-stream leaves nothing of its text in the chat", async () => {
    const scene = await scenes.open([
      { text: ["Half an ", "answer"], breakWith: { message: "overloaded", code: 529 } },
    ]);
    await scene.ask("Hi");
    expect(await scene.told()).toEqual(["user: Hi", expect.stringMatching(/^notice: /)]);
  });
});

describe("An answer", () => {
  test("is stored under the id its call was attributed to, with model, tokens, cost, latency and journal row", async () => {
    const scene = await scenes.open([{ text: "Hello.", usage: { input: 1_000, output: 100 } }]);
    await scene.ask("Hi");
    const rows = await db.database.query(sql`
select m.model, m.input_tokens, m.output_tokens, m.cost_micros::int as cost, m.latency_ms is not null as timed, a.message_id = m.id as attributed,
  a.turn_id = m.turn_id as of_turn
from messages m join ai_requests a on a.user_id = m.user_id and a.id = m.ai_request_id
where m.user_id = ${scene.userId} and m.role = 'assistant'`);
    expect(rows).toEqual([
      {
        model: "scripted",
        input_tokens: 1_000,
        output_tokens: 100,
        cost: 4_500,
        timed: true,
        attributed: true,
        of_turn: true,
      },
    ]);
  });

  test("that says nothing is an empty_answer notice and no answer", async () => {
    const scene = await scenes.open([{ text: " \n" }]);
    await scene.ask("Hi");
    expect(await scene.told()).toEqual(["user: Hi", "notice: empty_answer"]);
  });

  test("whose only call has no name is an empty answer: the call is not run, stored or sent back", async () => {
    const bills = createBills();
    const scene = await scenes.open([{ calls: [{ name: "  ", arguments: { id: "1" } }] }], { modules: [bills.module] });
    await scene.ask("Hi");
    expect(await scene.told()).toEqual(["user: Hi", "notice: empty_answer"]);
  });

  test("runs its named call though another has no name", async () => {
    const bills = createBills();
    const nameless = { name: "", arguments: { id: "1" } };
    const scene = await scenes.open([{ calls: [nameless, { name: "bills__find", arguments: { id: "2" } }] }, "Done."], {
      modules: [bills.module],
    });
    await scene.ask("Hi");
    expect(bills.reads).toEqual(["2"]);
    const sent = scene.model.requests[1]?.options.prompt.at(-2)?.content;
    expect(sent).toHaveLength(1);
  });

  test("that was cut off is stored with its calls, each not run; the turn goes on once", async () => {
    const bills = createBills();
    const scene = await scenes.open([{ ...find("7"), text: "I will", finish: "cut" }, "Shorter."], {
      modules: [bills.module],
    });
    const turnId = await scene.start("Hi");
    await scene.node.turns.idle();
    expect(await scene.told()).toEqual([
      "user: Hi",
      "assistant: I will [bills.find]",
      expect.stringMatching(/^tool denied: Not run, cut off/),
      "assistant: Shorter.",
    ]);
    expect(bills.reads).toEqual([]);
    expect(await readTurn(db.database, turnId)).toEqual({ how: "answer", rounds: 2, asked: true });
  });

  test("that was cut off the second time running ends the turn: answer_truncated", async () => {
    const scene = await scenes.open([
      { text: "One", finish: "cut" },
      { text: "Two", finish: "cut" },
    ]);
    await scene.ask("Hi");
    expect(await scene.told()).toEqual(["user: Hi", "assistant: One", "assistant: Two", "notice: answer_truncated"]);
    const roles = scene.model.requests[1]?.options.prompt.map(({ role }) => role);
    expect(roles).toEqual(["system", "user", "assistant", "user"]);
  });

  test("that was cut off in the last round ends the turn: answer_truncated", async () => {
    const bills = createBills();
    const scene = await scenes.open([{ ...find("7"), text: "Half", finish: "cut" }], {
      ...{ modules: [bills.module], settings: { maxToolRounds: 1 } },
    });
    await scene.ask("Hi");
    expect((await scene.told()).slice(1)).toEqual([
      "assistant: Half [bills.find]",
      expect.stringMatching(/^tool denied: Not run, cut off/),
      "notice: answer_truncated",
    ]);
    expect(bills.reads).toEqual([]);
  });

  test("that was cut off again, but not the time after, goes on", async () => {
    const bills = createBills();
    const cut = { text: "Half", finish: "cut" } as const;
    const scene = await scenes.open([cut, find("1"), cut, "Whole."], { modules: [bills.module] });
    await scene.ask("Hi");
    expect((await scene.told()).at(-1)).toBe("assistant: Whole.");
  });

  test("that the provider paused is gone on from", async () => {
    const scene = await scenes.open([{ text: "One moment.", finish: "pause" }, "Here."]);
    await scene.ask("Hi");
    expect(await scene.told()).toEqual(["user: Hi", "assistant: One moment.", "assistant: Here."]);
  });
});
