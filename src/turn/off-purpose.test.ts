import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createOffPurposeFilter, cutOffPurpose } from "./off-purpose.ts";

function shown(pieces: readonly string[]): string {
  const filter = createOffPurposeFilter();
  return pieces.map((piece) => filter.push(piece)).join("") + filter.end();
}

describe("A marker at the very end of an answer", () => {
  test("is cut off, and its reason told", () => {
    expect(cutOffPurpose("That is not for me.\n⟦off_purpose: a poem⟧")).toEqual({
      text: "That is not for me.\n",
      reason: "a poem",
    });
  });

  test("is at the very end though white space follows it", () => {
    expect(cutOffPurpose("No.⟦off_purpose: homework⟧ \n")).toEqual({ text: "No.", reason: "homework" });
  });

  test("may be all there is", () => {
    expect(cutOffPurpose("⟦off_purpose:x⟧")).toEqual({ text: "", reason: "x" });
  });

  test("has its reason cut, never within a character", () => {
    const { reason } = cutOffPurpose(`⟦off_purpose: ${"😀".repeat(400)}⟧`);
    expect(reason).toBe("😀".repeat(250));
  });

  test("is never shown, in whatever pieces it comes", () => {
    for (let at = 0; at < 24; at++) {
      const text = "Sorry.⟦off_purpose: joke⟧";
      expect(shown([text.slice(0, at), text.slice(at)])).toBe("Sorry.");
    }
    expect(shown("Sorry.⟦off_purpose: joke⟧".split(""))).toBe("Sorry.");
  });
});

describe("A marker anywhere else", () => {
  test.each([
    "The marker ⟦off_purpose: reason⟧ is a marker.",
    "⟦off_purpose: first⟧ and more",
    "⟦off_purpose without a colon⟧",
    "half of one ⟦off_purpose: rea",
    "half of its name ⟦off_pur",
    "⟦⟧",
    `⟦off_purpose: ${"x".repeat(3_000)}⟧`,
    "not nested ⟦off_purpose: ⟦⟧⟧",
  ])("is left as it is and flags nothing: %s", (text) => {
    expect(cutOffPurpose(text)).toEqual({ text, reason: null });
    expect(shown(text.split(""))).toBe(text);
  });

  test("of two at the end the last one alone is the marker", () => {
    expect(cutOffPurpose("⟦off_purpose: a⟧⟦off_purpose: b⟧")).toEqual({ text: "⟦off_purpose: a⟧", reason: "b" });
  });
});

test("What is shown piece by piece is what is stored", () => {
  const piece = fc.oneof(
    fc.constantFrom("⟦", "⟧", "⟦off_purpose:", "⟦off_purpose: why⟧", "off_", "purpose:", " ", "\n", "😀"),
    fc.string({ maxLength: 8 }),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      expect(shown(pieces)).toBe(cutOffPurpose(pieces.join("")).text);
    }),
    { numRuns: 2_000 },
  );
});
