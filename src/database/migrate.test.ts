import { randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../testing/test-database.ts";
import { administer } from "./administer.ts";
import { connectDatabase } from "./connect.ts";
import type { Database } from "./database.ts";
import { migrate, readMigrationState, requireMigrated } from "./migrate.ts";
import { sql } from "./sql.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

const open: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const { close } of open.splice(0)) await close();
});

let schemas = 0;
async function node(options: { readonly schema?: string } = {}): Promise<Database> {
  const schema = options.schema ?? `schema_${++schemas}`;
  const database = await connectDatabase({ connectionString: db.connectionString, schema });
  open.push(database);
  return database;
}

/** A folder of migrations as a release would ship it. */
async function release(files: Readonly<Record<string, string>>): Promise<URL> {
  const folder = await mkdtemp(path.join(tmpdir(), "countersign-migrations-"));
  open.push({ close: () => rm(folder, { recursive: true }) });
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, name), text);
  return pathToFileURL(`${folder}/`);
}

const first = { "0001_one.sql": "create table one (n integer);\ninsert into one values (1);\n" };
const second = { ...first, "0002_two.sql": "create table two (n integer);\n" };

test("an empty database gets the schema and all tables, once", async () => {
  const database = await node();
  expect(await readMigrationState(database)).toMatchObject({
    empty: true,
    missing: expect.arrayContaining(["0001_foundation"]),
  });
  expect(await migrate(database)).toContain("0001_foundation");
  expect(await readMigrationState(database)).toMatchObject({ empty: false, missing: [] });
  expect(await migrate(database)).toEqual([]);
  const tables = await database.query(sql`select from pg_tables where schemaname = ${database.schema}`);
  expect(tables.length).toBeGreaterThan(10);
});

test("of several nodes that start at once exactly one applies, and all go on", async () => {
  const nodes = await Promise.all(Array.from({ length: 5 }, () => node({ schema: "together" })));
  const files = await release(second);
  const applied = await Promise.all(nodes.map((database) => migrate(database, { files })));
  expect(applied.filter((names) => names.length > 0)).toEqual([["0001_one", "0002_two"]]);
  expect(await nodes[0]?.query(sql`select n from one`)).toEqual([{ n: 1 }]);
});

test("a later release applies what is new alone", async () => {
  const database = await node();
  expect(await migrate(database, { files: await release(first) })).toEqual(["0001_one"]);
  expect(await migrate(database, { files: await release(second) })).toEqual(["0002_two"]);
  expect(await database.query(sql`select n from one`)).toEqual([{ n: 1 }]);
});

test("an older node refuses a schema that a newer one made", async () => {
  const database = await node();
  await migrate(database, { files: await release(second) });
  await expect(migrate(database, { files: await release(first) })).rejects.toMatchObject({
    startSentence: `the schema "${database.schema}" was brought to 0002_two by a newer countersign; this package knows up to 0001_one: install the newer one here too.`,
  });
});

test("a node that migrates nothing starts on a schema of its own version alone, and says what is missing", async () => {
  const database = await node();
  const [old, now] = [await release(first), await release(second)];
  await migrate(database, { files: old });
  await expect(requireMigrated(database, { files: old })).resolves.toBeUndefined();
  await expect(requireMigrated(database, { files: now })).rejects.toMatchObject({
    startSentence: `the schema "${database.schema}" lacks 0002_two and this package needs 0002_two: run \`countersign migrate\`, or start one node with \`migrate: true\`.`,
  });
  await migrate(database, { files: now });
  await expect(requireMigrated(database, { files: old })).rejects.toThrow("by a newer countersign");
});

test("a released file that was edited is refused; other line ends are no edit", async () => {
  const database = await node();
  await migrate(database, { files: await release(first) });
  const windows = await release({ "0001_one.sql": first["0001_one.sql"].replaceAll("\n", "\r\n") });
  expect(await migrate(database, { files: windows })).toEqual([]);
  const edited = await release({ "0001_one.sql": `${first["0001_one.sql"]}-- a thought\n` });
  await expect(migrate(database, { files: edited })).rejects.toThrow(
    /^countersign: 0001_one is not the file that the schema "schema_\d+" was made with/,
  );
});

test("a migration that fails leaves nothing of its release", async () => {
  const database = await node();
  const files = await release({ ...first, "0002_bad.sql": "create table two (n integer);\nselect 1 / 0;\n" });
  await expect(migrate(database, { files })).rejects.toThrow("division by zero");
  expect(await database.query(sql`select from pg_namespace where nspname = ${database.schema}`)).toEqual([]);
  expect(await migrate(database, { files: await release(second) })).toEqual(["0001_one", "0002_two"]);
});

test("a gap or a doubled number among the files is a fault of the package", async () => {
  const database = await node();
  const gap = await release({ ...first, "0003_three.sql": "" });
  await expect(migrate(database, { files: gap })).rejects.toThrow(
    "expected number 2 without a gap, got 0003_three.sql",
  );
  const doubled = await release({ ...first, "0001_uno.sql": "" });
  await expect(migrate(database, { files: doubled })).rejects.toThrow(
    "expected number 2 without a gap, got 0001_uno.sql",
  );
});

test("a user who may not make schemas migrates the one made for them", async () => {
  // Roles belong to the whole server, which another run may share.
  const role = `limited_${randomBytes(4).toString("hex")}`;
  await administer(db.connectionString, async (run) => {
    await run(`create role ${role}`);
    await run(`create schema given authorization ${role}`);
  });
  const address = new URL(db.connectionString);
  address.searchParams.set("options", `-c role=${role}`);
  const database = await connectDatabase({ connectionString: address.href, schema: "given" });
  open.push(database);
  expect(await database.query(sql`select current_user as role`)).toEqual([{ role }]);
  expect(await migrate(database, { files: await release(first) })).toEqual(["0001_one"]);
  await administer(db.connectionString, async (run) => {
    await run(`drop owned by ${role} cascade`);
    await run(`drop role ${role}`);
  });
});
