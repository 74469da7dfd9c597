import { describe, expect, test } from "vitest";
import { titleFromText, toTitle } from "./title.ts";

describe("a title out of the first message", () => {
  test.each([
    { word: "is its first line that says something", text: "\n \n  Hello there \nmore", title: "Hello there" },
    { word: "is one line", text: "a\t\tb\u0007c\u2028d", title: "a b c" },
    { word: "keeps up to 60 characters", text: "x".repeat(60), title: "x".repeat(60) },
    { word: "is cut at a word", text: "word ".repeat(20), title: `${"word ".repeat(12).trim()}…` },
    {
      word: "is cut before the word that does not fit",
      text: `${"a".repeat(40)} ${"b".repeat(40)}`,
      title: `${"a".repeat(40)}…`,
    },
    { word: "of one long word is cut within it", text: "x".repeat(99), title: `${"x".repeat(60)}…` },
    { word: "of a script without spaces is cut within it", text: "請".repeat(99), title: `${"請".repeat(60)}…` },
    { word: "has no control of text direction", text: "pay \u202e001 to\u2066 me", title: "pay 001 to me" },
    { word: "has no lone surrogate", text: "a\ud83d", title: "a\ufffd" },
  ])("$word", ({ text, title }) => {
    expect(titleFromText(text)).toBe(title);
  });

  test("no letter is torn from its accents, no emoji into its parts", () => {
    const family = "👩‍👩‍👧‍👦";
    expect(titleFromText(family.repeat(61))).toBe(`${family.repeat(60)}…`);
    expect(titleFromText("e\u0301".repeat(61))).toBe(`${"e\u0301".repeat(60)}…`);
  });

  test("accents upon accents do not make it endless", () => {
    expect(titleFromText(`a${"\u0301".repeat(20_000)}`)?.length).toBeLessThanOrEqual(1_001);
  });

  test.each(["", " \n\t ", "\0\u0007"])("there is none of a text without a word (%j)", (text) => {
    expect(titleFromText(text)).toBeNull();
  });
});

describe("a title a user gave", () => {
  test.each([
    { text: "  Two\nlines ", title: "Two lines" },
    { text: "x".repeat(200), title: "x".repeat(200) },
    { text: "x".repeat(201), title: null },
    { text: "\u200e\u0000", title: null },
  ])("is one line of 1 to 200 characters or none ($title)", ({ text, title }) => {
    expect(toTitle(text)).toBe(title);
  });
});
