import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

const start = fileURLToPath(new URL("../../demo/start.ts", import.meta.url));
/** What would make the demo talk to somebody, or share a database. */
const unset = [
  "OPENAI_API_KEY",
  "ANTHROPIC_API_KEY",
  "GOOGLE_GENERATIVE_AI_API_KEY",
  "COUNTERSIGN_MODEL_URL",
  "DATABASE_URL",
];

/** The demo as `npm start` runs it: a process of its own. */
export interface DemoProcess {
  /** The address it printed; null when it ended without one. */
  readonly url: string | null;
  /** All it printed so far. */
  output(): string;
  /** Sends a signal and waits for the end; answers the exit code. */
  end(signal?: NodeJS.Signals): Promise<number | null>;
}

/** Starts the demo and waits until it is ready, or has ended. */
export async function startDemoProcess(environment: Readonly<Record<string, string>>): Promise<DemoProcess> {
  const inherited = Object.entries(process.env).filter(([name]) => !unset.includes(name));
  const child = spawn(process.execPath, ["--conditions=countersign-source", start], {
    env: { ...Object.fromEntries(inherited), PORT: "0", ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  const ended = once(child, "close");
  const url = await new Promise<string | null>((resolve) => {
    const take = (piece: string): void => {
      output += piece;
      const printed = /http:\/\/localhost:\d+/.exec(output);
      if (printed !== null) resolve(printed[0]);
    };
    child.stdout.setEncoding("utf8").on("data", take);
    child.stderr.setEncoding("utf8").on("data", take);
    void ended.then(() => resolve(null));
  });
  return {
    url,
    output: () => output,
    async end(signal = "SIGTERM") {
      if (child.exitCode === null) child.kill(signal);
      await ended;
      return child.exitCode;
    },
  };
}

/** A fresh folder for a demo. */
export async function createHome(): Promise<{ readonly home: string; remove(): Promise<void> }> {
  const home = await mkdtemp(path.join(tmpdir(), "countersign-demo-"));
  // Where this process is root, the database server is another user and has to pass.
  await chmod(home, 0o711);
  return { home, remove: () => rm(home, { recursive: true, force: true }) };
}
