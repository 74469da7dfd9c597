// Everything that is checked besides the tests. Runs each step to its end and says what failed;
// `npm run check -- lint types` runs only those.
import { spawnSync } from "node:child_process";

const steps: Readonly<Record<string, string>> = {
  types: "tsc -p tsconfig.json",
  lint: "oxlint",
  format: "oxfmt --check",
  unused: "knip",
  settings: "node scripts/settings-table.ts --check",
  prompt: "node scripts/prompt-page.ts --check",
  rules: "node scripts/rules-table.ts --check",
  snippets: "node scripts/check-snippets.ts",
  build: "npm run --silent build",
  package: "node scripts/check-package.ts",
  size: "size-limit",
};

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in steps));
if (unknown.length > 0)
  throw new Error(`no such check: ${unknown.join(", ")}; there are ${Object.keys(steps).join(", ")}`);

const failed: string[] = [];
for (const [name, command] of Object.entries(steps)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  console.log(`\n── ${name}`);
  if (spawnSync(command, { shell: true, stdio: "inherit" }).status !== 0) failed.push(name);
}

console.log(failed.length === 0 ? "\nEvery check passed." : `\nFailed: ${failed.join(", ")}`);
process.exitCode = failed.length === 0 ? 0 : 1;
