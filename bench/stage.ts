import { mkdtemp, chmod, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { connectDatabase, createClient } from "../src/database/connect.ts";
import type { Database } from "../src/database/database.ts";
import { startEmbedded } from "../src/database/embedded.ts";
import { migrate } from "../src/database/migrate.ts";
import { sql } from "../src/database/sql.ts";
import type { Queryable } from "./floor.ts";

/** A real PostgreSQL with its durable defaults, in a fresh folder, migrated. */
export interface Stage {
  readonly connectionString: string;
  /** For a look at the tables. */
  readonly database: Database;
  /** A connection of the settings that the rooms' own carry, for bare `pg`. */
  connect(): Promise<Queryable & { end(): Promise<void> }>;
  /** Bare connections behind one `query`, each statement on one that is free. */
  connectMany(count: number): Promise<Queryable>;
  /** What the server is and how it commits. */
  describe(): Promise<string>;
  /** Runs a statement that makes many rows, however long it takes, and lets the planner know. */
  fill(text: string): Promise<void>;
  close(): Promise<void>;
}

export async function setStage(settings: Readonly<Record<string, string | number>> = {}): Promise<Stage> {
  const folder = await mkdtemp(path.join(tmpdir(), "countersign-bench-"));
  // Where this process is root, the server is another user and has to pass.
  await chmod(folder, 0o711);
  const embedded = await startEmbedded({ folder: path.join(folder, "data"), settings });
  const { connectionString } = embedded;
  const database = await connectDatabase({ connectionString, poolSize: 2 });
  await migrate(database);
  const clients: { end(): Promise<void> }[] = [];
  let filling: ReturnType<typeof connect> | undefined;
  async function connect(): Promise<ReturnType<typeof createClient>> {
    const client = createClient(database);
    await client.connect();
    clients.push(client);
    return client;
  }
  return {
    connectionString,
    database,
    connect,
    async connectMany(count) {
      const free = await Promise.all(Array.from({ length: count }, connect));
      const waiting: (() => void)[] = [];
      return {
        async query(config) {
          while (free.length === 0) await new Promise<void>((resolve) => waiting.push(resolve));
          const client = free.pop();
          try {
            return await client?.query(config);
          } finally {
            if (client !== undefined) free.push(client);
            waiting.shift()?.();
          }
        },
      };
    },
    async fill(text) {
      filling ??= connect();
      const client = await filling;
      await client.query("set statement_timeout = 0");
      await client.query(text);
      await client.query("analyze");
    },
    async describe() {
      const [row] = await database.query<{ version: string; fsync: string; commit: string }>(sql`
        select current_setting('server_version') as version, current_setting('fsync') as fsync,
          current_setting('synchronous_commit') as commit`);
      return `PostgreSQL ${row?.version}, fsync ${row?.fsync}, synchronous_commit ${row?.commit}`;
    },
    async close() {
      for (const client of clients) await client.end();
      await database.close();
      await embedded.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
