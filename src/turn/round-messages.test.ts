import { expect, test } from "vitest";
import { type RoundMessages, toTurnMessages } from "./round-messages.ts";

function round(name: string, ...results: readonly string[]): RoundMessages {
  return {
    text: name,
    calls: results.map((_, index) => ({ id: `${name}${index}`, name: "t", arguments: {} })),
    results: results.map((text, index) => ({ callId: `${name}${index}`, name: "t", text })),
  };
}

const sent = (rounds: readonly RoundMessages[], characters: number, toolsVisible = true): string[] =>
  toTurnMessages(rounds, { characters, toolsVisible }).flatMap((message) =>
    message.role === "results" ? message.results.map(({ text }) => (text.startsWith("(left out") ? "stub" : text)) : [],
  );

test("Results of earlier rounds go along as far as they fit with the newest round's", () => {
  const [a, b, c] = ["a".repeat(400), "b".repeat(400), "c".repeat(400)];
  const rounds = [round("one", a), round("two", b), round("three", c)];
  expect(sent(rounds, 1_200)).toEqual([a, b, c]);
  expect(sent(rounds, 1_199)).toEqual(["stub", b, c]);
  expect(sent(rounds, 799)).toEqual(["stub", "stub", c]);
});

test("The newest round's results always go whole", () => {
  const big = "x".repeat(900);
  expect(sent([round("one", "a".repeat(200)), round("two", big, big)], 1_000)).toEqual(["stub", big, big]);
});

test("A result that is no longer than its stub is never left out", () => {
  expect(sent([round("one", "tiny"), round("two", "x".repeat(500))], 500)).toEqual(["tiny", "x".repeat(500)]);
});

test("Every answer is followed by one result for each of its calls, in their order", () => {
  const [answer, results] = toTurnMessages([round("one", "a", "b")], { characters: 100, toolsVisible: true });
  expect(answer).toMatchObject({ role: "assistant", calls: [{ id: "one0" }, { id: "one1" }] });
  expect(results).toMatchObject({ role: "results", results: [{ callId: "one0" }, { callId: "one1" }] });
});

test("An answer without calls that the turn goes on from is followed by words to go on", () => {
  const messages = toTurnMessages([round("half an ans")], { characters: 100, toolsVisible: true });
  expect(messages.map(({ role }) => role)).toEqual(["assistant", "user"]);
});

test("With no tool visible this turn's calls go as text", () => {
  const messages = toTurnMessages([round("one", "found it")], { characters: 100, toolsVisible: false });
  expect(messages).toEqual([
    { role: "assistant", text: "one\n\n[t was called with {}: found it]", calls: [] },
    expect.objectContaining({ role: "user" }),
  ]);
});
