/** A database that runs work in a transaction and rolls it back when the work throws: Drizzle, Knex and others have this shape. */
export interface Transactions<Transaction> {
  transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T>;
}

/** A pool of connections as `pg` has it. */
export interface ConnectionPool<Client> {
  readonly connect: { (): Promise<Client>; (callback: never): unknown };
}

export interface PooledClient {
  query(text: string): Promise<{ readonly rows: readonly unknown[] }>;
  release(destroy?: boolean): void;
}

/**
 * Runs the real change in a transaction, hands back what `work` says of it, and always rolls it back: an exact dry run,
 * to be called in `preview`. Only for a write whose every effect is in one transaction of one database. A handler that
 * sends mail, calls HTTP, writes files or uses another connection has done that for good. Sequences move on all the
 * same, and rows stay locked until it is over.
 */
export function previewByRollback<Client extends PooledClient, T>(
  pool: ConnectionPool<Client>,
  work: (client: Client) => Promise<T>,
): Promise<T>;
export function previewByRollback<Transaction, T>(
  database: Transactions<Transaction>,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T>;
export function previewByRollback<Client extends PooledClient, T>(
  database: ConnectionPool<Client> | Transactions<Client>,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  return "transaction" in database ? inTransaction(database, work) : onConnection(database, work);
}

async function inTransaction<Transaction, T>(
  database: Transactions<Transaction>,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  const rollback = new Error("countersign: a dry run is over and takes back what it did");
  let done: { readonly answer: T } | undefined;
  try {
    await database.transaction(async (transaction) => {
      done = { answer: await work(transaction) };
      throw rollback;
    });
  } catch (error) {
    // Some libraries wrap what is thrown through them; that it was thrown is what counts.
    if (done !== undefined) return done.answer;
    throw error;
  }
  throw new Error("countersign: the database kept a transaction whose work threw: a dry run may have been committed");
}

async function onConnection<Client extends PooledClient, T>(
  pool: ConnectionPool<Client>,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  let healthy = false;
  try {
    await client.query("begin; set local countersign.dry_run = 'on'");
    const answer = await work(client);
    // The mark is gone when the work has ended the transaction itself.
    const { rows } = await client.query("select current_setting('countersign.dry_run', true) as mark");
    const [row] = rows;
    if (typeof row !== "object" || row === null || !("mark" in row) || row.mark !== "on") {
      throw new Error("countersign: a dry run ended its transaction itself: what it did may have been committed");
    }
    return answer;
  } finally {
    try {
      await client.query("rollback");
      healthy = true;
    } finally {
      client.release(!healthy);
    }
  }
}
