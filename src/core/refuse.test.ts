import { expect, test } from "vitest";
import { isRefusal, refuse } from "./refuse.ts";

test("a refusal is told from data that looks like one", () => {
  expect(isRefusal(refuse("not_open", "The invoice is not open."))).toBe(true);
  expect(isRefusal({ refusal: { code: "not_open", sentence: "" } })).toBe(false);
  expect(isRefusal(null)).toBe(false);
});

test("a refusal's sentence is cleaned and cut", () => {
  const { refusal } = refuse("not_open", `\0a\ud800${"x".repeat(600)}`);
  expect(refusal.sentence).toHaveLength(499);
  expect(refusal.sentence.startsWith("a\ufffdx")).toBe(true);
});

test.each(["", "Not", "not open", "_a", "x".repeat(65), "nö"])(
  "a code that is no short word is refused: %j",
  (code) => {
    expect(() => refuse(code, "")).toThrow("countersign: refuse: a code is");
  },
);
