import { existsSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { rulesOf } from "../../scripts/rules-of.ts";
import { read, repository } from "./source-files.ts";

interface Row {
  readonly sentence: string;
  readonly tests: readonly { readonly file: string; readonly title: string }[];
}

/** The sentences of the page's tables that have a column of tests. */
function readRows(page: string): readonly Row[] {
  const rows: Row[] = [];
  let columns: readonly string[] = [];
  for (const line of page.split("\n")) {
    if (!line.startsWith("|")) columns = [];
    else if (columns.length === 0) columns = cellsOf(line);
    else if (!line.startsWith("| --- |") && columns.includes("shown by")) {
      const [sentence = "", shown = ""] = cellsOf(line);
      rows.push({ sentence, tests: shown.split("<br>").flatMap(toTest) });
    }
  }
  return rows;
}

const cellsOf = (line: string): readonly string[] =>
  line
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim());

function toTest(shown: string): Row["tests"] {
  const [, file, title] = /^`([^`]+)` › (.+)$/.exec(shown.trim()) ?? [];
  return file === undefined || title === undefined ? [] : [{ file, title: title.replaceAll("\\|", "|") }];
}

/** What is wrong with a page: sentences without a test, and tests that are not there. */
function findWrong(page: string): readonly string[] {
  return readRows(page).flatMap(({ sentence, tests }) => {
    if (tests.length === 0) return [`no test: ${sentence}`];
    return tests
      .filter(({ file, title }) => {
        const at = path.join(repository, file);
        return !existsSync(at) || !rulesOf(at).includes(title);
      })
      .map(({ file, title }) => `not there: ${file} › ${title}`);
  });
}

describe("The threat model", () => {
  const page = read("docs/threat-model.md");

  test("names for each of its sentences a test that exists", () => {
    expect(readRows(page).length).toBeGreaterThan(50);
    expect(findWrong(page)).toEqual([]);
  });

  test("says something of everybody and everything that it is meant to tell of", () => {
    const headings = [...page.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading).join("\n");
    for (const who of ["model", "file", "web page", "user", "tenant", "second tab", "impersonator", "administrator"]) {
      expect(headings.toLowerCase()).toContain(who);
    }
    for (const what of ["operator", "database", "provider"]) expect(headings.toLowerCase()).toContain(what);
    expect(page).toContain("**stolen card id**");
  });

  test("is found wrong by a sentence without a test, a file that is gone, and a title that is none", () => {
    const own = "test/house/threat-model.test.ts";
    const table = (shown: string): string => `| it | shown by |\n| --- | --- |\n| does it | ${shown} |\n`;
    expect(findWrong(table(""))).toEqual(["no test: does it"]);
    expect(findWrong(table(`\`${own}\``))).toEqual(["no test: does it"]);
    expect(findWrong(table("`test/gone.test.ts` › x"))).toEqual(["not there: test/gone.test.ts › x"]);
    const title = "The threat model › names for each of its sentences a test that exists";
    expect(findWrong(table(`\`${own}\` › ${title}`))).toEqual([]);
    expect(findWrong(table(`\`${own}\` › ${title}s`))).toEqual([`not there: ${own} › ${title}s`]);
  });
});
