import pg from "pg";

/** Where a PostgreSQL is, and as whom. */
export type Address = Pick<
  pg.ClientConfig,
  "connectionString" | "host" | "port" | "user" | "password" | "database" | "ssl"
>;

const waitForConnectionMs = 15_000;
// Above the server's own limit of 15 s, so that it only ends a statement whose connection went silent.
const silentConnectionMs = 20_000;

/** What each connection is set to; the promises lean on the first five. */
export function settingsOf(schema: string): Readonly<Record<string, string>> {
  return {
    search_path: schema,
    default_transaction_isolation: "read committed",
    synchronous_commit: "on",
    statement_timeout: "15s",
    idle_in_transaction_session_timeout: "5s",
    plan_cache_mode: "force_generic_plan",
    // A plan is kept while its tables grow: one that reads a small table whole would read a large one whole.
    enable_seqscan: "off",
    timezone: "UTC",
    datestyle: "ISO",
    client_min_messages: "warning",
  };
}

/** A client's configuration; its settings go along in the start-up packet, or not where a pooler would refuse them. */
export function toClientConfig(
  address: Address,
  how: { readonly schema: string; readonly settings: boolean },
): pg.ClientConfig {
  const { connectionString, options: given } = splitOptions(address.connectionString);
  const own = Object.entries(settingsOf(how.schema)).map(
    ([name, value]) => `-c ${name}=${value.replaceAll(" ", "\\ ")}`,
  );
  const sent = [...(given === undefined ? [] : [given]), ...(how.settings ? own : [])].join(" ");
  const { host, port, user, password, database, ssl } = address;
  return {
    ...dropUndefined({ connectionString, host, port, user, password, database, ssl }),
    ...(sent !== "" && { options: sent }),
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
