import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { toVisibleParts } from "./visible-parts.ts";

/** A value as one line: text as it is, marks in angle brackets. */
function seen(value: string): string {
  return toVisibleParts(value)
    .map((part) => (part.kind === "text" ? part.text : `<${part.count > 1 ? part.count : part.label}>`))
    .join("");
}

describe("characters that would not be seen become marks", () => {
  test.each([
    ["right-to-left override", "invoice\u202efdp.exe", "invoice<RLO>fdp.exe"],
    ["isolates", "a\u2066b\u2069c", "a<LRI>b<PDI>c"],
    ["zero width", "pay\u200bpal \u2060\ufeffx", "pay<ZWSP>pal <WJ><BOM>x"],
    ["joiners between Latin letters", "a\u200db\u200cc", "a<ZWJ>b<ZWNJ>c"],
    ["control characters", "a\u0000b\u001b[31mc\u007f\u0085", "a<NUL>b<ESC>[31mc<DEL><U+0085>"],
    ["tab and carriage return", "a\tb\rc", "a<TAB>b<CR>c"],
    ["line and paragraph separators", "a\u2028b\u2029", "a<LS>b<PS>"],
    ["soft hyphen and grapheme joiner", "a\u00adb\u034fc", "a<SHY>b<CGJ>c"],
    ["fillers that look like nothing", "a\u3164b\u115fc\u2800d", "a<U+3164>b<U+115F>c<U+2800>d"],
    ["tags", "a\u{e0041}b", "a<U+E0041>b"],
    ["stray variation selectors", "a\ufe0fb\u{e0100}", "a<U+FE0F>b<U+E0100>"],
    ["spaces that are no space", "a\u00a0b\u3000c\u2003d", "a<NBSP>b<U+3000>c<U+2003>d"],
    ["spaces at the ends", " a b ", "<SPACE>a b<SPACE>"],
    ["nothing but spaces", "  ", "<SPACE><SPACE>"],
    ["half a character", "a\ud800b", "a<U+D800>b"],
    ["private characters", "a\ue000b", "a<U+E000>b"],
  ])("%s", (_name, value, expected) => {
    expect(seen(value)).toBe(expected);
  });
});

describe("what is drawn stays text", () => {
  test.each([
    ["words, digits and signs", "€ 1,240.00, 50 %, naïve, 日本語, שלום"],
    ["line ends", "one\ntwo\r\nthree"],
    ["groups of digits, and a unit", "1\u202f240,00\u00a0€ 5\u2009kg"],
    ["families and hearts", "👨‍👩‍👧 ❤️ 👍🏽 1️⃣"],
    ["joiners in scripts that draw them", "می‌خواهم क्‍ष"],
  ])("%s", (_name, value) => {
    expect(toVisibleParts(value)).toEqual([{ kind: "text", text: value }]);
  });
});

test("a long row of marks is told as one, with its length", () => {
  expect(seen(`a${"\u200b".repeat(500)}b`)).toBe("a<500>b");
});

test("the kinds of marks are told apart", () => {
  const kinds = toVisibleParts("\u202e\u200b\u0007\u3000\ud800").flatMap((part) =>
    part.kind === "mark" ? [part.mark] : [],
  );
  expect(kinds).toEqual(["direction", "invisible", "control", "space", "broken"]);
});

test("no part of text holds a character that turns direction or has no width, whatever the value", () => {
  const nasty = fc.constantFrom("\u202e", "\u2066", "\u200b", "\u200e", "\ufeff", "\u0000", "\u2028", "a", " ", "1");
  fc.assert(
    fc.property(fc.array(fc.oneof(nasty, fc.string({ unit: "binary", maxLength: 3 }))), (pieces) => {
      for (const part of toVisibleParts(pieces.join(""))) {
        if (part.kind === "text")
          expect(part.text).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u200b\u200e\u200f\ufeff\0\u2028]/u);
      }
    }),
    { numRuns: 300 },
  );
});

test("nothing of a value without marks is lost or changed", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme-ascii" }), (value) => {
      const text = toVisibleParts(value)
        .map((part) => (part.kind === "text" ? part.text : " ".repeat(part.count)))
        .join("");
      expect(text).toBe(value);
    }),
    { numRuns: 200 },
  );
});
