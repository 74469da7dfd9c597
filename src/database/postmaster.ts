import { execFileSync } from "node:child_process";
import { readFile, readlink, realpath, rm } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { codeOf } from "./start-error.ts";

/** What a running server writes about itself into its data folder. */
export interface Postmaster {
  readonly pid: number;
  readonly port: number;
  /** The folder of its socket; empty where it has none. */
  readonly socket: string;
  readonly status: string;
}

/** Reads `postmaster.pid` of a data folder; undefined when there is none or it is half written. */
export async function readPostmaster(folder: string): Promise<Postmaster | undefined> {
  const text = await readFile(path.join(folder, "postmaster.pid"), "utf8").catch(() => "");
  const [pid = "", , , port = "", socket = "", , , status = ""] = text.split("\n");
  if (!/^-?\d+$/.test(pid)) return undefined;
  return { pid: Math.abs(Number(pid)), port: Number(port), socket: socket.trim(), status: status.trim() };
}

/** Whether a process of that number exists, be it a zombie. */
export function isProcess(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === "EPERM";
  }
}

/**
 * Whether this process is the server of that folder. After a restart of the machine or of a container the number may
 * belong to anything, and a killed server can stay a zombie that a signal still reaches.
 */
export async function isPostmasterOf(pid: number, folder: string): Promise<boolean> {
  if (!isProcess(pid)) return false;
  if (process.platform === "win32") return true;
  if (process.platform !== "linux") {
    try {
      return /postgres/.test(execFileSync("ps", ["-o", "comm=", "-p", String(pid)], { encoding: "utf8" }));
    } catch {
      return false;
    }
  }
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  if (!/\(postgres\) [^ZX]/.test(stat)) return false;
  // Unreadable for another user: then the name has to do.
  const cwd = await readlink(`/proc/${pid}/cwd`).catch(() => undefined);
  return cwd === undefined || cwd === (await realpath(folder).catch(() => folder));
}

/** Waits until the server of that folder is gone; false when it is still there after the limit. */
export async function waitForEnd(pid: number, folder: string, limitMs: number): Promise<boolean> {
  for (const end = performance.now() + limitMs; performance.now() < end; await sleep(5)) {
    if (!(await isPostmasterOf(pid, folder))) return true;
  }
  return false;
}

/** Removes a lock file of a folder's server that is gone, whose number now belongs to another process or to a zombie. */
export async function removeStaleFile(lockFile: string, folder: string): Promise<void> {
  const read = (): Promise<string> => readFile(lockFile, "utf8").catch(() => "");
  const before = await read();
  const pid = Math.abs(Number.parseInt(before, 10));
  if (Number.isNaN(pid) || (await isPostmasterOf(pid, folder))) return;
  // The server's own check of its shared memory still keeps two of them apart.
  if ((await read()) === before) await rm(lockFile, { force: true });
}
