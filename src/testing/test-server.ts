import { randomBytes } from "node:crypto";
import { chmod, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { administer } from "../database/administer.ts";
import { connectDatabase } from "../database/connect.ts";
import { startEmbedded } from "../database/embedded.ts";
import { migrate } from "../database/migrate.ts";
import { isProcess } from "../database/postmaster.ts";

/** A server for tests, with a database that is already migrated and is only ever copied. */
export interface TestServer {
  readonly connectionString: string;
  readonly template: string;
  stop(): Promise<void>;
}

const prefix = "countersign-test-";
// Nothing of a test's data has to survive a crash.
const careless = { fsync: "off", synchronous_commit: "off", full_page_writes: "off", max_connections: 200 } as const;

/**
 * Starts a server in a fresh temporary folder, or takes the one that COUNTERSIGN_TEST_DATABASE_URL names (its user must
 * be allowed to create databases), and migrates the template. Runs at the same time share nothing.
 */
export async function startTestServer(): Promise<TestServer> {
  const given = process.env["COUNTERSIGN_TEST_DATABASE_URL"];
  const server = given === undefined || given === "" ? await startOwn() : { connectionString: given, async stop() {} };
  const template = `countersign_template_${randomBytes(6).toString("hex")}`;
  try {
    await administer(server.connectionString, (run) => run(`create database ${template}`));
    const database = await connectDatabase({
      connectionString: toDatabase(server.connectionString, template),
      poolSize: 1,
    });
    try {
      await migrate(database);
    } finally {
      await database.close();
    }
    await administer(server.connectionString, (run) =>
      run(`alter database ${template} with is_template true allow_connections false`),
    );
  } catch (error) {
    await server.stop();
    throw error;
  }
  return {
    connectionString: server.connectionString,
    template,
    async stop() {
      if (given !== undefined && given !== "") {
        await administer(given, async (run) => {
          await run(`alter database ${template} with is_template false`);
          await run(`drop database ${template} with (force)`);
        });
      }
      await server.stop();
    },
  };
}

/** The same server's address with another database. */
export function toDatabase(connectionString: string, name: string): string {
  const url = new URL(connectionString);
  url.pathname = `/${name}`;
  return url.href;
}

async function startOwn(): Promise<{ readonly connectionString: string; stop(): Promise<void> }> {
  await removeAbandoned();
  const folder = await mkdtemp(path.join(tmpdir(), `${prefix}${process.pid}-`));
  // Where this process is root, the server is another user and has to pass.
  await chmod(folder, 0o711);
  try {
    const embedded = await startEmbedded({ folder: path.join(folder, "data"), settings: careless });
    return {
      connectionString: embedded.connectionString,
      async stop() {
        await embedded.stop();
        await rm(folder, { recursive: true, force: true });
      },
    };
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

/** Stops and removes the servers of test processes that were killed. */
async function removeAbandoned(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const pid = Number(/^countersign-test-(\d+)-/.exec(name)?.[1]);
    if (!Number.isSafeInteger(pid) || isProcess(pid)) continue;
    const folder = path.join(tmpdir(), name);
    try {
      const there = await readdir(folder);
      if (there.includes("data")) await (await startEmbedded({ folder: path.join(folder, "data") })).stop();
      await rm(folder, { recursive: true, force: true });
    } catch {
      // Another user's, or another run is at it.
    }
  }
}
