// Writes docs/rules.md: the rules of the product, as the titles of the tests that show them; with --check only says
// whether it is up to date.
import { globSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { rulesOf } from "./rules-of.ts";

const root = path.join(import.meta.dirname, "..");
const file = path.join(root, "docs/rules.md");

const parts: readonly (readonly [title: string, ...tests: readonly string[]])[] = [
  ["Turns", "src/turn/*.test.ts", "test/turns/*.test.ts"],
  ["Confirmations", "src/confirmation/*.test.ts", "test/confirmations/*.test.ts"],
  ["What may be done, and by whom", "src/core/*.test.ts"],
  ["Chats, the lock and those who watch", "src/chat/*.test.ts"],
  ["Models and money", "src/model/*.test.ts", "test/quirks.test.ts", "test/log-watch.test.ts"],
  ["Files", "src/attachment/*.test.ts", "src/attachment/reader/*.test.ts", "test/attachments/*.test.ts"],
  ["Faults", "test/faults/*.test.ts"],
  ["Many nodes and their operators", "test/redis/*.test.ts", "test/database/*.test.ts", "test/cli/*.test.ts"],
  ["Who can do what", "test/threats/*.test.ts"],
  ["HTTP", "src/http/*.test.ts", "test/http/*.test.ts"],
];

const sections = parts.map(([title, ...patterns]) => {
  const tests = patterns
    .flatMap((pattern) => globSync(pattern, { cwd: root }))
    .map((name) => name.replaceAll("\\", "/"));
  const rows = tests
    .toSorted()
    .flatMap((test) =>
      rulesOf(path.join(root, test)).map((rule) => `| ${rule.replaceAll("|", "\\|")} | \`${test}\` |`),
    );
  if (rows.length === 0) throw new Error(`no test was found for "${title}"`);
  return `## ${title}\n\n| rule | shown by |\n| --- | --- |\n${rows.join("\n")}\n`;
});

const page = `# The rules, and the test that shows each

Made from the tests' titles by \`npm run docs\`.

${sections.join("\n")}`;

if (!process.argv.includes("--check")) {
  writeFileSync(file, page);
} else if (readFileSync(file, "utf8").replaceAll("\r\n", "\n") !== page) {
  console.error("docs/rules.md is not what the tests say: run `npm run docs` and commit the page.");
  process.exitCode = 1;
}
