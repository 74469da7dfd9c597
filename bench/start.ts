import { fork } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { quantile, round } from "./measure.ts";
import type { Stage } from "./stage.ts";
import type { Started } from "./start-node.ts";

const built = new URL("../dist/index.js", import.meta.url);

/** A node in a process of its own: what importing the built package takes, from start to ready, and its memory when idle. */
export async function benchStart(stage: Stage, runs = 5): Promise<object> {
  if (!existsSync(built)) throw new Error("the package is not built: npm run build");
  const started: Started[] = [];
  for (let run = -1; run < runs; run++) {
    const one = await startOnce(stage.connectionString);
    if (run >= 0) started.push(one);
  }
  const middle = (key: keyof Started): number =>
    quantile(
      started.map((one) => one[key]),
      0.5,
    );
  return {
    import_ms: round(middle("importMs"), 0),
    ready_ms: round(middle("readyMs"), 0),
    idle_mb: round(middle("idleMb"), 0),
    bare_node_mb: round(middle("bareMb"), 0),
  };
}

async function startOnce(connectionString: string): Promise<Started> {
  const child = fork(fileURLToPath(new URL("start-node.ts", import.meta.url)), [built.href, connectionString], {
    execArgv: ["--expose-gc"],
  });
  const [started] = (await once(child, "message")) as [Started];
  child.kill();
  await once(child, "exit");
  return started;
}
