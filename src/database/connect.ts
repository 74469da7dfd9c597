// Connects to a PostgreSQL: the pool, the settings of each connection, named prepared statements and transactions.
// It decides nothing about data and repeats nothing: what the world does to a statement passes through to its caller.
import pg from "pg";
import { invariant } from "../outcome.ts";
import { silentLogger, type Logger } from "../logger.ts";
import { longestHint, type Bus } from "./bus.ts";
import { checkSettings } from "./check-settings.ts";
import { toClientConfig, type Address } from "./client-config.ts";
import type { Database, Queryable } from "./database.ts";
import { createSignals } from "./signals.ts";
import { codeOf, startError } from "./start-error.ts";
import { tooOldSentence, toStartError } from "./start-sentences.ts";
import type { Statement } from "./sql.ts";
import { runTogether } from "./together.ts";

/** Which PostgreSQL, as a connection string or in parts, and how much of it. */
export interface DatabaseOptions extends Address {
  /** The schema all tables live in: lower-case letters, digits, `_`. Default `countersign`. */
  readonly schema?: string;
  /** Connections for statements; one more listens and notifies. Default 10. */
  readonly poolSize?: number;
  /**
   * Said where the address leads to a pooler in transaction mode, as PgBouncer's. Statements are sent unnamed then, and
   * what else sets each connection has to stand on the role: a start error says the statements. `direct` is the server's own
   * address, for one connection that listens (none with a bus of the host's own) and for migrations.
   */
  readonly pooler?: { readonly direct: string } | undefined;
  /** Carries the hints between nodes; ended with the database. Default: PostgreSQL's notifications. */
  readonly bus?: Bus | undefined;
  readonly logger?: Logger;
}

/** `direct` for what needs a connection of its own, `pooled` as the pool's are opened. */
const configs = new WeakMap<Database, Readonly<Record<"direct" | "pooled", pg.ClientConfig>>>();

/** A connection of a database made here that is not of its pool, nor, unless it is asked for, through a pooler: for scripts, without a limit of time on our side. */
export function createClient(database: Database, how: "direct" | "pooled" = "direct"): pg.Client {
  const config = configs.get(database)?.[how];
  invariant(config !== undefined, "createClient is given what connectDatabase made");
  const client = new pg.Client({ ...config, query_timeout: 0 });
  client.on("error", () => {});
  return client;
}

/**
 * Connects to a PostgreSQL 14 or newer and proves it with one statement. Throws a start error, one sentence, when the
 * server cannot be reached, refuses, or is too old.
 */
export async function connectDatabase(options: DatabaseOptions): Promise<Database> {
  const { schema = "countersign", poolSize = 10, logger = silentLogger } = options;
  if (!/^(?!pg_)[a-z_][a-z0-9_]{0,62}$/.test(schema)) {
    throw startError(`schema: expected lower-case letters, digits and "_", got ${JSON.stringify(schema)}.`);
  }
  const { pooler } = options;
  const config = toClientConfig(options, { schema, settings: pooler === undefined });
  // What needs a connection of its own: to listen, to migrate.
  const direct =
    pooler === undefined ? config : toClientConfig({ connectionString: pooler.direct }, { schema, settings: true });
  const pool = new pg.Pool({ ...config, max: poolSize });
  // Without listeners, the end of a connection ends the process: the pool's hears of idle ones, the client's own of one
  // in use, whose statement fails anyway.
  pool.on("connect", (client) => client.on("error", () => {}));
  pool.on("error", (error) => logger.warn({ code: codeOf(error) }, "an idle database connection was lost"));

  try {
    const { rows } = await pool.query<{ version: number; name: string }>(
      "select current_setting('server_version_num')::int as version, current_setting('server_version') as name",
    );
    const found = rows[0];
    const sentence = found && tooOldSentence(found);
    if (sentence !== undefined) throw startError(sentence);
    await checkSettings(pool, { schema, pooled: pooler !== undefined });
  } catch (error) {
    await pool.end();
    await options.bus?.close();
    throw toStartError(error, config);
  }

  const bus = options.bus ?? createSignals({ config: direct, logger });
  const named = pooler === undefined;
  const database: Database = {
    schema,
    query: (statement) => run(pool, toSent(statement, named)),
    transaction: (work) => inTransaction(pool, { work, named }),
    together: (statements, { flush = true } = {}) =>
      runTogether(pool, statements, { flush, named, types: config.types }),
    listen: (channel, hear, onReconnect) => bus.subscribe(`${schema}.${channel}`, hear, onReconnect),
    notify(channel, payload) {
      invariant(Buffer.byteLength(payload) <= longestHint, `a notification has at most ${longestHint} bytes`);
      bus.publish(`${schema}.${channel}`, payload);
    },
    async close() {
      await bus.close();
      await pool.end();
    },
  };
  configs.set(database, { direct, pooled: config });
  return database;
}

/** A pooler hands each transaction another connection, which knows no statement by its name. */
function toSent({ name, text, values }: Statement, named: boolean): pg.QueryConfig {
  return { ...(named && { name }), text, values: [...values] };
}

async function run<Row extends object>(on: pg.Pool | pg.PoolClient, sent: pg.QueryConfig): Promise<readonly Row[]> {
  const result = await on.query<Row>(sent);
  return result.rows;
}

async function inTransaction<T>(
  pool: pg.Pool,
  { work, named }: { readonly work: (on: Queryable) => Promise<T>; readonly named: boolean },
): Promise<T> {
  const client = await pool.connect();
  // A connection that failed in any other way than by an answer of the server is never used again.
  let broken = false;
  let failed: { readonly error: unknown } | undefined;
  const send = async <Result>(ask: () => Promise<Result>): Promise<Result> => {
    try {
      return await ask();
    } catch (error) {
      failed ??= { error };
      if (!(error instanceof pg.DatabaseError)) broken = true;
      throw error;
    }
  };
  try {
    await send(() => client.query("begin"));
    const result = await work({ query: (statement) => send(() => run(client, toSent(statement, named))) });
    const { command } = await send(() => client.query("commit"));
    // PostgreSQL answers the commit of a failed transaction with a rollback and no error.
    if (command !== "COMMIT") {
      throw new Error("countersign: the transaction was rolled back by a statement whose failure was ignored", {
        cause: failed?.error,
      });
    }
    return result;
  } catch (error) {
    if (!broken) await client.query("rollback").catch(() => (broken = true));
    throw error;
  } finally {
    client.release(broken);
  }
}
