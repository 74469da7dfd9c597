import { expect, test } from "vitest";
import { isTaken, toAccept } from "./file-types.ts";

test("a picker is told the types that are taken, with the endings of those that systems know no type for", () => {
  expect(toAccept("pdf, PNG,markdown , nonsense")).toEqual([
    "text/markdown",
    ".md",
    ".markdown",
    "application/pdf",
    "image/png",
  ]);
  expect(toAccept("")).toEqual([]);
});

test("only the kinds that are named are taken", () => {
  expect(isTaken("image/png", "pdf, png")).toBe(true);
  expect(isTaken("text/tab-separated-values", "csv")).toBe(true);
  expect(isTaken("image/gif", "pdf, png")).toBe(false);
  expect(isTaken("text/html", "text, markdown, html")).toBe(false);
});
