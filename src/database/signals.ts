import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import type { Logger } from "../logger.ts";
import { invariant } from "../outcome.ts";
import type { Database } from "./database.ts";

/** The listening half of a database: hints between nodes, over one connection of its own. */
export interface Signals extends Pick<Database, "listen" | "notify" | "close"> {}

interface Listener {
  readonly hear: (payload: string) => void;
  readonly onReconnect: (() => void) | undefined;
}

const batchMs = 5;
const longestPayload = 7_999;
const longestChannel = 63;
const backoffMs = { first: 50, most: 5_000 } as const;

/**
 * Makes the connection that listens and notifies. It is opened when first needed, and reopened with growing pauses
 * (50 ms to 5 s, jittered) when lost; notifications wait meanwhile, and are dropped when the database is closed.
 */
export function createSignals(options: {
  readonly config: pg.ClientConfig;
  readonly schema: string;
  readonly logger: Logger;
}): Signals {
  const { config, schema, logger } = options;
  const listeners = new Map<string, Set<Listener>>();
  const closing = new AbortController();
  let connection: Promise<pg.Client> | undefined;
  let queue = new Map<string, readonly [channel: string, payload: string]>();
  let sending: Promise<void> | undefined;

  async function open(): Promise<pg.Client> {
    // A hint need not survive a crash: without the wait for the disk, notifying stays cheap.
    const client = new pg.Client({ ...config, options: `${config.options ?? ""} -c synchronous_commit=off` });
    client.on("error", () => {});
    client.on("notification", ({ channel, payload = "" }) => {
      for (const listener of listeners.get(channel) ?? []) hearSafely(listener.hear, payload);
    });
    await client.connect();
    client.on("end", () => lost(client));
    for (const channel of listeners.keys()) await client.query(`listen ${pg.escapeIdentifier(channel)}`);
    return client;
  }

  function lost(client: pg.Client): void {
    if (closing.signal.aborted) return;
    logger.warn({}, "the listening database connection was lost");
    connection = reopen();
    connection.then(
      () => {
        for (const set of listeners.values())
          for (const { onReconnect } of set) if (onReconnect) hearSafely(onReconnect);
      },
      () => {},
    );
    void client.end().catch(() => {});
  }

  async function reopen(): Promise<pg.Client> {
    for (let pause: number = backoffMs.first; ; pause = Math.min(pause * 2, backoffMs.most)) {
      closing.signal.throwIfAborted();
      try {
        return await open();
      } catch (error) {
        logger.debug({ error: String(error) }, "the listening database connection is not back yet");
        await sleep(pause * (0.5 + Math.random()), undefined, { signal: closing.signal });
      }
    }
  }

  const connected = (): Promise<pg.Client> => (connection ??= reopen());

  function hearSafely<Args extends readonly unknown[]>(hear: (...args: Args) => void, ...args: Args): void {
    try {
      hear(...args);
    } catch (error) {
      logger.error({ error: String(error) }, "a listener threw");
    }
  }

  async function send(): Promise<void> {
    await sleep(batchMs, undefined, { signal: closing.signal });
    while (queue.size > 0) {
      const batch = [...queue.values()];
      queue = new Map();
      try {
        const client = await connected();
        await client.query({
          name: "countersign_notify",
          text: "select pg_notify(channel, payload) from unnest($1::text[], $2::text[]) as batch(channel, payload)",
          values: [batch.map(([channel]) => channel), batch.map(([, payload]) => payload)],
        });
      } catch (error) {
        if (closing.signal.aborted) return;
        // Lost with the connection: whoever missed it looks when told of the reconnect, or polls.
        logger.debug({ error: String(error) }, "notifications were lost");
      }
    }
  }

  return {
    async listen(channel, hear, onReconnect) {
      const name = toChannelName(schema, channel);
      const listener: Listener = { hear, onReconnect };
      const set = listeners.get(name) ?? new Set();
      listeners.set(name, set.add(listener));
      const client = await connected();
      await client.query(`listen ${pg.escapeIdentifier(name)}`);
      return async () => {
        set.delete(listener);
        if (set.size > 0 || listeners.get(name) !== set) return;
        listeners.delete(name);
        await (await connected()).query(`unlisten ${pg.escapeIdentifier(name)}`);
      };
    },
    notify(channel, payload) {
      invariant(Buffer.byteLength(payload) <= longestPayload, `a notification has at most ${longestPayload} bytes`);
      if (closing.signal.aborted) return;
      const name = toChannelName(schema, channel);
      queue.set(`${name}\0${payload}`, [name, payload]);
      sending ??= send()
        .catch(() => {})
        .finally(() => (sending = undefined));
    },
    async close() {
      closing.abort();
      const client = await connection?.catch(() => undefined);
      await client?.end();
    },
  };
}

/** Schema and channel in one name; hashed when PostgreSQL would cut it. */
function toChannelName(schema: string, channel: string): string {
  const name = `${schema}.${channel}`;
  if (Buffer.byteLength(name) <= longestChannel) return name;
  return `countersign.${createHash("sha256").update(name).digest("hex").slice(0, 40)}`;
}
