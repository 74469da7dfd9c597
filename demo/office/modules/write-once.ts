import type pg from "pg";
import type { WriteContext } from "countersign";

/**
 * Runs a write in one transaction under its idempotency key: the same key again changes nothing. `work` answers how many
 * rows its condition met; none means that the row is not what was approved any more.
 */
export async function writeOnce(
  pool: pg.Pool,
  write: {
    readonly ctx: WriteContext;
    readonly tool: string;
    readonly work: (on: pg.PoolClient) => Promise<number | null>;
  },
): Promise<void> {
  const { ctx, tool, work } = write;
  const client = await pool.connect();
  try {
    await client.query("begin");
    const key = await client.query(
      "insert into done_writes (key, tool, by_user) values ($1, $2, $3) on conflict (key) do nothing",
      [ctx.idempotencyKey, tool, ctx.session.displayName ?? ctx.session.userId],
    );
    if (key.rowCount === 1 && (await work(client)) !== 1) throw new Error("the row was changed meanwhile");
    await client.query("commit");
  } catch (error) {
    await client.query("rollback").catch(() => {});
    throw error;
  } finally {
    client.release();
  }
}
