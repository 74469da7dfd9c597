// A PostgreSQL of one's own in a folder: made when it is not there, started, joined when another process runs it already,
// adopted when the process that started it was killed. It decides who stops it: the last process that uses it.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, fstatSync, openSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:net";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { findBinaries, type Binaries } from "./embedded-binaries.ts";
import { prepareFolder, readPassword, serverEnvironment, socketFolder, superuser, toIds } from "./embedded-folder.ts";
import type { Reach } from "./embedded-folder.ts";
import { startUse } from "./embedded-use.ts";
import { closedFolder, findServerUser, type ServerUser } from "./embedded-user.ts";
import { isPostmasterOf, readPostmaster, removeStaleFile, type Postmaster } from "./postmaster.ts";
import { codeOf, startError } from "./start-error.ts";

/** An embedded server that this process uses. */
export interface Embedded {
  /** For `connectDatabase`, `pg` and whatever else takes one. */
  readonly connectionString: string;
  readonly folder: string;
  /** Whether the server was running already. */
  readonly adopted: boolean;
  /** Gives up this use. The last use of all processes stops the server, and with it every connection. */
  stop(): Promise<void>;
}

export interface EmbeddedOptions {
  /** The data folder: made when it is not there; its log lies beside it. */
  readonly folder: string;
  /** The data folder to take instead where the user that the server has to run as cannot pass to `folder`. */
  readonly elsewhere?: string;
  /** Server settings over the defaults, which are those of a small machine. They count when this call starts it. */
  readonly settings?: Readonly<Record<string, string | number>>;
  /** Default: `socket`; on Windows `tcp`, on 127.0.0.1 with a password of its own. */
  readonly reach?: Reach;
}

const defaults = {
  shared_buffers: "32MB",
  max_connections: 60,
  io_method: "sync",
  max_logical_replication_workers: 0,
  max_parallel_workers: 0,
  jit: "off",
  max_wal_size: "128MB",
  log_min_messages: "warning",
} as const;
const startLimitMs = 60_000;

/**
 * Starts the PostgreSQL of a folder, or joins the one that runs. Throws a start error, one sentence, when the programs
 * are not installed, or the folder is not usable or of another major version. The server outlives a killed process;
 * the next one adopts it.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const { settings = {}, reach = process.platform === "win32" ? "tcp" : "socket" } = options;
  const user = findServerUser();
  const folder = await chooseFolder(options, user);
  const binaries = await findBinaries(user);
  for (const deadline = performance.now() + startLimitMs; performance.now() < deadline; await sleep(20)) {
    await prepareFolder({ folder, binaries, user, reach });
    const running = await findReady(folder);
    const launched = running === undefined && (await launch({ folder, binaries, user, reach, settings }));
    const server = running ?? (await findReady(folder));
    if (server === undefined) continue;
    const connectionString = await toConnectionString(server, folder);
    // Undefined when the server's last user stops it just now: then the next round starts it again.
    const use = await startUse({ connectionString, folder, pgCtl: binaries.pgCtl });
    if (use !== undefined) return { connectionString, folder, adopted: !launched, stop: use.stop };
  }
  throw startError(`PostgreSQL in ${folder} does not get ready; its log is ${folder}.log.`);
}

async function chooseFolder(options: EmbeddedOptions, user: ServerUser | undefined): Promise<string> {
  const folder = path.resolve(options.folder);
  if (options.elsewhere === undefined) return folder;
  return (await closedFolder(user, path.dirname(folder))) === undefined ? folder : path.resolve(options.elsewhere);
}

/** The running server of the folder, once it is ready; undefined when none runs or the one that ran has ended. */
async function findReady(folder: string): Promise<Postmaster | undefined> {
  for (const deadline = performance.now() + startLimitMs; performance.now() < deadline; await sleep(10)) {
    const server = await readPostmaster(folder);
    if (server === undefined || !(await isPostmasterOf(server.pid, folder))) return undefined;
    if (server.status === "ready") return server;
  }
  return undefined;
}

/** Starts the server; false when another process was first, or a rest of the last one is in the way for a moment. */
async function launch(options: {
  readonly folder: string;
  readonly binaries: Binaries;
  readonly user: ServerUser | undefined;
  readonly reach: Reach;
  readonly settings: Readonly<Record<string, string | number>>;
}): Promise<boolean> {
  const { folder, binaries, user, reach, settings } = options;
  const place =
    reach === "tcp"
      ? { listen_addresses: "127.0.0.1", port: await findFreePort(), unix_socket_directories: "" }
      : { listen_addresses: "", unix_socket_directories: await socketFolder(folder, user) };
  const flags = Object.entries({ ...defaults, ...place, ...settings }).flatMap(([name, value]) => [
    "-c",
    `${name}=${value}`,
  ]);
  const log = openSync(`${folder}.log`, "a", 0o600);
  const { size: logStart } = fstatSync(log);
  // Detached: a Ctrl-C that ends this process must leave it a database to write its last words to.
  const child = spawn(binaries.postgres, ["-D", folder, ...flags], {
    ...toIds(user),
    cwd: path.parse(folder).root,
    env: serverEnvironment(),
    detached: true,
    stdio: ["ignore", log, log],
  });
  closeSync(log);
  let ended: string | undefined;
  child.on("exit", (code, signal) => (ended = `ended with ${code ?? signal}`));
  child.on("error", (error) => (ended = codeOf(error)));
  child.unref();

  for (const deadline = performance.now() + startLimitMs; performance.now() < deadline; await sleep(5)) {
    const server = await readPostmaster(folder);
    if (server?.pid === child.pid && server?.status === "ready") return true;
    if (ended === undefined) continue;
    const said = (await readFile(`${folder}.log`)).subarray(logStart).toString("utf8").trim();
    const lockFile = /lock file "([^"]+)" already exists/.exec(said)?.[1];
    if (lockFile !== undefined) await removeStaleFile(lockFile, folder);
    // Backends of a killed server take a moment to notice; the last user of a server removes its socket's folder.
    if (lockFile !== undefined || /shared memory block|could not create lock file/.test(said)) return false;
    throw startError(`PostgreSQL does not start in ${folder} (${ended}): ${said.split("\n").slice(-3).join(" ")}`);
  }
  return false;
}

async function toConnectionString(server: Postmaster, folder: string): Promise<string> {
  if (server.socket !== "") {
    return `postgresql://${superuser}@localhost:${server.port}/postgres?host=${encodeURIComponent(server.socket)}`;
  }
  return `postgresql://${superuser}:${await readPassword(folder)}@127.0.0.1:${server.port}/postgres`;
}

async function findFreePort(): Promise<number> {
  const probe = createServer();
  try {
    await once(probe.listen(0, "127.0.0.1"), "listening");
    const address = probe.address();
    return typeof address === "object" && address !== null ? address.port : 0;
  } finally {
    probe.close();
  }
}
