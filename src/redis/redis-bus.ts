// The bus by Redis: one connection that publishes and hears. Nothing is stored there, and nothing waits for it: while it
// is away, nodes look at the rows by themselves.
import { createClient } from "@redis/client";
import type { Bus } from "../database/bus.ts";
import { silentLogger, type Logger } from "../logger.ts";

/** Which Redis. */
export interface RedisBusOptions {
  /** `redis://user:password@host:port/0`, or `rediss://…` for TLS. Redis 6 or newer, or what speaks its protocol 3. */
  readonly url: string;
  /** Stands before the names of all channels: two installations on one Redis take different ones. Default `countersign`. */
  readonly prefix?: string | undefined;
  /** Default silent. Told when the connection is lost and when it is back, never what passes. */
  readonly logger?: Logger | undefined;
}

const firstPauseMs = 50;
const longestPauseMs = 5_000;
const mostWaiting = 10_000;
const pingEveryMs = 10_000;
/** A network that went silent ends no connection: one on which even pings have no answer is given up. */
const silentMs = 3 * pingEveryMs;
const closeLimitMs = 1_000;

interface Listener {
  readonly hear: (hint: string) => void;
  readonly onMissed: (() => void) | undefined;
}

/**
 * Carries the hints between nodes over Redis, for `createAssistant({ bus })`: the database then has no listening
 * connection. Connects at its first use and again whenever the connection is lost, with growing, jittered pauses (50 ms to
 * 5 s); a node starts and works without it, only slower by a second for those who watch on another node. Needs the package
 * `@redis/client` in the host. Throws on a `url` that is none.
 */
export function createRedisBus({ url, prefix = "countersign", logger = silentLogger }: RedisBusOptions): Bus {
  const client = createClient({
    url,
    RESP: 3,
    commandsQueueMaxLength: mostWaiting,
    pingInterval: pingEveryMs,
    maintNotifications: "disabled",
    socket: {
      socketTimeout: silentMs,
      reconnectStrategy: (tries) =>
        Math.min(firstPauseMs * 2 ** Math.min(tries, 10), longestPauseMs) * (0.5 + Math.random() / 2),
    },
  });
  const listeners = new Set<Listener>();
  let opening: Promise<unknown> | undefined;
  let closed = false;
  let away = false;

  function safely(work: () => void): void {
    try {
      work();
    } catch (error) {
      logger.error({ error: String(error) }, "a listener threw");
    }
  }

  client.on("error", () => {
    if (away || closed) return;
    away = true;
    logger.warn({}, "the connection to Redis was lost, or is not there yet");
  });
  // Told once the channels are subscribed to again.
  client.on("ready", () => {
    if (!away) return;
    away = false;
    logger.info({}, "the connection to Redis is there");
    for (const { onMissed } of [...listeners]) if (onMissed !== undefined) safely(onMissed);
  });

  /** Fulfilled when it is there for the first time; what is sent before waits for it. */
  function open(): Promise<unknown> {
    opening ??= client.connect().catch(() => {});
    return opening;
  }

  const nameOf = (channel: string): string => `${prefix}:${channel}`;

  return {
    publish(channel, hint) {
      if (closed) return;
      void open();
      // One that was under way when the connection broke, or one too many: forgotten.
      client.publish(nameOf(channel), hint).catch(() => {});
    },
    async subscribe(channel, hear, onMissed) {
      const name = nameOf(channel);
      const listener: Listener = { hear, onMissed };
      const heard = (hint: string): void => safely(() => hear(hint));
      listeners.add(listener);
      for (;;) {
        await open();
        if (closed) throw new Error("countersign: the bus is closed");
        try {
          await client.subscribe(name, heard);
          break;
        } catch {
          // The connection broke meanwhile: its next one is waited for.
          await new Promise((resolve) => setTimeout(resolve, firstPauseMs));
        }
      }
      return async () => {
        listeners.delete(listener);
        if (!closed) await client.unsubscribe(name, heard).catch(() => {});
      };
    },
    async close() {
      if (closed) return;
      closed = true;
      if (opening === undefined) return;
      const late = new Promise((resolve) => setTimeout(resolve, closeLimitMs).unref());
      if (client.isReady) await Promise.race([client.close().catch(() => {}), late]);
      if (client.isOpen) client.destroy();
      await opening;
    },
  };
}
