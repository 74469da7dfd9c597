import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { sql } from "../../src/database/sql.ts";
import { createTestDatabase, type TestDatabase } from "../../src/testing/test-database.ts";
import { breakingRows, card, rejected, replaced, told, used } from "./breaking-rows.ts";
import { base, chat, insert, other, type Row, type Table } from "./rows.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());
beforeEach(() =>
  db.database.transaction(async (on) => {
    await on.query(sql`delete from locks`);
    await on.query(sql`delete from attachments`);
    await on.query(sql`delete from conversations`);
    await on.query(sql`delete from confirmations`);
    await on.query(insert.conversations(base.conversations));
    await on.query(insert.conversations({ ...base.conversations, user_id: "ben" }));
  }),
);

test.each(breakingRows)("$rule", async ({ table, after, row, constraint }) => {
  if (after !== undefined) await db.database.query(insert[table]({ ...base[table], ...after }));
  const broken = db.database.query(insert[table]({ ...base[table], ...row }));
  await expect(broken).rejects.toMatchObject({ constraint });
});

test("each row that the cases begin with is taken, and the same of another user beside it", async () => {
  const rows: readonly (readonly [Table, Row])[] = [
    ["messages", told],
    ["messages", { ...card, follows_id: chat, id: other, seq: 2 }],
    ["turns", {}],
    ["locks", {}],
    ["attachments", {}],
    ["confirmations", replaced],
  ];
  for (const user_id of ["anna", "ben"]) {
    for (const [table, row] of rows) await db.database.query(insert[table]({ ...base[table], ...row, user_id }));
  }
  for (const row of [used, rejected, { status: "expired", preview: null }]) {
    await db.database.query(insert.confirmations({ ...base.confirmations, ...row, id: randomUUID() }));
  }
  expect(await db.database.query(sql`select from messages`)).toHaveLength(4);
});

test("with its chat go its messages and turns", async () => {
  await db.database.query(insert.messages(base.messages));
  await db.database.query(insert.turns(base.turns));
  await db.database.query(sql`delete from conversations where user_id = 'anna'`);
  expect(await db.database.query(sql`select id from messages union all select id from turns`)).toEqual([]);
});

test("every check and every unique index has a case that tries to break it", async () => {
  const rows = await db.database.query<{ name: string }>(sql`
    select conname as name from pg_constraint where connamespace = 'countersign'::regnamespace and contype = 'c'
    union
    select indexrelid::regclass::text
      from pg_index join pg_class on pg_class.oid = indrelid
     where relnamespace = 'countersign'::regnamespace and indisunique and not indisprimary`);
  const tried = new Set(breakingRows.map(({ constraint }) => constraint));
  expect(rows.map(({ name }) => name).filter((name) => !tried.has(name))).toEqual([]);
});

test("every table has a user, and every primary key and unique index begins with them", async () => {
  const tables = await db.database.query<{ name: string; type: string | null }>(sql`
    select relname as name, atttypid::regtype::text as type
      from pg_class left join pg_attribute on attrelid = pg_class.oid and attname = 'user_id' and attnotnull
     where relnamespace = 'countersign'::regnamespace and relkind in ('r', 'p')`);
  expect(tables.length).toBeGreaterThan(10);
  expect(tables.filter(({ type }) => type !== "text")).toEqual([]);
  const indexes = await db.database.query<{ table: string; first: string | null }>(sql`
    select pg_class.relname as table, attname as first
      from pg_index
      join pg_class on pg_class.oid = indrelid
      left join pg_attribute on attrelid = indrelid and attnum = indkey[0]
     where relnamespace = 'countersign'::regnamespace and indisunique`);
  expect(indexes.filter(({ first }) => first !== "user_id")).toEqual([]);
  const withKey = await db.database.query(sql`
    select distinct indrelid
      from pg_index join pg_class on pg_class.oid = indrelid
     where relnamespace = 'countersign'::regnamespace and indisprimary`);
  expect(withKey).toHaveLength(tables.length);
});

test("every foreign key joins rows of one user", async () => {
  const keys = await db.database.query<{ name: string; column: string }>(sql`
    select conname as name, attname as column
      from pg_constraint join pg_attribute on attrelid = conrelid and attnum = conkey[1]
     where connamespace = 'countersign'::regnamespace and contype = 'f'`);
  expect(keys.length).toBeGreaterThan(0);
  expect(keys.filter(({ column }) => column !== "user_id")).toEqual([]);
});
