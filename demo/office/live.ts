// Tells every open page of the office which row changed, whoever changed it: a person here, the assistant, another process.
import pg from "pg";

/** A row that changed: `invoices INV-1043`. */
export type Hear = (change: string) => void;

export interface Live {
  /** Hears of changes until the returned function is called. */
  listen(hear: Hear): () => void;
  close(): Promise<void>;
}

const again = 1_000;

export async function createLive(connectionString: string): Promise<Live> {
  const listeners = new Set<Hear>();
  const tell = (change: string): void => listeners.forEach((hear) => hear(change));
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  const connect = async (): Promise<void> => {
    const next = new pg.Client({ connectionString });
    client = next;
    next.on("notification", ({ payload = "" }) => tell(payload));
    next.on("error", () => {});
    next.on("end", () => {
      if (!closed) timer = setTimeout(reconnect, again);
    });
    await next.connect();
    await next.query("listen demo_changes");
  };
  const reconnect = (): void => {
    // What was missed meanwhile is not known: everything may have changed.
    connect().then(
      () => tell("all"),
      () => (timer = setTimeout(reconnect, again)),
    );
  };
  await connect();

  return {
    listen(hear) {
      listeners.add(hear);
      return () => listeners.delete(hear);
    },
    async close() {
      closed = true;
      clearTimeout(timer);
      listeners.clear();
      await client?.end().catch(() => {});
    },
  };
}
