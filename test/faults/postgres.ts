import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { connectDatabase } from "../../src/database/connect.ts";
import { startEmbedded, type Embedded } from "../../src/database/embedded.ts";
import { migrate } from "../../src/database/migrate.ts";
import { readPostmaster, waitForEnd } from "../../src/database/postmaster.ts";
import { invariant } from "../../src/outcome.ts";
import { officeTables } from "./office.ts";

/** A real PostgreSQL in a fresh folder that can be restarted, with the office's tables beside the assistant's. */
export interface Postgres {
  readonly connectionString: string;
  readonly folder: string;
  /** Ends the server, `crash` at once and without a checkpoint, and starts it again. */
  restart(how: "fast" | "crash"): Promise<void>;
  /** Cuts connections of nodes: of all of them, or each with this chance. */
  cutConnections(chance: () => boolean): Promise<number>;
  /** One statement from outside; asked again while the server restarts. */
  ask<Row extends object>(text: string, values?: readonly unknown[]): Promise<readonly Row[]>;
  close(): Promise<void>;
}

// A killed server process loses nothing without fsync: the system goes on.
const settings = { fsync: "off", max_connections: 100 } as const;

export async function startPostgres(): Promise<Postgres> {
  const folder = await mkdtemp(path.join(tmpdir(), "countersign-faults-"));
  // Where this process is root, the server is another user and has to pass.
  await chmod(folder, 0o711);
  const data = path.join(folder, "data");
  const uses: Embedded[] = [await startEmbedded({ folder: data, settings })];
  const [first] = uses;
  invariant(first !== undefined, "a server was started");
  const { connectionString } = first;
  const database = await connectDatabase({ connectionString, poolSize: 1 });
  await migrate(database);
  await database.close();

  async function ask<Row extends object>(text: string, values: readonly unknown[] = []): Promise<readonly Row[]> {
    for (let attempt = 1; ; attempt++) {
      const client = new pg.Client({ connectionString, application_name: "faults" });
      client.on("error", () => {});
      try {
        await client.connect();
        const { rows } = await client.query<Row>(text, [...values]);
        return rows;
      } catch (error) {
        const refused = error instanceof pg.DatabaseError && !error.code?.startsWith("57P");
        if (refused || attempt === 40) throw error;
        await new Promise((resolve) => setTimeout(resolve, 50));
      } finally {
        await client.end().catch(() => {});
      }
    }
  }
  for (const statement of officeTables.split(";").filter((text) => text.trim() !== "")) await ask(statement);

  return {
    connectionString,
    folder,
    ask,
    async restart(how) {
      const server = await readPostmaster(data);
      invariant(server !== undefined, "the server runs");
      process.kill(server.pid, how === "fast" ? "SIGINT" : "SIGQUIT");
      await waitForEnd(server.pid, data, 20_000);
      uses.push(await startEmbedded({ folder: data, settings }));
    },
    async cutConnections(chance) {
      const nodes = await ask<{ pid: number }>(
        "select pid from pg_stat_activity where application_name in ('countersign', 'office') and pid <> pg_backend_pid()",
      );
      const pids = nodes.filter(chance).map(({ pid }) => pid);
      if (pids.length > 0) await ask("select pg_terminate_backend(pid) from unnest($1::int[]) as pid", [pids]);
      return pids.length;
    },
    async close() {
      for (const use of uses) await use.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
