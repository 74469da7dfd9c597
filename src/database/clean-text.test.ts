import { expect, test } from "vitest";
import { cleanText } from "./clean-text.ts";

test("text loses NUL, and a half of a surrogate pair becomes a replacement character", () => {
  expect(cleanText("a\0b\ud83dc\ude00")).toBe("ab\ufffdc\ufffd");
});

test("whole text stays as it is", () => {
  expect(cleanText("Grüße 😀\n\t")).toBe("Grüße 😀\n\t");
});
