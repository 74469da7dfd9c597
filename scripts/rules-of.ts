import { readFileSync } from "node:fs";

// A title stands in the source as one string or template, after a table or a condition if there is one; a group's title goes
// before it.
const titled =
  /^( *)(describe|test|it)(?:\.\w+)*(?:\((?!["`])[\s\S]*?\)|<[\s\S]*?>\([\s\S]*?\))?\(\s*(["`])((?:\\.|(?!\3)[\s\S])*)\3/gm;

/** The titles of a test file, each after those of its groups: `group › title`. */
export function rulesOf(file: string): readonly string[] {
  const source = readFileSync(file, "utf8");
  const groups: { readonly indent: number; readonly title: string }[] = [];
  const rules: string[] = [];
  for (const [, spaces = "", kind, , words = ""] of source.matchAll(titled)) {
    const indent = spaces.length;
    // What says why a test is skipped is no part of its rule.
    const title = words.replace(/\s+/g, " ").replace(/\$\{.*\}$/, "");
    while ((groups.at(-1)?.indent ?? -1) >= indent) groups.pop();
    if (kind === "describe") groups.push({ indent, title });
    else rules.push([...groups.map((group) => group.title), title].join(" › "));
  }
  return rules;
}
