import pg from "pg";

/** A connection of the test's own, to look behind core and to hold rows against it. */
export interface Raw {
  readonly client: pg.Client;
  rows<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  close(): Promise<void>;
}

export async function connectRaw(connectionString: string): Promise<Raw> {
  const client = new pg.Client({ connectionString, options: "-c search_path=countersign" });
  await client.connect();
  return {
    client,
    async rows<Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
      const answer = await client.query<Row>(text, [...values]);
      return answer.rows;
    },
    close: () => client.end(),
  };
}

/** The backends of a database that wait for a lock, for at least `count` of them. */
export async function untilWaiting(raw: Raw, count: number): Promise<readonly number[]> {
  for (;;) {
    // Inside a transaction a backend's activity would be read once and remembered.
    await raw.rows("select pg_stat_clear_snapshot()");
    const waiting = await raw.rows<{ pid: number }>(
      "select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    if (waiting.length >= count) return waiting.map(({ pid }) => pid);
  }
}
