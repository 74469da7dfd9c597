// Brings a schema to the version of this package: numbered SQL files, each once, in order, under a lock that all nodes
// share. It never goes back, and refuses a schema that a newer package made or whose released files were edited.
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import pg from "pg";
import { createClient } from "./connect.ts";
import type { Database } from "./database.ts";
import { startError } from "./start-error.ts";

interface Migration {
  readonly number: number;
  readonly name: string;
  readonly checksum: string;
  readonly text: string;
}

interface Applied {
  readonly number: number;
  readonly name: string;
  readonly checksum: string;
}

const releasedFiles = new URL("./migrations/", import.meta.url);

/**
 * Applies what is missing, all or nothing, and returns the names applied. Of several nodes that start at once exactly
 * one applies; the others wait for it. Throws a start error when the schema is newer than this package or was made
 * from other files.
 */
export async function migrate(database: Database, options: { readonly files?: URL } = {}): Promise<readonly string[]> {
  const migrations = await readMigrations(options.files ?? releasedFiles);
  const { schema } = database;
  const client = createClient(database);
  await client.connect();
  try {
    if ((await missing({ on: client, migrations, schema })).length === 0) return [];
    await client.query("begin");
    await client.query("set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0");
    await client.query("select pg_advisory_xact_lock(hashtextextended($1, 0))", [`countersign.migrate.${schema}`]);
    // The rights to create a schema are only needed where there is none yet.
    const { rowCount } = await client.query("select from pg_namespace where nspname = $1", [schema]);
    if (rowCount === 0) await client.query(`create schema ${pg.escapeIdentifier(schema)}`);
    await client.query(`
      create table if not exists migrations (
        user_id text not null default '' check (user_id = ''),
        number integer not null,
        name text not null,
        checksum text not null,
        applied_at timestamptz not null default clock_timestamp(),
        primary key (user_id, number)
      )`);
    const todo = await missing({ on: client, migrations, schema });
    for (const { number, name, checksum, text } of todo) {
      await client.query(text);
      await client.query("insert into migrations (number, name, checksum) values ($1, $2, $3)", [
        number,
        name,
        checksum,
      ]);
    }
    await client.query("commit");
    return todo.map(({ name }) => name);
  } finally {
    await client.end();
  }
}

/** How a schema stands to this package. */
export interface MigrationState {
  /** The newest that this package knows. */
  readonly newest: string;
  /** The names of those that the schema lacks, in order. */
  readonly missing: readonly string[];
  /** Whether the schema has none yet; it may not even be there. */
  readonly empty: boolean;
}

/** Looks how the schema stands. Throws as `migrate` does; changes nothing. */
export async function readMigrationState(
  database: Database,
  options: { readonly files?: URL } = {},
): Promise<MigrationState> {
  const migrations = await readMigrations(options.files ?? releasedFiles);
  const client = createClient(database);
  await client.connect();
  try {
    const todo = await missing({ on: client, migrations, schema: database.schema });
    return {
      newest: migrations.at(-1)?.name ?? "none",
      missing: todo.map(({ name }) => name),
      empty: todo.length === migrations.length,
    };
  } finally {
    await client.end();
  }
}

/** For a node that migrates nothing: throws a start error unless the schema is exactly of this package's version. */
export async function requireMigrated(database: Database, options: { readonly files?: URL } = {}): Promise<void> {
  const { missing: lacking, newest } = await readMigrationState(database, options);
  if (lacking.length === 0) return;
  throw startError(
    `the schema "${database.schema}" lacks ${lacking.join(", ")} and this package needs ${newest}: run \`countersign migrate\`, or start one node with \`migrate: true\`.`,
  );
}

async function missing(look: {
  readonly on: pg.Client;
  readonly migrations: readonly Migration[];
  readonly schema: string;
}): Promise<readonly Migration[]> {
  const { on, migrations, schema } = look;
  const { rows: tables } = await on.query<{ there: boolean }>("select to_regclass($1) is not null as there", [
    `${pg.escapeIdentifier(schema)}.migrations`,
  ]);
  if (tables[0]?.there !== true) return migrations;
  const { rows: applied } = await on.query<Applied>("select number, name, checksum from migrations order by number");
  const known = new Map(migrations.map((migration) => [migration.number, migration]));
  for (const { number, name, checksum } of applied) {
    const own = known.get(number);
    if (own === undefined) {
      throw startError(
        `the schema "${schema}" was brought to ${name} by a newer countersign; this package knows up to ${migrations.at(-1)?.name ?? "none"}: install the newer one here too.`,
      );
    }
    if (own.checksum !== checksum) {
      throw startError(
        `${own.name} is not the file that the schema "${schema}" was made with: a released migration was edited; restore it, or start with an empty schema.`,
      );
    }
  }
  const done = new Set(applied.map(({ number }) => number));
  return migrations.filter(({ number }) => !done.has(number));
}

async function readMigrations(folder: URL): Promise<readonly Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".sql")).toSorted();
  return Promise.all(
    names.map(async (file, index) => {
      const number = Number(/^(\d{4})_[a-z0-9_]+\.sql$/.exec(file)?.[1]);
      if (number !== index + 1) {
        throw new Error(`countersign: migrations: expected number ${index + 1} without a gap, got ${file}`);
      }
      // A checkout may have changed line ends.
      const text = (await readFile(new URL(file, folder), "utf8")).replaceAll("\r\n", "\n");
      return { number, name: file.slice(0, -4), checksum: createHash("sha256").update(text).digest("hex"), text };
    }),
  );
}
