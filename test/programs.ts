import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";

/** Whether this machine has a program; it is asked for its version. */
export function hasProgram(name: string): boolean {
  return spawnSync(name, ["--version"]).error === undefined;
}

/** A port of this machine that was free a moment ago. */
export async function freePort(): Promise<number> {
  const probe = createServer();
  await once(probe.listen(0, "127.0.0.1"), "listening");
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  if (address === null || typeof address !== "object") throw new Error("a port was asked for");
  return address.port;
}

/** Starts a program, and answers once it said that it is ready; throws with what it said when it ends before. */
export async function startProgram(
  command: readonly [name: string, ...options: readonly string[]],
  how: { readonly ready: string; readonly uid?: number | undefined },
): Promise<ChildProcess> {
  const [name, ...options] = command;
  const child = spawn(name, options, {
    stdio: ["ignore", "pipe", "pipe"],
    ...(how.uid !== undefined && { uid: how.uid }),
  });
  let said = "";
  await new Promise<void>((resolve, reject) => {
    const hear = (piece: Buffer): void => {
      said += piece.toString();
      if (said.includes(how.ready)) resolve();
    };
    child.stdout.on("data", hear);
    child.stderr.on("data", hear);
    child.once("error", reject);
    child.once("exit", () => reject(new Error(`${name} did not start: ${said}`)));
  });
  return child;
}

/** Kills a program of `startProgram`, as SIGKILL does, and waits for its end. */
export async function killProgram(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, "exit");
  child.kill("SIGKILL");
  await gone;
}
