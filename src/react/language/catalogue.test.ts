import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { en } from "./en.ts";

const folder = fileURLToPath(new URL("..", import.meta.url));
/** The panel's files but its languages; the administrators' pages have words of their own. */
const files = globSync("**/*.{ts,tsx}", { cwd: folder })
  .filter((name) => !/\.test\.|^language|^admin|^styles/.test(name))
  .map((name) => ({ name, text: readFileSync(`${folder}/${name}`, "utf8") }));

test("no text for people stands outside of the languages", () => {
  const found = files.flatMap(({ name, text }) => {
    const attributes = text.match(/(?:aria-label|aria-description|title|placeholder|alt|label)="[^"]+"/g) ?? [];
    // Words between tags: on a line of their own, or in one.
    const lines = text.match(/^\s*[\p{Lu}][\p{L}',-]*(?: [\p{L}\d',-]+)+[.…!?]?$/gmu) ?? [];
    const inline = text.match(/<(?:\w[^<>]*)?>[^<>{}()=;]*\p{L}{2}[^<>{}()=;]*<\/\w*>/gu) ?? [];
    return [...attributes, ...lines, ...inline].map((what) => `${name}: ${what.trim()}`);
  });
  expect(found).toEqual([]);
});

/** Looked up by a code or a state that is data: their types say that each has its text. */
const byData = /^(notices|refusals|refused|files\.codes|card\.states|thread\.tools|marks)\./;
const byState: readonly string[] = [
  ...["thread.starting", "thread.thinking", "thread.answering", "thread.stopping"],
  ...["thread.code", "thread.table"],
  ...["card.sending", "card.queued", "card.retrying"],
  ...["chats.today", "chats.yesterday", "chats.week", "chats.older"],
];

test("every text of the languages is said somewhere", () => {
  const all = files.map(({ text }) => text).join("\n");
  const pathsOf = (value: object, path: string): readonly string[] =>
    Object.entries(value).flatMap(([key, inner]) =>
      typeof inner === "object" ? pathsOf(inner as object, `${path}${key}.`) : [`${path}${key}`],
    );
  const unused = pathsOf(en, "").filter((path) => {
    if (byData.test(path) || byState.includes(path)) return false;
    const [part = "", name = ""] = path.split(".");
    return name !== "" && !new RegExp(`\\b(?:${part}|words)\\.${name}\\b`).test(all);
  });
  expect(unused).toEqual([]);
});
