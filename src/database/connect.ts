// Connects to a PostgreSQL: the pool, the settings of each connection, named prepared statements and transactions.
// It decides nothing about data and repeats nothing: what the world does to a statement passes through to its caller.
import pg from "pg";
import { invariant } from "../outcome.ts";
import { silentLogger, type Logger } from "../logger.ts";
import type { Database, Queryable } from "./database.ts";
import { createSignals } from "./signals.ts";
import { codeOf, startError } from "./start-error.ts";
import { tooOldSentence, toStartError } from "./start-sentences.ts";
import type { Statement } from "./sql.ts";
import { runTogether } from "./together.ts";

/** Which PostgreSQL, as a connection string or in parts, and how much of it. */
export interface DatabaseOptions extends Pick<
  pg.ClientConfig,
  "connectionString" | "host" | "port" | "user" | "password" | "database" | "ssl"
> {
  /** The schema all tables live in: lower-case letters, digits, `_`. Default `countersign`. */
  readonly schema?: string;
  /** Connections for statements; one more listens and notifies. Default 10. */
  readonly poolSize?: number;
  readonly logger?: Logger;
}

const waitForConnectionMs = 15_000;
// Above the server's own limit of 15 s, so that it only ends a statement whose connection went silent.
const silentConnectionMs = 20_000;

const configs = new WeakMap<Database, pg.ClientConfig>();

/** A connection of a database made here that is not of its pool: for scripts, without a limit of time on our side. */
export function createClient(database: Database): pg.Client {
  const config = configs.get(database);
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
  const config = toClientConfig(options, schema);
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
  } catch (error) {
    await pool.end();
    throw toStartError(error, config);
  }

  const signals = createSignals({ config, schema, logger });
  const database: Database = {
    schema,
    query: (statement) => run(pool, statement),
    transaction: (work) => inTransaction(pool, work),
    together: (statements, { flush = true } = {}) => runTogether(pool, statements, { flush, types: config.types }),
    listen: signals.listen,
    notify: signals.notify,
    async close() {
      await signals.close();
      await pool.end();
    },
  };
  configs.set(database, config);
  return database;
}

async function run<Row extends object>(on: pg.Pool | pg.PoolClient, statement: Statement): Promise<readonly Row[]> {
  const result = await on.query<Row>({ name: statement.name, text: statement.text, values: [...statement.values] });
  return result.rows;
}

async function inTransaction<T>(pool: pg.Pool, work: (on: Queryable) => Promise<T>): Promise<T> {
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
    const result = await work({ query: (statement) => send(() => run(client, statement)) });
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

function toClientConfig(options: DatabaseOptions, schema: string): pg.ClientConfig {
  const settings = {
    search_path: schema,
    default_transaction_isolation: "read committed",
    synchronous_commit: "on",
    plan_cache_mode: "force_generic_plan",
    // A plan is kept while its tables grow: one that reads a small table whole would read a large one whole.
    enable_seqscan: "off",
    statement_timeout: "15s",
    idle_in_transaction_session_timeout: "5s",
    timezone: "UTC",
    datestyle: "ISO",
    client_min_messages: "warning",
  };
  const { connectionString, options: given } = splitOptions(options.connectionString);
  const own = Object.entries(settings).map(([name, value]) => `-c ${name}=${value.replaceAll(" ", "\\ ")}`);
  const { host, port, user, password, database, ssl } = options;
  return {
    ...dropUndefined({ connectionString, host, port, user, password, database, ssl }),
    options: [...(given === undefined ? [] : [given]), ...own].join(" "),
    application_name: "countersign",
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    connectionTimeoutMillis: waitForConnectionMs,
    query_timeout: silentConnectionMs,
    types: { getTypeParser },
  };
}

/** Options of a connection string would replace this package's settings: they are taken out and sent before them. */
function splitOptions(connectionString: string | undefined): { connectionString?: string; options?: string } {
  if (connectionString === undefined) return {};
  const [address = "", query] = connectionString.split("?", 2);
  if (query === undefined) return { connectionString };
  const parameters = new URLSearchParams(query);
  const options = parameters.get("options");
  if (options === null) return { connectionString };
  parameters.delete("options");
  return { connectionString: parameters.size === 0 ? address : `${address}?${parameters}`, options };
}

const int8 = pg.types.builtins.INT8;
const int8Array = 1016;
const toNumber = (text: string): number => Number(text);

// Counters and amounts in millionths stay far below 2^53.
function getTypeParser(oid: number): (text: string) => unknown {
  if (oid === int8) return toNumber;
  if (oid === int8Array) {
    const toItem = (item: string): number | null => (item === "NULL" ? null : Number(item));
    return (text) => (text === "{}" ? [] : text.slice(1, -1).split(",").map(toItem));
  }
  return pg.types.getTypeParser(oid, "text") as (text: string) => unknown;
}

function dropUndefined<Fields extends object>(fields: Fields): Partial<Fields> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<Fields>;
}
