import type { Statement } from "./sql.ts";

/** Anything statements can be run on: the pool, or the one connection of a transaction. */
export interface Queryable {
  /** Runs one named prepared statement: one round trip. `Row` is what its columns are known to be. */
  query<Row extends object>(statement: Statement): Promise<readonly Row[]>;
}

/**
 * One PostgreSQL, seen through a pool of connections that all carry this package's settings (read committed,
 * synchronous commit, generic plans, statement and idle limits, the schema as search path).
 */
export interface Database extends Queryable {
  /**
   * Runs `work` in a transaction on one connection. Nothing slow is awaited inside: no model, no handler, no file. Its
   * statements are awaited one after another; one that fails has undone the transaction, also when that is caught.
   */
  transaction<T>(work: (on: Queryable) => Promise<T>): Promise<T>;
  /**
   * Runs statements one after another, all or none, in one round trip and one commit; answers the rows of each. For steps
   * that belong to the same moment: none may need what another answers. Rows are locked in their order. The commit waits
   * for the disk, or with `flush` false as its statements say.
   */
  together(
    statements: readonly Statement[],
    options?: { readonly flush?: boolean },
  ): Promise<readonly (readonly object[])[]>;
  /** The schema all tables live in. */
  readonly schema: string;
  /**
   * Listens on a channel of this schema. A notification is only a hint to look sooner: `onReconnect` fires after the
   * listening connection was lost and is back, when anything may have been missed.
   */
  listen(channel: string, hear: (payload: string) => void, onReconnect?: () => void): Promise<() => Promise<void>>;
  /** Queues a notification; all of a few milliseconds go out together, apart from any statement that stores. */
  notify(channel: string, payload: string): void;
  close(): Promise<void>;
}
