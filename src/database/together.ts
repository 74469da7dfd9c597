import pg from "pg";
import type { Statement } from "./sql.ts";

/** Ends a batch whose commit waits for the disk whatever one of its statements says. */
const flushed: Statement = {
  name: "countersign_flushed",
  text: "select set_config('synchronous_commit', 'on', true)",
  values: [],
};

const saysWhen = ({ text }: Statement): boolean => text.includes("synchronous_commit");

/** What `pg` sends and hears of one query, as its client calls it; its types leave most of it out. */
interface Asked extends pg.Submittable {
  readonly name: string;
  readonly text: string;
  submit(connection: pg.Connection): Error | null;
  handleRowDescription(message: unknown): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, connection: pg.Connection): void;
  handleReadyForQuery(connection: pg.Connection): void;
}

/**
 * Sends statements in one go and hears their answers: without a sync between them, they are one transaction. A failure
 * leaves the connection with statements that `pg` thinks are prepared and the server does not know: it is not used again.
 */
export async function runTogether(
  pool: pg.Pool,
  statements: readonly Statement[],
  how: { readonly flush: boolean; readonly named: boolean; readonly types: pg.CustomTypesConfig | undefined },
): Promise<readonly (readonly object[])[]> {
  const client = await pool.connect();
  let broken = true;
  try {
    const rows = await new Promise<readonly (readonly object[])[]>((resolve, reject) => {
      const all = how.flush && statements.some(saysWhen) ? [...statements, flushed] : statements;
      const batch = createBatch(all, {
        ...how,
        resolve,
        reject,
      });
      client.query(batch);
    });
    broken = false;
    return rows.slice(0, statements.length);
  } finally {
    client.release(broken);
  }
}

function createBatch(
  statements: readonly Statement[],
  of: {
    readonly named: boolean;
    readonly types: pg.CustomTypesConfig | undefined;
    resolve(rows: readonly (readonly object[])[]): void;
    reject(error: Error): void;
  },
): pg.Submittable {
  const rows: (readonly object[])[] = [];
  const asked = statements.map(({ name, text, values }) => {
    const callback = (error: Error | null, result: { readonly rows: readonly object[] }): void => {
      // A value that cannot be sent: without the last sync nothing of the batch is ever committed.
      if (error) throw error;
      rows.push(result.rows);
    };
    // Unnamed and without values, a statement would be sent as one of text alone, and end the batch.
    const called = of.named ? { name } : { queryMode: "extended" as const };
    const config = { ...called, text, values: [...values], types: of.types, callback };
    // Its methods are those of every release of `pg`; its types leave them out.
    return new pg.Query(config) as unknown as Asked;
  });
  let at = 0;
  const current = (): Asked => {
    const query = asked[at];
    if (query === undefined) throw new Error("countersign: an answer without a question");
    return query;
  };
  const batch = {
    // Called by the client when it is over, in time or not.
    callback: (error: Error | null) => {
      if (error) of.reject(error);
      else of.resolve(rows);
    },
    // Read at each message that a statement was prepared: it is the current one's.
    get name() {
      return of.named ? asked[at]?.name : undefined;
    },
    get text() {
      return asked[at]?.text;
    },
    submit(connection: pg.Connection & { sync(): void }) {
      // Each query ends with a sync: only the last of them is sent.
      const unsynced = Object.create(connection) as pg.Connection & { sync(): void };
      unsynced.sync = () => {};
      connection.stream.cork();
      try {
        for (const query of asked) {
          const error = query.submit(unsynced);
          if (error !== null) return error;
        }
        connection.sync();
        return null;
      } finally {
        connection.stream.uncork();
      }
    },
    handleRowDescription: (message: unknown) => current().handleRowDescription(message),
    handleDataRow: (message: unknown) => current().handleDataRow(message),
    handleCommandComplete(message: unknown, connection: pg.Connection) {
      current().handleCommandComplete(message, connection);
      at += 1;
    },
    handleError(error: Error) {
      batch.callback(error);
    },
    handleReadyForQuery(connection: pg.Connection) {
      for (const query of asked) query.handleReadyForQuery(connection);
      batch.callback(null);
    },
  };
  return batch;
}
