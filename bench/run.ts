// npm run bench: the table of all benches. `-- <name>` runs one, `--json` prints its figures alone, `--runs <n>` repeats
// it more or less often; `turn` and `confirm` with `--explain` print their statements beside the floor's.
import { parseArgs } from "node:util";
import { benches, type Bench } from "./benches.ts";
import { explain } from "./explain-steps.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: "boolean", default: false },
    explain: { type: "boolean", default: false },
    runs: { type: "string" },
  },
});
const wanted = positionals.length > 0 ? positionals : Object.keys(benches);
const unknown = wanted.filter((name) => !(name in benches));
if (unknown.length > 0) {
  console.error(`no such bench: ${unknown.join(", ")}; there are ${Object.keys(benches).join(", ")}`);
  process.exit(1);
}

if (values.explain) {
  for (const name of wanted) await explain(name);
} else {
  const all: Record<string, object> = {};
  for (const name of wanted) {
    const bench: Bench | undefined = benches[name];
    if (bench === undefined) continue;
    if (!values.json) console.log(`\n${name}: ${bench.about}`);
    const figures = await bench.run(values.runs === undefined ? undefined : Number(values.runs));
    all[name] = figures;
    if (!values.json) print(figures, bench.goal);
  }
  if (values.json) console.log(JSON.stringify(wanted.length === 1 ? Object.values(all)[0] : all));
}
process.exit(0);

function print(figures: object, goal: string): void {
  console.table(flatten(figures));
  console.log(`to reach: ${goal}`);
}

/** One row a line, whatever the shape: lists become rows, all else one row. */
function flatten(figures: object): readonly object[] {
  const lists = Object.values(figures).filter((value): value is readonly object[] => Array.isArray(value));
  const single = Object.fromEntries(Object.entries(figures).filter(([, value]) => !Array.isArray(value)));
  return [...lists.flat(), ...(Object.keys(single).length > 0 ? [single] : [])];
}
