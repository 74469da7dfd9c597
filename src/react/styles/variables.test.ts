import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { sheets } from "./sheets.ts";

test("every variable that a host can set is in the docs, and no other", () => {
  const namesIn = (text: string): readonly string[] =>
    [...new Set([...text.matchAll(/--countersign-[a-z-]+/g)].map(([name]) => name))].toSorted();
  const page = readFileSync(fileURLToPath(new URL("../../../docs/panel.md", import.meta.url)), "utf8");
  expect(namesIn(page)).toEqual(namesIn(sheets.join("\n")));
});
