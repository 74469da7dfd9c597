import { describe, expect, test } from "vitest";
import {
  answer,
  call,
  everything,
  expectSendable,
  read,
  result,
  resultsOf,
  row,
  sizeOf,
  textsOf,
  user,
} from "../../test/turns/history-rows.ts";

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
