import { randomBytes } from "node:crypto";
import { administer } from "../database/administer.ts";
import { connectDatabase, type DatabaseOptions } from "../database/connect.ts";
import type { Database } from "../database/database.ts";
import { startTestServer, toDatabase, type TestServer } from "./test-server.ts";

/** A database of its own for one test file. */
export interface TestDatabase {
  readonly database: Database;
  /** For further connections, as other nodes have them. */
  readonly connectionString: string;
  /** Closes `database` and removes the database with every connection to it. */
  drop(): Promise<void>;
}

/** How a run's global set-up tells its test processes of the server it started. */
export const sharedServer = "COUNTERSIGN_TEST_SERVER";

let own: Promise<TestServer> | undefined;
let users = 0;

/**
 * Copies a migrated database, real PostgreSQL, in some 20 ms. A server is taken from the run's set-up or from
 * COUNTERSIGN_TEST_DATABASE_URL; else an embedded one is started, and stopped with the last `drop`.
 */
export async function createTestDatabase(
  options: Omit<DatabaseOptions, "connectionString"> = {},
): Promise<TestDatabase> {
  const shared = readShared();
  const server = shared ?? (await takeOwn());
  try {
    const name = `countersign_${randomBytes(8).toString("hex")}`;
    await administer(server.connectionString, async (run, version) => {
      const strategy = version >= 150_000 ? "strategy file_copy" : "";
      await run(`create database ${name} template ${server.template} ${strategy}`);
    });
    const connectionString = toDatabase(server.connectionString, name);
    const database = await connectDatabase({ ...options, connectionString });
    let dropped: Promise<void> | undefined;
    const drop = async (): Promise<void> => {
      await database.close();
      await administer(server.connectionString, (run) => run(`drop database ${name} with (force)`));
      if (shared === undefined) await giveOwn();
    };
    return { database, connectionString, drop: () => (dropped ??= drop()) };
  } catch (error) {
    if (shared === undefined) await giveOwn();
    throw error;
  }
}

type Shared = Pick<TestServer, "connectionString" | "template">;

function readShared(): Shared | undefined {
  const text = process.env[sharedServer];
  return text === undefined ? undefined : (JSON.parse(text) as Shared);
}

async function takeOwn(): Promise<TestServer> {
  users++;
  try {
    return await (own ??= startTestServer());
  } catch (error) {
    users--;
    own = undefined;
    throw error;
  }
}

async function giveOwn(): Promise<void> {
  if (--users > 0) return;
  const server = await own;
  own = undefined;
  await server?.stop();
}
