import fc from "fast-check";
import { expect, test } from "vitest";
import { createThinkingSplitter, isBlank, withoutUnopenedThought } from "./split-thinking.ts";

function split(pieces: readonly string[]): string {
  const splitter = createThinkingSplitter();
  return pieces.map((piece) => splitter.push(piece)).join("") + splitter.end();
}

test("thinking at the very start is not shown", () => {
  expect(split(["<think>Let me see.</think>\n\nHello"])).toBe("Hello");
  expect(split([" \n<think>Let me see.</think>Hello"])).toBe("Hello");
});

test("a tag later in the answer is text", () => {
  expect(split(["Write `<think>draft</think>` there."])).toBe("Write `<think>draft</think>` there.");
});

test("a thought that is never closed leaves nothing", () => {
  expect(split(["<think>Let me", " see"])).toBe("");
});

test("text that only begins like a tag is shown", () => {
  expect(split(["<thi"])).toBe("<thi");
  expect(split(["<thin", "g>"])).toBe("<thing>");
});

test("however an answer is cut into pieces, the same is shown", () => {
  const answer = fc.constantFrom(
    "<think>a</think>b",
    "<think></think> b <think>c</think>",
    "plain",
    "<think>never",
    "  <thinker> a",
    "",
  );
  fc.assert(
    fc.property(answer, fc.array(fc.nat(20)), (text, cuts) => {
      const at = [...new Set(cuts.map((cut) => Math.min(cut, text.length)))].toSorted((one, other) => one - other);
      const pieces = [...at, text.length].map((end, index) => text.slice(at[index - 1] ?? 0, end));
      expect(split(pieces)).toBe(split([text]));
    }),
    { numRuns: 300 },
  );
});

test("what stands before a thought's end that never began is thinking", () => {
  expect(withoutUnopenedThought("Let me see.\n</think>\n\nHello")).toBe("Hello");
  expect(withoutUnopenedThought("Close it with `</think>`.")).toBe("Close it with `</think>`.");
  expect(withoutUnopenedThought("<think> opens and </think> closes")).toBe("<think> opens and </think> closes");
  expect(withoutUnopenedThought("analysisThey greet.assistantfinalHello!")).toBe("Hello!");
});

test("white space and zero-width characters are blank", () => {
  expect(isBlank(" \n\t\u200b\u2060\ufeff")).toBe(true);
  expect(isBlank("")).toBe(true);
  expect(isBlank(" .")).toBe(false);
});
