// What an operator wants to know of a database before nodes run on it. Changes nothing.
import { randomUUID } from "node:crypto";
import { createClient } from "./connect.ts";
import type { Database } from "./database.ts";
import { sql } from "./sql.ts";

/** A server, as the role of these options meets it. */
export interface ServerLook {
  readonly version: string;
  readonly role: string;
  readonly maxConnections: number;
  /** Kept for superusers. */
  readonly reservedConnections: number;
  /** Of all databases and roles, this look's own left out. */
  readonly usedConnections: number;
  /** The role's own limit; -1 for none. */
  readonly roleConnections: number;
  /** Whether the role may make what migrations make. */
  readonly mayMigrate: boolean;
  /** Tables in the schema though it has no list of migrations: somebody else's. */
  readonly foreignTables: number;
}

export async function lookAtServer(database: Database): Promise<ServerLook> {
  const { schema } = database;
  const [found] = await database.query<ServerLook>(sql`
    select current_setting('server_version') as version, current_user::text as role,
      current_setting('max_connections')::int as "maxConnections",
      current_setting('superuser_reserved_connections')::int
        + coalesce(current_setting('reserved_connections', true)::int, 0) as "reservedConnections",
      (select count(*)::int from pg_stat_activity
        where backend_type = 'client backend' and pid <> pg_backend_pid()) as "usedConnections",
      (select rolconnlimit from pg_roles where rolname = current_user) as "roleConnections",
      case when to_regnamespace(quote_ident(${schema})) is null
        then has_database_privilege(current_database(), 'create')
        else has_schema_privilege(${schema}, 'create') end as "mayMigrate",
      (select count(*)::int from pg_tables where schemaname = ${schema}
        and not exists (select from pg_tables where schemaname = ${schema} and tablename = 'migrations'))
        as "foreignTables"`);
  if (found === undefined) throw new Error("countersign: a server answered nothing of itself");
  return found;
}

/** How far the database's clock is before this process's, in milliseconds; what the way takes is left out. */
export async function readClockDifference(database: Database, now: () => number = Date.now): Promise<number> {
  let best = { took: Infinity, difference: 0 };
  for (let attempt = 0; attempt < 3; attempt++) {
    const begun = now();
    const [row] = await database.query<{ now: number }>(
      sql`select (extract(epoch from clock_timestamp()) * 1000)::float8 as now`,
    );
    const took = now() - begun;
    if (row !== undefined && took < best.took) best = { took, difference: row.now - (begun + took / 2) };
  }
  return best.difference;
}

/** Whether one server connection serves two of ours in turn, as behind a pooler in transaction mode. */
export async function isPooled(database: Database): Promise<boolean> {
  const [one, other] = [createClient(database, "pooled"), createClient(database, "pooled")];
  await one.connect();
  try {
    await other.connect();
    // Other users of the pooler may take the connection in between: tried more than once.
    for (let attempt = 0; attempt < 5; attempt++) {
      const first = await one.query<{ pid: number }>("select pg_backend_pid() as pid");
      await other.query("begin");
      const second = await other.query<{ pid: number }>("select pg_backend_pid() as pid");
      await other.query("commit");
      if (first.rows[0]?.pid === second.rows[0]?.pid) return true;
    }
    return false;
  } finally {
    await one.end();
    await other.end();
  }
}

/** Whether a hint that is published is heard, within so many milliseconds. */
export async function hearsItself(database: Database, withinMs: number): Promise<boolean> {
  const heard = Promise.withResolvers<true>();
  const late = Promise.withResolvers<false>();
  const timer = setTimeout(() => late.resolve(false), withinMs);
  const channel = `doctor.${randomUUID()}`;
  const listening = database.listen(channel, () => heard.resolve(true));
  listening.then(
    () => database.notify(channel, ""),
    () => late.resolve(false),
  );
  const answer = await Promise.race([heard.promise, late.promise]);
  clearTimeout(timer);
  if (answer) await (await listening)();
  return answer;
}
