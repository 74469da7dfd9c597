import fc from "fast-check";
import { expect, test } from "vitest";
import { cutText, sliceText } from "./cut-text.ts";

test("A text that fits is left as it is", () => {
  expect(cutText("short", 5)).toBe("short");
});

test("A text that is cut says how much is missing", () => {
  expect(cutText("x".repeat(1_000), 100)).toBe(`${"x".repeat(63)}\n[937 more characters were left out]`);
});

test("A cut text is never longer than its limit, and never ends in half a character", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 200 }), fc.nat({ max: 120 }), (text, most) => {
      const wellFormed = text.toWellFormed();
      for (const cut of [cutText(wellFormed, most), sliceText(wellFormed, most)]) {
        expect(cut.length).toBeLessThanOrEqual(Math.max(most, 0));
        expect(cut.isWellFormed()).toBe(true);
      }
    }),
    { numRuns: 1_000 },
  );
});
