// The bus by PostgreSQL's own notifications: one connection of its own listens and notifies. It promises no delivery:
// whoever must not miss anything reads the rows, and looks again when told of a reconnect.
import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import type { Logger } from "../logger.ts";
import type { Bus } from "./bus.ts";
import { codeOf } from "./start-error.ts";

interface Listener {
  readonly hear: (hint: string) => void;
  readonly onMissed: (() => void) | undefined;
}

const batchMs = 15;
const mostWaiting = 10_000;
const longestChannel = 63;
const firstPauseMs = 50;
const longestPauseMs = 5_000;
const heartbeatMs = 30_000;
const closeLimitMs = 1_000;

/**
 * Makes the connection, which opens when it is first needed and comes back with growing, jittered pauses (50 ms to 5 s)
 * when it is lost. Notifications wait for it meanwhile, at most 10,000 different ones.
 */
export function createSignals(options: { readonly config: pg.ClientConfig; readonly logger: Logger }): Bus {
  const { config, logger } = options;
  const listeners = new Map<string, Set<Listener>>();
  const closing = new AbortController();
  let closed = false;
  let current: pg.Client | undefined;
  let connection: Promise<pg.Client> | undefined;
  let queue = new Map<string, Notification>();
  let sending: Promise<void> | undefined;

  function safely(work: () => void): void {
    try {
      work();
    } catch (error) {
      logger.error({ error: String(error) }, "a listener threw");
    }
  }

  /** One statement at a time: those of listening, notifying and the heartbeat meet on one connection. */
  let last: Promise<unknown> = Promise.resolve();
  function ask(client: pg.Client, query: string | pg.QueryConfig): Promise<unknown> {
    const answer = last.then(() => client.query(query));
    last = answer.catch(() => {});
    return answer;
  }

  async function open(): Promise<pg.Client> {
    // A hint need not survive a crash: without the wait for the disk, notifying stays cheap.
    const settings = "-c synchronous_commit=off -c idle_session_timeout=0";
    const client = new pg.Client({ ...config, options: `${config.options ?? ""} ${settings}` });
    let ended = false;
    client.on("error", () => {});
    client.on("end", () => {
      ended = true;
      if (current === client) lose(client);
    });
    client.on("notification", ({ channel, payload = "" }) => {
      for (const { hear } of listeners.get(channel) ?? []) safely(() => hear(payload));
    });
    try {
      await client.connect();
      for (const name of listeners.keys()) await ask(client, `listen ${pg.escapeIdentifier(name)}`);
      if (ended) throw new Error("the connection ended");
      current = client;
      return client;
    } catch (error) {
      void client.end().catch(() => {});
      throw error;
    }
  }

  async function openInTheEnd(): Promise<pg.Client> {
    for (let pause = firstPauseMs; ; pause = Math.min(pause * 2, longestPauseMs)) {
      closing.signal.throwIfAborted();
      try {
        return await open();
      } catch (error) {
        logger.warn({ code: codeOf(error) }, "the listening database connection is not open yet");
        await sleep(pause * (0.5 + Math.random() / 2), undefined, { signal: closing.signal });
      }
    }
  }

  const connected = (): Promise<pg.Client> => (connection ??= openInTheEnd());

  function lose(client: pg.Client): void {
    current = undefined;
    connection = undefined;
    void client.end().catch(() => {});
    if (closing.signal.aborted) return;
    logger.warn({}, "the listening database connection was lost");
    connected().then(
      () => {
        for (const { onMissed } of [...listeners.values()].flatMap((set) => [...set])) {
          if (onMissed !== undefined) safely(onMissed);
        }
      },
      () => {},
    );
  }

  // A network that went silent ends no connection; a statement on it does not come back in time.
  const heartbeat = setInterval(() => {
    const client = current;
    if (client !== undefined) ask(client, "select").catch(() => current === client && lose(client));
  }, heartbeatMs).unref();

  async function send(): Promise<void> {
    await sleep(batchMs);
    while (queue.size > 0) {
      const client = await connected();
      const batch = queue;
      queue = new Map();
      try {
        await ask(client, toQuery([...batch.values()]));
      } catch (error) {
        if (error instanceof pg.DatabaseError && !error.code?.startsWith("57")) {
          logger.warn({ code: codeOf(error) }, "notifications were refused");
          continue;
        }
        // Perhaps they went out: a hint that comes twice does no harm.
        queue = new Map([...batch, ...queue]);
        if (current === client) lose(client);
      }
    }
  }

  function startSending(): void {
    sending ??= send()
      .catch(() => queue.clear())
      .finally(() => {
        sending = undefined;
        // Queued after the last look at the queue.
        if (queue.size > 0) startSending();
      });
  }

  return {
    async subscribe(channel, hear, onMissed) {
      const name = toChannelName(channel);
      const listener: Listener = { hear, onMissed };
      listeners.set(name, (listeners.get(name) ?? new Set()).add(listener));
      // An open connection has to be told; one that opens now or again finds the name in the list.
      for (let client = await connected(); ; client = await connected()) {
        try {
          await ask(client, `listen ${pg.escapeIdentifier(name)}`);
          break;
        } catch {
          if (current === client) lose(client);
        }
      }
      return async () => {
        const others = listeners.get(name);
        if (others?.delete(listener) !== true || others.size > 0) return;
        listeners.delete(name);
        if (current !== undefined) await ask(current, `unlisten ${pg.escapeIdentifier(name)}`).catch(() => {});
      };
    },
    publish(channel, payload) {
      if (closed || queue.size >= mostWaiting) return;
      const name = toChannelName(channel);
      queue.set(`${name} ${payload}`, { name, payload });
      startSending();
    },
    async close() {
      closed = true;
      clearInterval(heartbeat);
      if (sending !== undefined) await Promise.race([sending, sleep(closeLimitMs, undefined, { ref: false })]);
      closing.abort();
      const client = await connection?.catch(() => undefined);
      await client?.end().catch(() => {});
    },
  };
}

interface Notification {
  readonly name: string;
  readonly payload: string;
}

function toQuery(batch: readonly Notification[]): pg.QueryConfig {
  return {
    name: "countersign_notify",
    text: "select pg_notify(name, payload) from unnest($1::text[], $2::text[]) as batch(name, payload)",
    values: [batch.map(({ name }) => name), batch.map(({ payload }) => payload)],
  };
}

/** Hashed where PostgreSQL would refuse its length. */
function toChannelName(channel: string): string {
  if (Buffer.byteLength(channel) <= longestChannel) return channel;
  return `countersign.${createHash("sha256").update(channel).digest("hex").slice(0, 40)}`;
}
