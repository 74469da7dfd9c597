import pg from "pg";
import { z } from "zod";
import { afterAll, beforeAll, expect, expectTypeOf, test } from "vitest";
import type { Queryable } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import { createTestDatabase, type TestDatabase } from "../testing/test-database.ts";
import { writeTool } from "./define-tool.ts";
import { previewByRollback } from "./preview-by-rollback.ts";
import { refuse } from "./refuse.ts";

let db: TestDatabase;
let pool: pg.Pool;

beforeAll(async () => {
  db = await createTestDatabase();
  pool = new pg.Pool({ connectionString: db.connectionString, max: 1 });
  // The database is dropped with its connections, of which one may still be closing after `end`.
  pool.on("error", () => undefined);
  await pool.query("create schema host; create table host.invoices (id text primary key, state text not null)");
  await pool.query("insert into host.invoices values ('7', 'open')");
});

afterAll(async () => {
  await pool.end();
  await db.drop();
});

const stateOf = async (on: Pick<pg.ClientBase, "query">): Promise<string> => {
  const { rows } = await on.query<{ state: string }>("select state from host.invoices where id = '7'");
  return rows[0]?.state ?? "none";
};

const voidInvoice = (on: Pick<pg.ClientBase, "query">) =>
  on.query("update host.invoices set state = 'void' where id = '7'");

writeTool({
  name: "invoice_void",
  description: "Voids an invoice.",
  permission: "billing.write",
  input: z.object({ id: z.string() }),
  preview: (_ctx, input) =>
    previewByRollback(pool, async (client) => {
      expectTypeOf(client).toEqualTypeOf<pg.PoolClient>();
      expectTypeOf(input).toEqualTypeOf<{ id: string }>();
      return { title: "Void", changes: [], data: { version: 1 } };
    }),
  run: (ctx) => {
    expectTypeOf(ctx.preview.data).toEqualTypeOf<{ version: number } | undefined>();
  },
});

test("a dry run by rollback sees its own change and leaves nothing, on a pool", async () => {
  const seen = await previewByRollback(pool, async (client) => {
    await voidInvoice(client);
    return stateOf(client);
  });
  expect(seen).toBe("void");
  expect(await stateOf(pool)).toBe("open");
});

test("a dry run by rollback sees its own change and leaves nothing, in a transaction of the host's library", async () => {
  const change = sql`update host.invoices set state = 'void' where id = '7' returning state`;
  const seen = await previewByRollback(db.database, async (on) => {
    expectTypeOf(on).toEqualTypeOf<Queryable>();
    return on.query(change);
  });
  expect(seen).toEqual([{ state: "void" }]);
  expect(await stateOf(pool)).toBe("open");
});

test("a dry run by rollback that throws leaves nothing, throws on, and gives its connection back", async () => {
  const broken = previewByRollback(pool, async (client) => {
    await voidInvoice(client);
    throw new Error("no such customer");
  });
  await expect(broken).rejects.toThrow("no such customer");
  const onLibrary = previewByRollback(db.database, async () => {
    throw new Error("no such customer");
  });
  await expect(onLibrary).rejects.toThrow("no such customer");
  expect(await stateOf(pool)).toBe("open");
});

test("a dry run by rollback may refuse", async () => {
  const answer = await previewByRollback(pool, async () => refuse("not_open", "The invoice is not open."));
  expect(answer).toMatchObject({ refusal: { code: "not_open" } });
});

test("a dry run that ended its transaction itself fails, and so does one that its database kept", async () => {
  const ended = previewByRollback(pool, async (client) => {
    await client.query("commit");
    return "done";
  });
  await expect(ended).rejects.toThrow("ended its transaction itself");
  const forgiving = {
    transaction: async <T>(work: (on: null) => Promise<T>): Promise<T | undefined> => {
      try {
        return await work(null);
      } catch {
        return undefined;
      }
    },
  };
  // @ts-expect-error a library that swallows what is thrown in a transaction is none that this can use
  await expect(previewByRollback(forgiving, async () => "done")).rejects.toThrow("may have been committed");
});
