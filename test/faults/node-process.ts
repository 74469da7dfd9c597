import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Problem } from "../../src/wire/api.ts";
import { requestHeader } from "../../src/wire/api.ts";
import { setupVariable, type NodeSetup } from "./node-setup.ts";
import { sessionHeader } from "./office.ts";
import type { Ready } from "./run-node.ts";

/** A node in a process of its own, met over HTTP. */
export interface NodeProcess {
  readonly name: string;
  readonly origin: string;
  readonly alive: boolean;
  /** Settled when the process is gone, whatever ended it. */
  readonly gone: Promise<void>;
  ask(method: string, path: string, sent: Sent): Promise<Answered>;
  signal(signal: "SIGKILL" | "SIGTERM" | "SIGSTOP" | "SIGCONT"): void;
}

export interface Sent {
  readonly as: string;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

/** `status` 0: no answer came. */
export interface Answered {
  readonly status: number;
  readonly body: unknown;
  /** The code of a problem; null for a success or no answer. */
  readonly code: string | null;
}

const program = fileURLToPath(new URL("node-program.ts", import.meta.url));
const startLimitMs = 60_000;
/** Longer than any answer takes; a frozen node gives none. */
const answerLimitMs = 20_000;

/** Starts a node; throws with what it said when it does not get ready. */
export async function startNodeProcess(setup: NodeSetup): Promise<NodeProcess> {
  const child = fork(program, [], {
    env: { ...process.env, [setupVariable]: JSON.stringify(setup) },
    execArgv: ["--conditions=countersign-source"],
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
  let said = "";
  child.stderr?.on("data", (piece: Buffer) => (said = `${said}${piece.toString()}`.slice(-4_000)));
  let alive = true;
  const gone = once(child, "exit").then(() => {
    alive = false;
  });
  const origin = await readOrigin(child, gone, () => said);
  return {
    name: setup.name,
    origin,
    get alive() {
      return alive;
    },
    gone,
    signal: (signal) => void child.kill(signal),
    ask: (method, path, sent) => ask(origin, { method, path, ...sent }),
  };
}

async function readOrigin(child: ChildProcess, gone: Promise<void>, said: () => string): Promise<string> {
  const limit = AbortSignal.timeout(startLimitMs);
  const ready = once(child, "message", { signal: limit }).then(([message]) => message as Ready);
  const ended = gone.then(() => null);
  const answer = await Promise.race([ready, ended]);
  if (answer === null) {
    ready.catch(() => {});
    throw new Error(`a node did not start: ${said()}`);
  }
  return answer.origin;
}

async function ask(origin: string, sent: Sent & { readonly method: string; readonly path: string }): Promise<Answered> {
  const { method, path, as, body, signal } = sent;
  const limit = AbortSignal.timeout(answerLimitMs);
  try {
    const answer = await fetch(`${origin}/assistant${path}`, {
      method,
      headers: {
        [sessionHeader]: as,
        ...(method !== "GET" && { [requestHeader]: "1", origin }),
        ...(body !== undefined && { "content-type": "application/json" }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: signal === undefined ? limit : AbortSignal.any([limit, signal]),
    });
    const text = await answer.text();
    const read: unknown = text === "" ? null : JSON.parse(text);
    // A problem document of our own server.
    return { status: answer.status, body: read, code: answer.ok ? null : (read as Problem).code };
  } catch {
    return { status: 0, body: null, code: null };
  }
}

/** The whole lines of a side file, each as JSON. */
export function readLines(file: string): readonly unknown[] {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    return [];
  }
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line): unknown => JSON.parse(line));
}
