import fc from "fast-check";
import { expect, test } from "vitest";
import { cutArguments, cutPreview } from "./cut-card.ts";

const preview = {
  title: "Rename",
  changes: [
    { label: "Name", before: "Ada", after: "x".repeat(5_000) },
    { label: "Limit", before: 1, after: 2 },
  ],
  warnings: ["This cannot be undone."],
};

test("a preview that fits its page is shown whole", () => {
  expect(cutPreview(preview, 10_000)).toEqual({ value: preview, cut: false });
  expect(cutPreview(preview, null)).toEqual({ value: preview, cut: false });
});

test("a preview that does not fit says so, and keeps its title and warnings before its lines", () => {
  const { value, cut } = cutPreview(preview, 100);
  expect(cut).toBe(true);
  expect(value?.title).toBe("Rename");
  expect(value?.warnings).toEqual(["This cannot be undone."]);
  expect(String(value?.changes[0]?.after).endsWith("…")).toBe(true);
  expect(value?.changes).toHaveLength(1);
});

test("arguments are cut to their characters, visibly, and never inside a character", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 60 }), fc.integer({ min: 1, max: 40 }), (text, characters) => {
      const { value, cut } = cutArguments(text, characters);
      expect(cut).toBe(text.length > characters);
      expect(value?.length).toBeLessThanOrEqual(Math.max(characters, 1));
      if (cut) {
        expect(value?.endsWith("…")).toBe(true);
        expect(value?.isWellFormed()).toBe(text.slice(0, (value?.length ?? 1) - 1).isWellFormed());
        expect(text.startsWith(value?.slice(0, -1) ?? "")).toBe(true);
      }
    }),
  );
});
