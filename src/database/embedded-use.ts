import { execFile } from "node:child_process";
import { rmdir } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import pg from "pg";
import { isPostmasterOf, isProcess, readPostmaster, waitForEnd } from "./postmaster.ts";
import { codeOf, startError } from "./start-error.ts";

/** One process's use of an embedded server. */
export interface Use {
  stop(): Promise<void>;
}

// Every use holds this lock shared on a connection of its own, which ends with its process however that dies. Whoever
// gets it alone is the last one; and while it is held alone nobody joins a server that is about to stop.
const useLock = 7_168_204_463_215_091;
const useName = "countersign use ";
const stopLimitMs = 30_000;
const deadUseLimitMs = 5_000;
const gone = new Set(["ECONNREFUSED", "ECONNRESET", "ENOENT", "EPIPE", "57P01", "57P02", "57P03", "Error"]);

/** Begins a use; undefined when the server is stopping or gone. */
export async function startUse(options: {
  readonly connectionString: string;
  readonly folder: string;
  readonly pgCtl: string;
}): Promise<Use | undefined> {
  const { connectionString, folder, pgCtl } = options;
  let keeper = await hold(connectionString);
  if (keeper === undefined) return undefined;

  let stopped: Promise<void> | undefined;
  async function stop(): Promise<void> {
    // A server that lost its connections in a crash of its own is used on all the same.
    if (keeper?.lost) keeper = await hold(connectionString).catch(() => undefined);
    if (keeper === undefined) return;
    keepProcess(keeper.client, "ref");
    try {
      if (await isLast(keeper.client)) await stopServer(folder, pgCtl);
    } finally {
      await keeper.client.end().catch(() => {});
    }
  }
  return { stop: () => (stopped ??= stop()) };
}

interface Keeper {
  readonly client: pg.Client;
  lost: boolean;
}

async function hold(connectionString: string): Promise<Keeper | undefined> {
  const client = new pg.Client({ connectionString, application_name: `${useName}${process.pid}` });
  const keeper: Keeper = { client, lost: false };
  client.on("error", () => (keeper.lost = true));
  client.on("end", () => (keeper.lost = true));
  try {
    await client.connect();
    const { rows } = await client.query<{ held: boolean }>("select pg_try_advisory_lock_shared($1) as held", [useLock]);
    if (rows[0]?.held === true) {
      // A process that forgets to stop still ends.
      keepProcess(client, "unref");
      return keeper;
    }
    await client.end();
    return undefined;
  } catch (error) {
    await client.end().catch(() => {});
    if (gone.has(codeOf(error))) return undefined;
    throw startError(
      `the PostgreSQL that runs already cannot be joined (${error instanceof Error ? error.message : String(error)}).`,
      error,
    );
  }
}

/** Whether the open connection keeps this process running: `pg` can, its types do not say so. */
function keepProcess(client: pg.Client & { ref?(): void; unref?(): void }, how: "ref" | "unref"): void {
  client[how]?.();
}

async function isLast(client: pg.Client): Promise<boolean> {
  try {
    await client.query("select pg_advisory_unlock_shared($1)", [useLock]);
    for (const deadline = performance.now() + deadUseLimitMs; performance.now() < deadline; await sleep(10)) {
      const { rows } = await client.query<{ alone: boolean }>("select pg_try_advisory_lock($1) as alone", [useLock]);
      if (rows[0]?.alone === true) return true;
      // The server takes a moment to notice that a killed process is gone, and with it its use.
      if (await isUsedByLiving(client)) return false;
    }
    return false;
  } catch {
    return false;
  }
}

async function isUsedByLiving(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ name: string }>(
    `select application_name as name
       from pg_locks join pg_stat_activity using (pid)
      where locktype = 'advisory' and granted and pid <> pg_backend_pid()
        and classid::bigint = $1::bigint >> 32 and objid::bigint = $1::bigint & 4294967295`,
    [useLock],
  );
  return rows.some(({ name }) => isProcess(Number(name.slice(useName.length))));
}

async function stopServer(folder: string, pgCtl: string): Promise<void> {
  const server = await readPostmaster(folder);
  if (server === undefined || !(await isPostmasterOf(server.pid, folder))) return;
  if (process.platform === "win32") {
    await promisify(execFile)(pgCtl, ["stop", "-D", folder, "-m", "fast", "-w"]).catch(() => {});
    return;
  }
  process.kill(server.pid, "SIGINT");
  if (!(await waitForEnd(server.pid, folder, stopLimitMs))) {
    process.kill(server.pid, "SIGQUIT");
    await waitForEnd(server.pid, folder, stopLimitMs);
  }
  // A socket whose path would have been too long has a folder of its own.
  if (server.socket !== "" && server.socket !== folder) await rmdir(server.socket).catch(() => {});
}
