import { spawn, type ChildProcess } from "node:child_process";
import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { constants, setPriority, tmpdir } from "node:os";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { toReading, toVerdict, type ChildAnswer } from "./child-answer.ts";
import type { ReadJob } from "./reader/reading.ts";
import { verdictFd } from "./reader/reading.ts";

export interface ReadLimits {
  readonly characters: number;
  readonly timeMs: number;
  readonly memoryBytes: number;
}

// Built, this file's neighbour has another ending than in the source.
const program = fileURLToPath(new URL(`./reader/read-file${extname(import.meta.url)}`, import.meta.url));

/** The watchdog inside the child has this much more time before the child is ended from here. */
const backstopMs = 5_000;

const workFolderName = "countersign-file-";
/** Nothing is received, waits to be read and is read for as long as this. */
const oldestWorkFolderMs = 86_400_000;

/** Deletes what processes that died left behind. The times are this machine's own, as the folders are. */
export async function removeOldWorkFolders(): Promise<void> {
  const parent = tmpdir();
  for (const name of await readdir(parent)) {
    if (!name.startsWith(workFolderName)) continue;
    const folder = join(parent, name);
    const found = await stat(folder).catch(() => null);
    if (found === null || Date.now() - found.mtimeMs < oldestWorkFolderMs) continue;
    // Another user's, or another node was faster.
    await rm(folder, { recursive: true, force: true }).catch(() => {});
  }
}

/** Characters; what is longer is none. */
const longestVerdict = 1_000;

/** A folder of its own, which is deleted after `work`. */
export async function inWorkFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), workFolderName));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/**
 * Reads a file in a process of its own, which nothing of this one survives in: no environment, no credentials, no right to
 * start another or to write outside of `folder`. Whatever the file does to it is an answer here. Aborted: `interrupted`.
 */
export async function readInChild(
  file: {
    readonly path: string;
    readonly folder: string;
    readonly picturePath: string;
    readonly thumbnailPath: string;
  },
  limits: ReadLimits,
  signal: AbortSignal,
): Promise<ChildAnswer> {
  if (signal.aborted) return { ok: false, code: "interrupted" };
  const { path, folder, picturePath, thumbnailPath } = file;
  const job: ReadJob = { path, picturePath, thumbnailPath, ...limits };
  const heapMb = Math.floor((limits.memoryBytes / 1_048_576) * 0.7);
  const child = spawn(
    process.execPath,
    [
      `--max-old-space-size=${heapMb}`,
      "--permission",
      "--allow-addons",
      "--allow-worker",
      "--allow-fs-read=*",
      `--allow-fs-write=${folder}`,
      "--no-warnings",
      program,
      JSON.stringify(job),
    ],
    { cwd: folder, env: toEnvironment(folder), stdio: ["ignore", "pipe", "ignore", "pipe"], windowsHide: true },
  );
  yieldToOthers(child);
  const end = (): void => void child.kill("SIGKILL");
  const backstop = setTimeout(end, limits.timeMs + backstopMs);
  signal.addEventListener("abort", end);
  try {
    return await hear(child, { characters: limits.characters, signal });
  } finally {
    clearTimeout(backstop);
    signal.removeEventListener("abort", end);
    end();
  }
}

/** Reading waits behind the node's own work, which people wait for. A process that has already ended needs no priority. */
function yieldToOthers({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {}
}

/** What a process cannot start without, and nothing else: no key, no address, no path of this one. */
export function toEnvironment(folder: string): NodeJS.ProcessEnv {
  const root = process.env["SystemRoot"];
  return { TZ: "UTC", TMPDIR: folder, TEMP: folder, ...(root !== undefined && { SystemRoot: root }) };
}

async function hear(
  child: ChildProcess,
  { characters, signal }: { readonly characters: number; readonly signal: AbortSignal },
): Promise<ChildAnswer> {
  // Of JSON, a character takes six bytes at most, or three as itself.
  const mostBytes = characters * 12 + 65_536;
  const out: Buffer[] = [];
  let length = 0;
  let verdict = "";
  let isTooLong = false;
  child.stdout?.on("data", (piece: Buffer) => {
    length += piece.length;
    if (length <= mostBytes) return void out.push(piece);
    isTooLong = true;
    child.kill("SIGKILL");
  });
  child.stdio[verdictFd]?.on("data", (piece: Buffer) => {
    if (verdict.length < longestVerdict) verdict += piece.toString();
  });
  const started = await new Promise<boolean>((resolve) => {
    child.once("error", () => resolve(false));
    child.once("close", () => resolve(true));
  });
  // A process that could not be started says nothing of the file.
  if (signal.aborted || !started) return { ok: false, code: "interrupted" };
  if (isTooLong) return { ok: false, code: "too_large" };
  const ended = toVerdict(verdict);
  if (ended !== null) return { ok: false, ...ended };
  if (child.exitCode === 0) return toReading(Buffer.concat(out).toString(), characters);
  // Ended without a verdict: from here, at the end of its time; by its own runtime for want of memory; or it broke.
  if (child.signalCode === "SIGKILL") return { ok: false, code: "timeout" };
  if (child.signalCode === "SIGABRT" || child.exitCode === 134) return { ok: false, code: "too_large" };
  return { ok: false, code: "unreadable" };
}
