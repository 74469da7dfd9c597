// npm run test:faults: stories of nodes that die, one after another. `--minutes <n>` (default 5), `--seed <n>` tells the
// stories of that seed again, as far as processes allow: what happens, in which order, not to the millisecond. `--mistake
// "no fence"` builds every node with a mistake, to see what a run says of it.
import { parseArgs } from "node:util";
import { mistakes } from "./node-setup.ts";
import { allMishaps, tellStory } from "./story.ts";

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "5" },
    seed: { type: "string" },
    nodes: { type: "string", default: "3" },
    people: { type: "string", default: "4" },
    story: { type: "string", default: "60" },
    mistake: { type: "string" },
  },
});
const mistake = mistakes.find((one) => one === values.mistake);
if (mistake === undefined && values.mistake !== undefined) {
  throw new Error(`--mistake: expected one of ${mistakes.join(", ")}, got ${values.mistake}`);
}
const until = performance.now() + Number(values.minutes) * 60_000;
let seed = Number(values.seed ?? Date.now() % 1_000_000);
let broken = 0;
do {
  console.log(`\nseed ${seed}`);
  const { problems, seen } = await tellStory({
    ...{ seed, mishaps: allMishaps, seconds: Number(values.story) },
    ...{ nodes: Number(values.nodes), people: Number(values.people) },
    ...(mistake !== undefined && { mistake }),
  });
  console.log(
    [...seen]
      .toSorted(([one], [other]) => one.localeCompare(other))
      .map(([what, times]) => `  ${String(times).padStart(6)}  ${what}`)
      .join("\n"),
  );
  for (const problem of problems) console.error(`  BROKEN: ${problem}`);
  if (problems.length > 0) {
    const same = `--story ${values.story} --nodes ${values.nodes} --people ${values.people}`;
    const built = mistake === undefined ? "" : ` --mistake "${mistake}"`;
    console.error(`  the same story again: npm run test:faults -- --seed ${seed} --minutes 0 ${same}${built}`);
  }
  broken += problems.length;
  seed += 1;
} while (performance.now() < until);
console.log(broken === 0 ? "\nEverything held." : `\n${broken} problems.`);
process.exit(broken === 0 ? 0 : 1);
