// Everything that is checked besides the tests. Runs each step to its end and says what failed;
// `npm run check -- lint types` runs only those.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const packed = mkdtempSync(join(tmpdir(), "countersign-pack-"));
const tarball = join(packed, "countersign.tgz");

const steps: Readonly<Record<string, readonly string[]>> = {
  types: ["tsc -p tsconfig.json"],
  lint: ["oxlint"],
  format: ["oxfmt --check"],
  unused: ["knip"],
  settings: ["node scripts/settings-table.ts --check"],
  snippets: ["node scripts/check-snippets.ts"],
  build: ["npm run --silent build"],
  package: [
    `npm pack --ignore-scripts --silent --pack-destination "${packed}"`,
    `node -e "fs.globSync('*.tgz', { cwd: process.argv[1] }).forEach((name) => fs.renameSync(path.join(process.argv[1], name), process.argv[2]))" "${packed}" "${tarball}"`,
    `publint run "${tarball}" --strict`,
    `attw "${tarball}" --profile esm-only --format ascii`,
  ],
  size: ["size-limit"],
};

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in steps));
if (unknown.length > 0)
  throw new Error(`no such check: ${unknown.join(", ")}; there are ${Object.keys(steps).join(", ")}`);

const failed: string[] = [];
for (const [name, commands] of Object.entries(steps)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  console.log(`\n── ${name}`);
  const broken = commands.some((command) => spawnSync(command, { shell: true, stdio: "inherit" }).status !== 0);
  if (broken) failed.push(name);
}
rmSync(packed, { recursive: true, force: true });

console.log(failed.length === 0 ? "\nEvery check passed." : `\nFailed: ${failed.join(", ")}`);
process.exitCode = failed.length === 0 ? 0 : 1;
