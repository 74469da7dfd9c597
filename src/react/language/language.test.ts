import { describe, expect, test } from "vitest";
import { en } from "./en.ts";
import { ru } from "./ru.ts";

/** Every text of a language by its path; functions are asked with something plain. */
function textsOf(value: unknown, path: string): readonly (readonly [path: string, text: string])[] {
  if (typeof value === "string") return [[path, value]];
  if (typeof value === "function") return [[path, String((value as (...args: unknown[]) => unknown)(3, 4))]];
  return Object.entries(value ?? {}).flatMap(([key, inner]) => textsOf(inner, `${path}.${key}`));
}

const texts = textsOf({ en, ru }, "");

describe("every text of every language", () => {
  test("says something", () => {
    for (const [path, text] of texts) expect(text.trim(), path).not.toBe("");
  });

  test("is written in its own letters", () => {
    for (const [path, text] of texts.filter(([where]) => where.startsWith(".en.")))
      expect(text, path).not.toMatch(/\p{Script=Cyrillic}/u);
    const foreign = texts.filter(([where, text]) => where.startsWith(".ru.") && !/[\p{Script=Cyrillic}34]/u.test(text));
    expect(foreign.map(([path]) => path)).toEqual([".ru.code", ".ru.locale"]);
  });

  test("of a notice tells what can be done, or at least what was not", () => {
    const sentences = [en, ru].flatMap(({ notices }) => Object.entries(notices));
    const short = sentences.filter(([, text]) => text.split(/[.;:]/).filter((part) => part.trim() !== "").length < 2);
    expect(new Set(short.map(([code]) => code))).toEqual(new Set(["stopped"]));
  });
});

test("both languages have the same texts", () => {
  const paths = (language: unknown): readonly string[] => textsOf(language, "").map(([path]) => path);
  expect(paths(ru)).toEqual(paths(en));
});
