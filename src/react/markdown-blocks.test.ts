import fc from "fast-check";
import { expect, test } from "vitest";
import { toMarkdownBlocks } from "./markdown-blocks.ts";

test("paragraphs, headings and tables are blocks of their own", () => {
  expect(toMarkdownBlocks("# One\n\ntwo\nthree\n\n| a |\n| - |\n| b |\n")).toEqual([
    "# One\n\n",
    "two\nthree\n\n",
    "| a |\n| - |\n| b |\n",
  ]);
});

test("a fence stays whole, with the blank lines in it, also while it is not closed yet", () => {
  expect(toMarkdownBlocks("```js\na\n\nb\n```\n\nafter")).toEqual(["```js\na\n\nb\n```\n\n", "after"]);
  expect(toMarkdownBlocks("~~~~\na\n\n~~~\n\nb")).toHaveLength(1);
});

test("a list stays whole, so that its numbers go on", () => {
  expect(toMarkdownBlocks("1. a\n\n2. b\n\n   more of b\n\nafter")).toEqual([
    "1. a\n\n2. b\n\n   more of b\n\n",
    "after",
  ]);
});

test("the blocks put together are the text, and only the last changes while text grows", () => {
  const piece = fc.constantFrom("a", "\n", "\n\n", "```", "- x", "1. ", "    y", "~~~\n", "# h");
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), fc.array(piece, { maxLength: 5 }), (start, more) => {
      const before = toMarkdownBlocks(start.join(""));
      const after = toMarkdownBlocks([...start, ...more].join(""));
      expect(before.join("")).toBe(start.join(""));
      // A line that is not ended can still become anything; the blocks before it stand.
      const standing = before.slice(0, -2);
      expect(after.slice(0, standing.length)).toEqual(standing);
    }),
    { numRuns: 300 },
  );
});
