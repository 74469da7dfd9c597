// Replays recorded and hand-made answers of providers through the whole product: a local server in front of the real
// provider packages, real turns, a real PostgreSQL. `npm run replay -- <folder>` reads every `.jsonl` in the folder.
import { readFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { judgeCase, type Judged, type Quirk } from "./replay/judge-case.ts";
import { replayAll } from "./replay/replay-cases.ts";

const [folder] = process.argv.slice(2);
if (folder === undefined || !statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
  console.error("usage: npm run replay -- <folder with .jsonl files of cases>");
  process.exit(2);
}

const quirks = readdirSync(folder)
  .filter((name) => name.endsWith(".jsonl"))
  .toSorted((one, other) => one.localeCompare(other))
  .flatMap((name) => readFileSync(join(folder, name), "utf8").split("\n"))
  .filter((line) => line.trim() !== "")
  .map((line) => JSON.parse(line) as Quirk);

const judged: Judged[] = [];
await replayAll(quirks, (quirk, observed) => {
  const one = judgeCase(quirk, observed);
  judged.push(one);
  console.log(JSON.stringify(one));
});
const failed = judged.filter(({ pass }) => !pass).length;
console.log(`${judged.length - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
