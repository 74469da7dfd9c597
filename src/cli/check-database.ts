import { toDatabaseOptions } from "../assistant.ts";
import { connectDatabase } from "../database/connect.ts";
import type { Database } from "../database/database.ts";
import {
  hearsItself,
  isPooled,
  lookAtServer,
  readClockDifference,
  type ServerLook,
} from "../database/look-at-server.ts";
import { readMigrationState } from "../database/migrate.ts";
import { codeOf, isStartError } from "../database/start-error.ts";
import { finding, fromSentence, ok, type Finding } from "./finding.ts";
import type { LookedAt } from "./read-options.ts";

const defaultPoolSize = 10;
const hearWithinMs = 5_000;
const clockWarningMs = 5_000;

export interface DatabaseLook {
  readonly findings: readonly Finding[];
  /** Whether the schema can be read: null else. Given back with the database, which its taker closes. */
  readonly database: Database | null;
  readonly migrated: boolean;
}

/** Looks at the server, the schema, the clock, the connections and what carries the hints. */
export async function checkDatabase(options: LookedAt): Promise<DatabaseLook> {
  const reach = toDatabaseOptions({
    database: options.database,
    schema: options.schema,
    bus: options.bus,
    logger: undefined,
  });
  let database: Database;
  try {
    database = await connectDatabase({ ...reach, poolSize: 2 });
  } catch (error) {
    const said = isStartError(error) ? error.startSentence : String(error);
    return { findings: [fromSentence("database", said)], database: null, migrated: false };
  }
  try {
    const server = await lookAtServer(database);
    const schema = await checkSchema(database, { server, migrates: options.migrate !== false });
    const findings = [
      ok("database", `PostgreSQL ${server.version}, as ${server.role}`),
      schema.finding,
      checkConnections(server, reach.poolSize ?? defaultPoolSize),
      await checkPooler(database, reach.pooler !== undefined),
      await checkHints(database, options.bus !== undefined),
      checkClock(await readClockDifference(database)),
    ];
    return { findings, database, migrated: schema.migrated };
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function checkSchema(
  database: Database,
  { server, migrates }: { readonly server: ServerLook; readonly migrates: boolean },
): Promise<{ readonly finding: Finding; readonly migrated: boolean }> {
  const named = `"${database.schema}"`;
  if (server.foreignTables > 0) {
    const found = `${named} holds ${server.foreignTables} tables of somebody else`;
    return { migrated: false, finding: finding("wrong", "schema", { found, mend: "Name another schema." }) };
  }
  try {
    const { missing, newest, empty } = await readMigrationState(database);
    if (missing.length === 0) return { migrated: true, finding: ok("schema", `${named} is at ${newest}`) };
    const found = empty ? `${named} is not made yet` : `${named} lacks ${missing.join(", ")}`;
    if (!server.mayMigrate) {
      const mend = `Run countersign migrate as a role that may create there; ${server.role} may not.`;
      return { migrated: false, finding: finding("wrong", "schema", { found, mend }) };
    }
    const mend = "Run countersign migrate.";
    if (!migrates) return { migrated: false, finding: finding("wrong", "schema", { found, mend }) };
    const first = `${found}; the first node that starts does it`;
    return { migrated: false, finding: finding("warning", "schema", { found: first, mend }) };
  } catch (error) {
    if (isStartError(error)) return { migrated: false, finding: fromSentence("schema", error.startSentence) };
    const found = `the list of migrations in ${named} cannot be read (${codeOf(error)})`;
    const mend = `Give ${server.role} the rights to the schema and its tables.`;
    return { migrated: false, finding: finding("wrong", "schema", { found, mend }) };
  }
}

function checkConnections(server: ServerLook, poolSize: number): Finding {
  const { maxConnections, reservedConnections, usedConnections, roleConnections } = server;
  const limit = maxConnections - reservedConnections;
  const most = roleConnections >= 0 ? Math.min(limit, roleConnections) : limit;
  const wanted = poolSize + 1;
  const found = `a node takes up to ${wanted} of ${most}; ${usedConnections} are in use now`;
  const mend = "Lower poolSize, or raise max_connections or the role's limit.";
  if (wanted > most) return finding("wrong", "connections", { found, mend });
  if (wanted > most - usedConnections) return finding("warning", "connections", { found, mend });
  return ok("connections", found);
}

async function checkPooler(database: Database, said: boolean): Promise<Finding> {
  const pooled = await isPooled(database);
  if (pooled === said) return ok("pooler", said ? "in transaction mode, as was said" : "none in transaction mode");
  if (pooled) {
    return finding("wrong", "pooler", {
      found: "the address leads to a pooler in transaction mode: prepared statements and notifications do not pass it",
      mend: "Say `pooler: { direct }` with the server's own address, or name the server itself.",
    });
  }
  return finding("warning", "pooler", {
    found: "one was said, and none is in transaction mode there: statements are sent unnamed for nothing",
    mend: "Leave `pooler` out.",
  });
}

async function checkHints(database: Database, brought: boolean): Promise<Finding> {
  const by = brought ? "the options' own bus" : "LISTEN and NOTIFY";
  if (await hearsItself(database, hearWithinMs)) return ok("hints", `heard over ${by}`);
  return finding("warning", "hints", {
    found: `nothing was heard over ${by} within ${hearWithinMs / 1_000} s: other nodes' news comes a second late, and no text as it is written`,
    mend: brought ? "Check that what carries them runs and can be reached." : "Name the server itself, not a pooler.",
  });
}

/** How far the database's clock is before this machine's, judged. */
export function checkClock(differenceMs: number): Finding {
  const seconds = Math.abs(differenceMs) / 1_000;
  const found = `${seconds.toFixed(1)} s from the database's`;
  if (Math.abs(differenceMs) < clockWarningMs) return ok("clock", found);
  return finding("warning", "clock", {
    found: `${found}: models are told a wrong time, nothing else`,
    mend: "Set this machine's clock by a time server.",
  });
}
