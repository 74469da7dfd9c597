import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { StoredCall, StoredMessage } from "../chat/stored-message.ts";
import type { PromptMessage } from "../model/model.ts";
import { cardOutcomes } from "../wire/reasons.ts";
import { type History, type HistoryRoom, toHistory } from "./history.ts";

let made = 0;

function row(role: StoredMessage["role"], given: Partial<StoredMessage> = {}): StoredMessage {
  return {
    id: `row-${++made}`,
    seq: 0,
    role,
    text: null,
    calls: [],
    callId: null,
    tool: null,
    status: null,
    result: null,
    confirmationId: null,
    followsId: null,
    assistantMessageId: null,
    code: null,
    outcome: null,
    finished: null,
    turnId: null,
    ...given,
  };
}

const user = (text: string) => row("user", { text });
const call = (id: string, given: Partial<StoredCall> = {}): StoredCall => ({
  id,
  providerId: null,
  name: "bills.find",
  arguments: "{}",
  ...given,
});
const answer = (text: string, ...calls: readonly StoredCall[]) => row("assistant", { text, calls });
const result = (of: StoredMessage, callId: string, text: string) =>
  row("tool", { assistantMessageId: of.id, callId, tool: "bills.find", status: "ok", result: text });
const card = (of: StoredMessage, callId: string, confirmationId: string, followsId: string | null = null) =>
  row("tool", {
    assistantMessageId: of.id,
    callId,
    tool: "bills.pay",
    status: "needs_confirmation",
    confirmationId,
    followsId,
  });
const notice = (confirmationId: string, outcome: StoredMessage["outcome"], finished = true) =>
  row("notice", { confirmationId, outcome, finished, tool: "bills.pay" });

const everything = { characters: 60_000, toolsVisible: true };

/** Rows in the order of their chat. */
function read(rows: readonly StoredMessage[], room: HistoryRoom = everything): History {
  return toHistory(
    rows.map((one, index) => ({ ...one, seq: index + 1 })),
    room,
  );
}

function resultsOf(history: History): readonly string[] {
  return history.messages.flatMap((message) =>
    message.role === "results" ? message.results.map(({ text }) => text) : [],
  );
}

const textsOf = (history: History) =>
  history.messages.flatMap((message) => (message.role === "results" ? [] : [`${message.role}: ${message.text}`]));

describe("What the model gets of earlier turns", () => {
  test("is the chat in its order, each answer with its results", () => {
    const asking = answer("Let me see.", call("abcdefgh1"));
    const history = read(
      [user("Which bill?"), asking, result(asking, "abcdefgh1", "bill 7"), answer("Bill 7.")],
      everything,
    );
    expect(history.messages).toEqual([
      { role: "user", text: "Which bill?" },
      { role: "assistant", text: "Let me see.", calls: [{ id: "abcdefgh1", name: "bills__find", arguments: {} }] },
      { role: "results", results: [{ callId: "abcdefgh1", name: "bills__find", text: "bill 7" }] },
      { role: "assistant", text: "Bill 7.", calls: [] },
    ]);
  });

  test("drops the oldest first and starts at a user's message", () => {
    const rows = [
      user("one"),
      answer("1".repeat(300)),
      user("two"),
      answer("2".repeat(300)),
      user("three"),
      answer("3"),
    ];
    const history = read(rows, { characters: 600, toolsVisible: true });
    expect(textsOf(history)).toEqual(["user: two", `assistant: ${"2".repeat(300)}`, "user: three", "assistant: 3"]);
  });

  test("never splits an answer from its results", () => {
    const asking = answer("", call("abcdefgh1"), call("abcdefgh2"));
    const rows = [
      user("one"),
      asking,
      result(asking, "abcdefgh1", "x".repeat(400)),
      result(asking, "abcdefgh2", "small"),
      answer("done"),
    ];
    const history = read(rows, { characters: 400, toolsVisible: true });
    expect(textsOf(history)).toEqual(["user: one", "assistant: done"]);
    expect(resultsOf(history)).toEqual([]);
  });

  test("keeps the question of a turn whose beginning does not fit", () => {
    const asking = answer("", call("abcdefgh1"));
    const rows = [
      user("What of March?"),
      asking,
      result(asking, "abcdefgh1", "x".repeat(3_000)),
      answer("It was good."),
    ];
    expect(textsOf(read(rows, { characters: 2_000, toolsVisible: true }))).toEqual([
      "user: What of March?",
      "assistant: It was good.",
    ]);
  });

  test("holds the newest answer in part where it does not fit whole", () => {
    const asking = answer("words ".repeat(400), call("abcdefgh1", { arguments: `{"a":"${"y".repeat(900)}"}` }));
    const rows = [user("q"), asking, result(asking, "abcdefgh1", "x".repeat(3_000))];
    const { messages } = read(rows, { characters: 2_000, toolsVisible: true });
    expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "results", "assistant"]);
    expect(sizeOf(messages)).toBeLessThanOrEqual(2_000);
  });

  test("holds no notice of an error", () => {
    const rows = [user("one"), row("notice", { code: "provider_overloaded" }), user("two"), answer("2")];
    expect(JSON.stringify(read(rows))).not.toContain("overloaded");
  });

  test("follows a message that got no answer with one that says so", () => {
    expect(textsOf(read([user("one"), user("two"), answer("2")]))).toEqual([
      "user: one",
      "assistant: (This message got no answer.)",
      "user: two",
      "assistant: 2",
    ]);
  });

  test("goes on with an answer after results that the turn ended with", () => {
    const asking = answer("", call("abcdefgh1"));
    const history = read([user("one"), asking, result(asking, "abcdefgh1", "r")]);
    expect(history.messages.at(-1)).toEqual({ role: "assistant", text: "(The answer ended here.)", calls: [] });
  });

  test("tells past calls as text when no tool is visible", () => {
    const asking = answer("Let me see.", call("abcdefgh1", { arguments: '{"n":7}' }));
    const rows = [user("Which?"), asking, result(asking, "abcdefgh1", "bill 7"), answer("Bill 7.")];
    expect(read(rows, { characters: 60_000, toolsVisible: false }).messages).toEqual([
      { role: "user", text: "Which?" },
      {
        role: "assistant",
        text: 'Let me see.\n\n[bills.find was called with {"n":7}: bill 7]\n\nBill 7.',
        calls: [],
      },
    ]);
  });
});

describe("A call in the history", () => {
  test("that never got a result reads not run", () => {
    expect(resultsOf(read([user("q"), answer("", call("abcdefgh1"))]))).toEqual(["not run"]);
  });

  test("has one result, the first, where more were stored", () => {
    const asking = answer("", call("abcdefgh1"));
    const rows = [user("q"), asking, result(asking, "abcdefgh1", "first"), result(asking, "abcdefgh1", "second")];
    expect(resultsOf(read(rows))).toEqual(["first"]);
  });

  test("of the same id as another of its answer has a result of its own, and an id of its own", () => {
    const asking = answer("", call("same"), call("same"));
    const rows = [user("q"), asking, result(asking, "same", "first"), result(asking, "same", "second")];
    const history = read(rows);
    expect(resultsOf(history)).toEqual(["first", "second"]);
    expectSendable(history);
  });

  test("whose result does not name its answer gets it from the answer before", () => {
    const asking = answer("", call("abcdefgh1"));
    const orphan = row("tool", { callId: "abcdefgh1", tool: "bills.find", status: "ok", result: "found" });
    expect(resultsOf(read([user("q"), asking, orphan]))).toEqual(["found"]);
  });

  test("keeps its stored id where providers take it, so that a provider's cache hits", () => {
    const rows = [user("q"), answer("", call("ABCdef123"), call("call_1"))];
    const ids = read(rows).messages.flatMap((message) =>
      message.role === "assistant" ? message.calls.map(({ id }) => id) : [],
    );
    expect(ids).toEqual(["ABCdef123", "h00000000"]);
  });

  test.each(['{"city":"Os', "[1]", "null", '"text"', "4", "", `${"[".repeat(200)}${"]".repeat(200)}`])(
    "with arguments that are no object goes with none: %s",
    (args) => {
      const { messages } = read([user("q"), answer("", call("abcdefgh1", { arguments: args }))]);
      expect(messages[1]).toMatchObject({ calls: [{ arguments: {} }] });
    },
  );

  test("with a name that providers refuse goes under a safe one", () => {
    const rows = [user("q"), answer("", call("abcdefgh1", { name: "$READ FILE.now" }))];
    expect(read(rows).messages[1]).toMatchObject({ calls: [{ name: "_READ_FILE__now" }] });
  });

  test("without a name is not sent", () => {
    const rows = [user("q"), answer("hello", call("abcdefgh1", { name: " " }))];
    expect(read(rows).messages[1]).toEqual({ role: "assistant", text: "hello", calls: [] });
  });
});

describe("A card in the history", () => {
  const asking = () => answer("I will pay it.", call("abcdefgh1", { name: "bills.pay" }));

  test("that waits reads as waiting for the user, and asks not to be asked for again", () => {
    const paying = asking();
    const [words] = resultsOf(read([user("Pay."), paying, card(paying, "abcdefgh1", "c1")]));
    expect(words).toMatch(/^Waiting for the user/);
    expect(words).toContain("Do not ask for it again");
  });

  test.each([
    ["confirmed", true, "it was done"],
    ["confirmed", false, "whether it finished is not known. Look before repeating it"],
    ["rejected", true, "do not ask for it again unless the user tells you to"],
    ["expired", true, "it was not done"],
    ["changed", true, "The values changed"],
    ["failed", true, "it failed"],
  ] as const)("that was %s (finished: %s) says so", (outcome, finished, part) => {
    const paying = asking();
    const rows = [user("Pay."), paying, card(paying, "abcdefgh1", "c1"), notice("c1", outcome, finished)];
    const history = read(rows);
    expect(resultsOf(history)[0]?.toLowerCase()).toContain(part.toLowerCase());
    expect(history.remarks).toEqual([]);
  });

  test("is the newest of its call: one that followed it speaks for it", () => {
    const paying = asking();
    const rows = [
      user("Pay."),
      paying,
      card(paying, "abcdefgh1", "c1"),
      notice("c1", "changed"),
      card(paying, "abcdefgh1", "c2", "c1"),
      notice("c2", "rejected"),
    ];
    expect(resultsOf(read(rows))).toEqual([expect.stringMatching(/turned this change down/)]);
  });

  test("whose call is outside the window is one line before the next user's message", () => {
    const paying = asking();
    const rows = [
      user("Pay."),
      paying,
      card(paying, "abcdefgh1", "c1"),
      user("Thanks."),
      answer("x".repeat(400)),
      notice("c1", "rejected"),
      user("And now?"),
      answer("Nothing."),
    ];
    const history = read(rows, { characters: 500, toolsVisible: true });
    expect(textsOf(history)).toEqual([
      expect.stringMatching(
        /^user: \[About bills\.pay, asked for earlier: The user turned this change down.*\]\n\nAnd now\?$/,
      ),
      "assistant: Nothing.",
    ]);
  });

  test("whose call is outside the window, settled after the last message, is told before the next question", () => {
    const history = read([notice("c1", "confirmed")]);
    expect(history.messages).toEqual([]);
    expect(history.remarks).toEqual([expect.stringMatching(/^\[About bills\.pay, .*it was done/)]);
  });

  test("is told once, by the card that followed it", () => {
    const elsewhere = asking();
    const rows = [notice("c1", "changed"), card(elsewhere, "abcdefgh1", "c2", "c1"), notice("c2", "confirmed")];
    expect(read(rows).remarks).toHaveLength(1);
  });
});

describe("Whatever is stored", () => {
  test.each(["\n", "", "\u200b", "  "])("a blank answer is not sent: %j", (text) => {
    const history = read([user("q"), answer(text), answer("real")]);
    expect(textsOf(history)).toEqual(["user: q", "assistant: real"]);
  });

  test("what is sent has a shape every provider takes", () => {
    fc.assert(
      fc.property(anyRows(), fc.integer({ min: 0, max: 3_000 }), fc.boolean(), (rows, characters, toolsVisible) => {
        const history = toHistory(rows, { characters, toolsVisible });
        expectSendable(history);
        const remarks = history.remarks.join("\n").length;
        expect(sizeOf(history.messages) + remarks).toBeLessThanOrEqual(characters);
        if (!toolsVisible) expect(resultsOf(history)).toEqual([]);
      }),
      { numRuns: 1_500 },
    );
  });
});

/** Everything that is sent, in UTF-16 units. */
function sizeOf(messages: readonly PromptMessage[]): number {
  return messages.reduce((sum, message) => {
    if (message.role === "user") return sum + message.text.length;
    if (message.role === "results") {
      return sum + message.results.reduce((size, { callId, text }) => size + callId.length + text.length, 0);
    }
    const calls = message.calls.reduce(
      (size, { id, name, arguments: args }) => size + id.length + name.length + JSON.stringify(args).length,
      0,
    );
    return sum + message.text.length + calls;
  }, 0);
}

/** Begins with a user, alternates, one result a call in the order of the calls, valid unique ids, well-formed text. */
function expectSendable({ messages, remarks }: History): void {
  const ids: string[] = [];
  for (const [index, message] of messages.entries()) {
    const next = messages[index + 1];
    const calls = message.role === "assistant" ? message.calls : [];
    if (message.role === "user") expect(next?.role).toBe("assistant");
    else if (message.role === "results") expect(next?.role).toBe("assistant");
    else expect(next?.role).toBe(calls.length > 0 ? "results" : next === undefined ? undefined : "user");
    if (next?.role === "results") {
      expect(next.results.map(({ callId, name }) => [callId, name])).toEqual(calls.map(({ id, name }) => [id, name]));
    }
    if (message.role !== "results" && calls.length === 0) expect(message.text.trim()).not.toBe("");
    for (const { id, name, arguments: args } of calls) {
      ids.push(id);
      expect(id).toMatch(/^[a-zA-Z0-9]{9}$/);
      expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
      expect(Object.prototype.toString.call(args)).toBe("[object Object]");
    }
  }
  expect(messages[0]?.role).toBe(messages.length === 0 ? undefined : "user");
  expect(new Set(ids).size).toBe(ids.length);
  const seen = JSON.stringify([messages, remarks]);
  expect(seen).not.toMatch(/\\ud[89a-f]|\\u0000/i);
}

function anyRows(): fc.Arbitrary<readonly StoredMessage[]> {
  const id = fc.constantFrom("a", "b", "c", "d", "e", "f", "g", "h", "i", "j");
  const text = fc.oneof(
    { weight: 3, arbitrary: fc.string({ unit: "binary", maxLength: 30 }) },
    { weight: 1, arbitrary: fc.constantFrom("", " \n", "\u200b", "\ud83d", "\ude00x", "a\0b", "😀".repeat(700)) },
    { weight: 1, arbitrary: fc.integer({ min: 0, max: 2_500 }).map((length) => "x".repeat(length)) },
  );
  const callId = fc.constantFrom("abcdefgh1", "abcdefgh2", "call_1", "", "same");
  const args = fc.oneof(fc.constantFrom("{}", '{"a":', "[]", "null", '{"__proto__":{"x":1}}', '{"k":"\\ud800"}'), text);
  const storedCall = fc.record({
    id: callId,
    providerId: fc.option(callId),
    name: fc.oneof(fc.constantFrom("bills.find", "bills.pay", "", "$x y"), text),
    arguments: args,
  });
  const broken = fc.constantFrom(null, "x", 7, {}, { id: 4, name: "n" }) as fc.Arbitrary<never>;
  const confirmationId = fc.option(fc.constantFrom("c1", "c2", "c3"), { freq: 2 });
  const stored = fc.record<StoredMessage>({
    id,
    seq: fc.integer({ min: 1, max: 12 }),
    role: fc.oneof(
      { weight: 20, arbitrary: fc.constantFrom("user", "assistant", "tool", "notice") },
      { weight: 1, arbitrary: fc.constant("system" as never) },
    ),
    text: fc.option(text, { freq: 6 }),
    calls: fc.oneof(
      {
        weight: 8,
        arbitrary: fc.array(fc.oneof({ weight: 9, arbitrary: storedCall }, { weight: 1, arbitrary: broken }), {
          maxLength: 4,
        }),
      },
      { weight: 1, arbitrary: broken },
    ),
    callId: fc.option(callId),
    tool: fc.option(text),
    status: fc.option(fc.constantFrom("ok", "error", "denied", "needs_confirmation")),
    result: fc.option(text),
    confirmationId,
    followsId: confirmationId,
    assistantMessageId: fc.option(id),
    code: fc.constant(null),
    outcome: fc.option(fc.constantFrom(...cardOutcomes)),
    finished: fc.option(fc.boolean()),
    turnId: fc.constant(null),
  });
  return fc
    .array(stored, { maxLength: 24 })
    .map((rows) => rows.map((one, n) => ({ ...one, id: n % 5 === 0 ? one.id : `r${n}` })));
}
