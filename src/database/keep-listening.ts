import type { Database } from "./database.ts";

/**
 * Listens from as soon as it can be, and answers how to stop. Stopping does not wait for a connection that is not there yet:
 * a node can be ended while what carries its hints is away. `failed` is told why it can never be heard, unless stopped.
 */
export function keepListening(
  database: Pick<Database, "listen">,
  channel: string,
  heard: { hear(payload: string): void; missed(): void; failed(error: unknown): void },
): () => Promise<void> {
  let stop: (() => Promise<void>) | undefined;
  let over = false;
  database
    .listen(channel, heard.hear, heard.missed)
    .then((unlisten) => (over ? unlisten() : void (stop = unlisten)))
    .catch((error: unknown) => {
      if (!over) heard.failed(error);
    });
  return async () => {
    over = true;
    await stop?.().catch(() => undefined);
  };
}
