import pg from "pg";

/** Runs one statement as it is: no parameters, no preparation. */
export type Run = (statement: string) => Promise<void>;

/**
 * Runs statements about whole databases, which fit into no transaction, on a connection of its own that has none of this
 * package's settings. `version` is the server's, as in 180004.
 */
export async function administer(
  connectionString: string,
  work: (run: Run, version: number) => Promise<void>,
): Promise<void> {
  const client = new pg.Client({ connectionString });
  client.on("error", () => {});
  await client.connect();
  try {
    const { rows } = await client.query<{ version: number }>(
      "select current_setting('server_version_num')::int as version",
    );
    await work(async (statement) => void (await client.query(statement)), rows[0]?.version ?? 0);
  } finally {
    await client.end();
  }
}
