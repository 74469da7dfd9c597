import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { checkClock } from "../../src/cli/check-database.ts";
import { checkNode } from "../../src/cli/check-machine.ts";
import { toText } from "../../src/cli/finding.ts";
import { administer } from "../../src/database/administer.ts";
import { readClockDifference } from "../../src/database/look-at-server.ts";
import { createTestDatabase, type TestDatabase } from "../../src/testing/test-database.ts";
import { noPgBouncer, startPgBouncer } from "../database/pgbouncer.ts";
import { home, look, run, writeModule } from "./command.ts";

const skipped = noPgBouncer === null ? "" : ` (skipped: ${noPgBouncer})`;
let db: TestDatabase;
let environment: Record<string, string>;
beforeAll(async () => {
  db = await createTestDatabase();
  environment = { DATABASE_URL: db.connectionString };
});
afterAll(() => db.drop());

const options = (more: string): string =>
  writeModule(`export const assistantOptions = { database: ${JSON.stringify(db.connectionString)}, ${more} };`);
const change = (statement: string): Promise<void> => administer(db.connectionString, (execute) => execute(statement));

describe("The doctor", () => {
  test("says of a database that is as it should be that it is, and exits with 0", async () => {
    const looked = await look([], environment);
    for (const about of ["Node", "database", "schema", "connections", "pooler", "hints", "clock", "secret"]) {
      expect(looked.of(about), about).toMatchObject({ state: "ok", mend: null });
    }
    for (const about of ["files", "pictures"]) expect(looked.of(about)).toMatchObject({ state: "ok" });
    expect(looked.of("endpoint demo")).toMatchObject({ state: "warning" });
    expect(looked.status).toBe(0);
  });

  test("leaves nothing where files are kept", async () => {
    await look([], { ...environment, COUNTERSIGN_FILES: path.join(home, "made/for/files") });
    expect(existsSync(path.join(home, "made"))).toBe(false);
  });

  test("prints a line for each thing, the mend under what is wrong, and exits with 1", async () => {
    const { status, text } = await run(["doctor"], { DATABASE_URL: "postgresql://me:hunter22@127.0.0.1:1/x" });
    expect(status).toBe(1);
    expect(text).toMatch(/^WRONG {4}database .*no PostgreSQL answers at 127\.0\.0\.1:1 \(ECONNREFUSED\)$/m);
    expect(text).toMatch(/^ +→ Start it or correct the address of the database\.$/m);
    expect(text).toMatch(/^1 thing is wrong, 1 warning\.$/m);
    expect(text).not.toContain("hunter22");
    expect(toText([checkNode("22.18.0")])).toContain("Everything is as it should be.");
  });

  test("finds a Node that is too old", () => {
    expect(["20.19.0", "22.17.9"].map((version) => checkNode(version).state)).toEqual(["wrong", "wrong"]);
    expect(["22.18.0", "24.0.0"].map((version) => checkNode(version).state)).toEqual(["ok", "ok"]);
  });

  test("was asked wrongly: exits with 2 and says how", async () => {
    for (const args of [[], ["operate"], ["doctor", "--fast"], ["doctor", "twice"]]) {
      expect(await run(args)).toMatchObject({ status: 2, text: expect.stringContaining("countersign doctor") });
    }
    expect(await run(["doctor", "--help"])).toMatchObject({ status: 0 });
  });
});

describe("A node's options", () => {
  test("are a value or a function, by name or by default, and variables may stand in a file", async () => {
    const url = JSON.stringify(db.connectionString);
    for (const text of [
      `export const assistantOptions = () => ({ database: ${url} });`,
      `export default { database: ${url} };`,
      `export default async (): Promise<object> => ({ database: { connectionString: ${url} }, settings: { lockHold: 40_000 } });`,
    ]) {
      expect((await look(["--config", writeModule(text)])).of("database")).toMatchObject({ state: "ok" });
    }
    const file = writeModule(`DATABASE_URL=${db.connectionString}\n`, "variables.env");
    expect((await look(["--env", file])).of("database")).toMatchObject({ state: "ok" });
  });

  test.each([
    ["none are named", [], "no database is named"],
    ["a module that is not there", ["--config", "gone.ts"], "gone.ts cannot be loaded"],
    ["a file of variables that is not there", ["--env", "gone.env"], "gone.env cannot be read"],
  ])("%s: said in one sentence", async (_what, args, sentence) => {
    const { status, text } = await run(["doctor", ...args]);
    expect(status).toBe(1);
    expect(text).toContain(`countersign: ${sentence}`);
    expect(text.trim().split("\n")).toHaveLength(1);
  });

  test("a module without any: said in one sentence", async () => {
    const { status, text } = await run(["doctor", "--config", writeModule("export const other = 1;")]);
    expect(status).toBe(1);
    expect(text).toContain("exports no options: export what createAssistant gets");
  });

  test("with a tool or a setting that cannot work are wrong", async () => {
    const tool = `{ kind: "write", name: "pay", description: "Pays.", permission: "p", input: {}, run() {} }`;
    const looked = await look([
      "--config",
      options(
        `modules: [{ key: "bills", title: "Bills", sessionWrites: true, tools: [${tool}] }], settings: { lockHold: 1 }`,
      ),
    ]);
    expect(looked.of("tools")).toMatchObject({ state: "wrong", found: expect.stringContaining("bills.pay") });
    expect(looked.of("settings")).toMatchObject({ state: "wrong", found: expect.stringContaining("lockHold") });
  });
});

describe("The schema", () => {
  test("that is not made yet is a warning; wrong for a node that migrates nothing", async () => {
    const made = await look([], { ...environment, COUNTERSIGN_SCHEMA: "not_made" });
    expect(made).toMatchObject({ status: 0 });
    expect(made.of("schema")).toMatchObject({ state: "warning", mend: "Run countersign migrate." });
    const looked = await look(["--config", options(`schema: "not_made", migrate: false`)]);
    expect(looked.of("schema")).toMatchObject({ state: "wrong", mend: "Run countersign migrate." });
    expect(looked.status).toBe(1);
  });

  test("that is behind, which this role may not change, is wrong", async () => {
    const role = `reader_${randomBytes(4).toString("hex")}`;
    await change(`create role ${role}`);
    try {
      const url = new URL(db.connectionString);
      url.searchParams.set("options", `-c role=${role}`);
      const looked = await look([], { DATABASE_URL: url.href, COUNTERSIGN_SCHEMA: "not_made" });
      expect(looked.of("schema")).toMatchObject({
        state: "wrong",
        mend: `Run countersign migrate as a role that may create there; ${role} may not.`,
      });
    } finally {
      await change(`drop role ${role}`);
    }
  });

  test("that a newer version made, whose files were edited, or that is somebody else's is wrong", async () => {
    await change("insert into countersign.migrations (number, name, checksum) values (9000, '9000_later', 'x')");
    expect((await look([], environment)).of("schema")).toMatchObject({
      state: "wrong",
      found: `the schema "countersign" was brought to 9000_later by a newer countersign`,
    });
    await change("delete from countersign.migrations where number = 9000");

    await change("update countersign.migrations set checksum = 'x' || checksum where number = 1");
    expect((await look([], environment)).of("schema")).toMatchObject({
      state: "wrong",
      mend: "Restore it, or start with an empty schema.",
    });
    await change("update countersign.migrations set checksum = substr(checksum, 2) where number = 1");

    await change("create schema theirs; create table theirs.messages (id int)");
    expect((await look([], { ...environment, COUNTERSIGN_SCHEMA: "theirs" })).of("schema")).toMatchObject({
      state: "wrong",
      mend: "Name another schema.",
    });
  });
});

describe("The database", () => {
  test("that is not there is wrong", async () => {
    const url = new URL(db.connectionString);
    url.pathname = "/nobody_made_this";
    expect((await look([], { DATABASE_URL: url.href })).of("database")).toMatchObject({
      state: "wrong",
      found: expect.stringContaining('has no database "nobody_made_this"'),
      mend: "Create it or correct the name.",
    });
  });

  test("with fewer connections than a node takes is wrong, and a role's own limit counts", async () => {
    const reach = (poolSize: number): string =>
      writeModule(
        `export const assistantOptions = { database: { connectionString: ${JSON.stringify(db.connectionString)}, poolSize: ${poolSize} } };`,
      );
    expect((await look(["--config", reach(5_000)])).of("connections")).toMatchObject({ state: "wrong" });
    const role = `few_${randomBytes(4).toString("hex")}`;
    await change(`create role ${role} connection limit 4`);
    const url = new URL(db.connectionString);
    url.searchParams.set("options", `-c role=${role}`);
    const looked = await look([], { DATABASE_URL: url.href });
    await change(`drop role ${role}`);
    expect(looked.of("schema")).toMatchObject({
      state: "wrong",
      mend: `Give ${role} the rights to the schema and its tables.`,
    });
    expect(looked.of("connections")).toMatchObject({
      state: "wrong",
      found: expect.stringContaining("a node takes up to 11 of 4"),
    });
  });

  test("whose hints are not heard, or whose clock is far from this machine's, is a warning", async () => {
    const bus = "{ publish() {}, subscribe: async () => async () => {}, close: async () => {} }";
    const file = writeModule(
      `export const assistantOptions = { database: ${JSON.stringify(db.connectionString)}, bus: ${bus} };`,
    );
    const looked = await look(["--config", file]);
    expect(looked.of("hints")).toMatchObject({ state: "warning" });
    const ahead = () => Date.now() + 3_600_000;
    expect(checkClock(await readClockDifference(db.database, ahead))).toMatchObject({
      state: "warning",
      found: expect.stringMatching(/^(3599|3600|3601)\.\d s from/),
    });
  });

  test("where a pooler was said and none is there is a warning", async () => {
    const url = JSON.stringify(db.connectionString);
    await change(
      `do $$ begin execute format('alter role current_user in database %I set search_path = countersign', current_database());
        execute format('alter role current_user in database %I set statement_timeout = ''15s''', current_database());
        execute format('alter role current_user in database %I set synchronous_commit = on', current_database());
        execute format('alter role current_user in database %I set idle_in_transaction_session_timeout = ''5s''', current_database());
      end $$`,
    );
    const file = writeModule(
      `export const assistantOptions = { database: { connectionString: ${url}, pooler: { direct: ${url} } } };`,
    );
    expect((await look(["--config", file])).of("pooler")).toMatchObject({
      state: "warning",
      mend: "Leave `pooler` out.",
    });
  });

  // The role is set by the test before.
  test.skipIf(noPgBouncer !== null)(
    `behind a pooler in transaction mode is wrong unless it was said${skipped}`,
    async () => {
      const pooler = await startPgBouncer(db.connectionString, { ignoring: true });
      try {
        const looked = await look([], { DATABASE_URL: pooler.connectionString });
        expect(looked.of("pooler")).toMatchObject({ state: "wrong", mend: expect.stringContaining("{ direct }") });
        const file = writeModule(
          `export const assistantOptions = { database: { connectionString: ${JSON.stringify(pooler.connectionString)}, pooler: { direct: ${JSON.stringify(db.connectionString)} } } };`,
        );
        const said = await look(["--config", file]);
        for (const about of ["pooler", "hints", "schema"]) expect(said.of(about)).toMatchObject({ state: "ok" });
      } finally {
        await pooler.stop();
      }
    },
  );
});

describe("The files' place", () => {
  test("that cannot be written to is wrong", async () => {
    const folder = path.join(writeModule("", "a-file"), "below");
    expect((await look([], { ...environment, COUNTERSIGN_FILES: folder })).of("files")).toMatchObject({
      state: "wrong",
      found: expect.stringMatching(/could not be written in the folder .* \((ENOTDIR|EEXIST)\)/),
      mend: "Name a folder that this user may write to, on a disk with room.",
    });
  });

  test("that loses what it is given is wrong", async () => {
    const driver =
      "{ putStream: async () => {}, exists: async () => false, getStream: async () => null, delete: async () => {} }";
    expect((await look(["--config", options(`files: { driver: ${driver} }`)])).of("files")).toMatchObject({
      state: "wrong",
      found: "a small file could not be read back in the driver",
    });
  });
});
