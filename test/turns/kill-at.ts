import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { invariant } from "../../src/outcome.ts";
import type { TurnScene } from "../../src/testing/turn-scene.ts";
import type { Doomed, DoomedPlace } from "./doomed-node.ts";

/** Ends a process that runs the scene's turn, once it stands still at a place; answers its exit code. */
export async function killAt(
  connectionString: string,
  { ref, userId, conversationId }: TurnScene,
  how: { readonly place: DoomedPlace; readonly signal: "SIGKILL" | "SIGTERM"; readonly realTimes?: boolean },
): Promise<number | null> {
  const { place, signal, realTimes = false } = how;
  const doomed: Doomed = { connectionString, ref, userId, conversationId, place, realTimes };
  const script = fileURLToPath(new URL("doomed-node.ts", import.meta.url));
  const args = ["--conditions=countersign-source", script, JSON.stringify(doomed)];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const gone = once(child, "exit");
  try {
    const reached = await Promise.race([once(child.stdout, "data").then(String), gone.then(() => "ended by itself")]);
    invariant(reached === "reached\n", `the process stands still: ${reached}`);
  } finally {
    child.kill(signal);
  }
  const [code] = (await gone) as [number | null];
  return code;
}
