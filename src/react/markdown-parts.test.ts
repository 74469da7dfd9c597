import { describe, expect, test } from "vitest";
import { longestDrawn, toMarkdownParts } from "./markdown-parts.ts";

const kinds = (text: string): readonly string[] => toMarkdownParts(text).map(({ kind }) => kind);

describe("a fence that stands alone needs no reading", () => {
  test("closed, with its language", () => {
    expect(toMarkdownParts("```sql\nselect 1;\n\nselect 2;\n```\n\nand **then**")).toEqual([
      { kind: "code", language: "sql", text: "select 1;\n\nselect 2;" },
      { kind: "markdown", language: "", text: "and **then**" },
    ]);
  });

  test("while it is still being written", () => {
    expect(toMarkdownParts("~~~~\n```\na")).toEqual([{ kind: "code", language: "", text: "```\na" }]);
  });

  test("but one with words right behind it does, and so does one in a list", () => {
    expect(kinds("```\na\n```\nwords")).toEqual(["markdown"]);
    expect(kinds("- ```\n  a\n  ```")).toEqual(["markdown"]);
  });
});

describe("what would take long to read is shown as it was written", () => {
  test.each([
    ["quotes in quotes", ">".repeat(5_000)],
    ["quotes in quotes, with spaces", "> ".repeat(5_000)],
    ["lists in lists in one line", "- ".repeat(60)],
    ["lists in lists, line by line", Array.from({ length: 300 }, (_, depth) => `${" ".repeat(depth)}- a`).join("\n")],
    ["stars without end", `${"*".repeat(3_000)}a`],
    ["brackets without end", "[".repeat(3_000)],
    ["more cells than a page bears", "|a".repeat(5_000)],
    ["one block longer than any", "word ".repeat(5_000)],
  ])("%s", (_name, text) => {
    expect(new Set(kinds(text))).toEqual(new Set(["plain"]));
  });

  test("what people write is read", () => {
    expect(
      kinds("**Late:** [two](https://a.example)\n\n- a\n  - b\n    - c\n\n> > said\n\n---\n\n| a |\n| - |\n| b |"),
    ).toEqual([...["markdown", "markdown", "markdown", "markdown", "markdown"]]);
  });

  test("of a very long answer the first part is read, and the end left out", () => {
    const parts = toMarkdownParts("A line of **words**.\n\n".repeat(50_000));
    expect(parts[0]?.kind).toBe("markdown");
    expect(parts.at(-1)?.kind).toBe("plain");
    expect(parts.map(({ text }) => text).join("")).toHaveLength(longestDrawn);
  });
});
