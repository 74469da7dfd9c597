import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { readTurn } from "../../test/turns/turn-rows.ts";
import { sql } from "../database/sql.ts";
import { createBills } from "../testing/bills.ts";
import { createGate } from "../testing/gate.ts";
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

describe("A turn", () => {
  test("stores the question, each answer and each result, in their order, and ends with the last answer", async () => {
    const bills = createBills();
    const scene = await scenes.open(
      [{ ...find("7"), text: "Let me see." }, ({ results }) => `It says ${results.join()}`],
      { modules: [bills.module] },
    );
    const turnId = await scene.start("What is bill 7?");
    await scene.node.turns.idle();
    expect(await scene.told()).toEqual([
      "user: What is bill 7?",
      "assistant: Let me see. [bills.find]",
      'tool ok: {"id":"7"}',
      'assistant: It says {"id":"7"}',
    ]);
    expect(await readTurn(db.database, turnId)).toEqual({ how: "answer", rounds: 2, asked: true });
    scene.model.assertUsedUp();
  });

  test("reads the history once its lapsed cards are settled, and sends it before the question", async () => {
    const bills = createBills();
    const scene = await scenes.open(
      [{ text: "Paying.", calls: [{ name: "bills__pay", arguments: { id: "7" } }] }, "I see."],
      { modules: [bills.module] },
    );
    await scene.ask("Pay bill 7.");
    await db.database.query(sql`
update confirmations set expires_at = clock_timestamp() - interval '1 second' where user_id = ${scene.userId}`);
    await scene.ask("And?");
    expect((await scene.told()).slice(3)).toEqual(["user: And?", "notice: expired", "assistant: I see."]);
    const prompt = scene.model.requests[1]?.options.prompt ?? [];
    expect(prompt.map(({ role }) => role)).toEqual(["system", "user", "assistant", "tool", "assistant", "user"]);
    expect(JSON.stringify(prompt[3])).toContain("ran out");
  });

  test("reads a chat whose newest turn is larger than the window, and still sends its question", async () => {
    const bills = createBills();
    bills.find = () => "x".repeat(2_400);
    const scene = await scenes.open([find("1"), "March was good.", "Yes."], {
      modules: [bills.module],
      settings: { historyChars: 2_000 },
    });
    await scene.ask("How was March?");
    await scene.ask("Sure?");
    const prompt = JSON.stringify(scene.model.requests[2]?.options.prompt);
    expect(prompt).toContain("How was March?");
    expect(prompt).toContain("March was good.");
    expect(prompt).not.toContain("xxx");
  });

  test("sends the system prompt of its start in every round", async () => {
    const bills = createBills();
    const scene = await scenes.open([find("1"), "Done."], {
      modules: [bills.module],
      prompt: { instructions: "Speak of books." },
      session: { locale: "fr", timeZone: "Asia/Tokyo" },
    });
    await scene.node.settings.setUser(scene.userId, { instructions: "Be brief." });
    await scene.ask("Hi");
    const [first, second] = scene.model.requests.map(({ options }) => options.prompt[0]?.content);
    expect(first).toBe(second);
    for (const part of ["Fern Books", "Speak of books.", "> Be brief.", "or fr if", "Asia/Tokyo"]) {
      expect(first).toContain(part);
    }
  });
});

describe("A stored history that a provider would refuse", () => {
  test("heals itself: what is sent has a shape every provider takes, and the chat goes on", async () => {
    const scene = await scenes.open(["Hello.", "Still here."], { modules: [createBills().module] });
    await scene.ask("Hi");
    const { userId, conversationId } = scene;
    const broken: readonly (readonly [string, string])[] = [
      ["\n", "[]"],
      ["", '[{"id":"call_0","name":"x.y","arguments":"{\\"a\\":"}]'],
      ["Text", '[{"id":"call_0","name":"$BAD name","arguments":"[1]"},{"id":"call_0","name":"","arguments":"{}"},7]'],
      ["", '{"no":"list"}'],
    ];
    for (const [index, [text, calls]] of broken.entries()) {
      await db.database.query(sql`
insert into messages (user_id, id, conversation_id, seq, role, text, tool_calls)
values (${userId}, ${randomUUID()}::uuid, ${conversationId}::uuid, ${index + 3}::int, 'assistant', ${text}, ${calls}::jsonb)`);
    }
    await db.database.query(sql`
update conversations set last_seq = ${broken.length + 2}::int where user_id = ${userId}`);
    await scene.ask("Are you there?");
    expect((await scene.messages()).at(-1)?.text).toBe("Still here.");
    const prompt = scene.model.requests[1]?.options.prompt ?? [];
    const roles = prompt.map(({ role }) => role);
    expect(roles).toEqual(["system", "user", "assistant", "tool", "assistant", "tool", "assistant", "user"]);
    for (const message of prompt) expect(message.content.length).toBeGreaterThan(0);
  });
});

describe("What a turn of two model calls and one read costs", () => {
  test("is one storing statement a step, and no session load but those that rights ask for", async () => {
    const bills = createBills();
    const scene = await scenes.open([find("7"), "Done."], { modules: [bills.module] });
    let loads = 0;
    scene.sessions.set(scene.ref, async () => {
      loads++;
      return scene.session;
    });
    await scene.ask("Hi");
    const storing = scene.node.statements.filter((text) => /\b(locks|turns)\b/.test(text));
    const steps = storing.map((text) =>
      text.includes("insert into turns")
        ? "acquire"
        : text.includes("user_message_id =")
          ? "question"
          : text.includes("delete from locks")
            ? "finish"
            : "store",
    );
    expect(steps).toEqual(["acquire", "question", "store", "store", "finish"]);
    // The start, two for each round (may it go on, what may it see), and the read.
    expect(loads).toBe(6);
  });
});

describe("The last round", () => {
  test("still runs its reads; what is asked for after it is a round_limit notice", async () => {
    const bills = createBills();
    const scene = await scenes.open([find("1"), find("2")], {
      modules: [bills.module],
      settings: { maxToolRounds: 2 },
    });
    const turnId = await scene.start("Hi");
    await scene.node.turns.idle();
    expect(bills.reads).toEqual(["1", "2"]);
    expect((await scene.told()).slice(-3)).toEqual([
      "assistant:  [bills.find]",
      'tool ok: {"id":"2"}',
      "notice: round_limit",
    ]);
    expect(await readTurn(db.database, turnId)).toEqual({ how: "notice", rounds: 2, asked: true });
    scene.model.assertUsedUp();
  });

  test("may still hold a write", async () => {
    const bills = createBills();
    const scene = await scenes.open([{ calls: [{ name: "bills__pay", arguments: { id: "1" } }] }], {
      modules: [bills.module],
      settings: { maxToolRounds: 1 },
    });
    await scene.ask("Hi");
    expect((await scene.told()).slice(1)).toEqual(["assistant:  [bills.pay]", "card: bills.pay"]);
  });

  test("is the tenth unless a setting says otherwise", async () => {
    const bills = createBills();
    const scene = await scenes.open({ always: find("1") }, { modules: [bills.module] });
    await scene.ask("Hi");
    expect(scene.model.requests).toHaveLength(10);
    expect((await scene.told()).at(-1)).toBe("notice: round_limit");
  });
});

describe("A lock that is gone", () => {
  test.each(["inside a tool", "inside a model call"])("ends the turn without storing: %s", async (where) => {
    const bills = createBills();
    const gate = createGate();
    const take = async (): Promise<string> => {
      await db.database.query(sql`
update locks set token = ${randomUUID()}::uuid where user_id = ${scene.userId}`);
      gate.open();
      return "found";
    };
    const scene = await scenes.open([{ ...find("7"), ...(where === "inside a model call" && { before: take }) }], {
      modules: [bills.module],
    });
    if (where === "inside a tool") bills.find = take;
    await scene.start("Find 7.");
    await scene.node.turns.idle();
    expect(await scene.told()).toEqual(
      where === "inside a tool" ? ["user: Find 7.", "assistant:  [bills.find]"] : ["user: Find 7."],
    );
    expect(bills.reads).toHaveLength(where === "inside a tool" ? 1 : 0);
    scene.model.assertUsedUp();
  });
});

test("A turn that finds its lock gone lets go of its model call at once, and says nothing of stopping", async () => {
  const gate = createGate();
  const scene = await scenes.open([{ text: "Half", hang: true, before: gate.pass }], { settings: { turnKeepMs: 100 } });
  const events = await scene.watch();
  await scene.start("Hi");
  await gate.reached;
  gate.open();
  await db.database.query(sql`
update locks set token = ${randomUUID()}::uuid where user_id = ${scene.userId}`);
  await scene.node.turns.idle();
  const told = events.map((event) => (event.type === "turn" ? event.turn.activity : event.type));
  expect(told).not.toContain("stopping");
  expect(await scene.told()).toEqual(["user: Hi"]);
  const rows = await db.database.query(sql`
select status, code from ai_requests where user_id = ${scene.userId}`);
  expect(rows).toEqual([{ status: "error", code: "aborted" }]);
});

describe("Results of earlier rounds", () => {
  test("go along as far as they fit with the newest round's; the database keeps them whole", async () => {
    const bills = createBills();
    bills.find = (id) => id.repeat(490);
    const script = Array.from({ length: 12 }, (_, n) => find(String.fromCharCode(97 + n)));
    const scene = await scenes.open([...script, "Done."], {
      modules: [bills.module],
      settings: { toolResultChars: 500, maxToolRounds: 13 },
    });
    await scene.ask("All of them.");
    const prompt = scene.model.requests.at(-1)?.options.prompt ?? [];
    const parts = prompt.flatMap((message) => (message.role === "tool" ? message.content : []));
    const texts = parts.map((part) =>
      part.type === "tool-result" && part.output.type === "text" ? part.output.value : "",
    );
    expect(texts).toHaveLength(12);
    expect(texts.map((text) => text.startsWith("(left out"))).toEqual([
      true,
      true,
      ...Array.from({ length: 10 }, () => false),
    ]);
    const stored = await scene.messages();
    expect(stored.filter(({ role }) => role === "tool").every(({ result }) => result?.length === 490)).toBe(true);
  });
});
