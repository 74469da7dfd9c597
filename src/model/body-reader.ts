import type { Readable } from "node:stream";
import { StreamFault } from "./stream-fault.ts";

/** Reads an answer's body piece by piece, with limits on silence and size. */
export interface BodyReader {
  /** The next piece, or null at the end. Time counts only while a piece is waited for: a slow reader is not silence. */
  next(idleMs: number): Promise<Uint8Array | null>;
  /** All that is left, or its first `bytes`. */
  rest(limits: { readonly idleMs: number; readonly bytes: number }): Promise<Uint8Array>;
  /** Reads on for a moment, so that the connection can be used again; a provider that does not stop loses it. */
  drain(): void;
  destroy(): void;
}

const drainMs = 250;

export function createBodyReader(body: Readable, mostBytes: number): BodyReader {
  const iterator = body[Symbol.asyncIterator]() as AsyncIterator<Uint8Array, undefined>;
  let bytes = 0;

  const next = async (idleMs: number): Promise<Uint8Array | null> => {
    const read = await within(iterator.next(), idleMs).catch((error: unknown) => {
      throw new StreamFault("cut", `the connection was lost: ${String(error)}`);
    });
    if (read === "silent") {
      body.destroy();
      throw new StreamFault("idle", "the provider fell silent in the middle of its answer");
    }
    if (read.done === true) return null;
    bytes += read.value.length;
    if (bytes > mostBytes) {
      body.destroy();
      throw new StreamFault("too_large", `the answer is larger than ${mostBytes} bytes`);
    }
    return read.value;
  };
  const readOn = async (): Promise<void> => {
    const timer = setTimeout(() => body.destroy(), drainMs);
    try {
      while ((await iterator.next()).done !== true);
    } catch {
      // the connection is lost, the answer is not
    } finally {
      clearTimeout(timer);
    }
  };
  return {
    next,
    rest: async (limits) => {
      const pieces: Uint8Array[] = [];
      for (let size = 0; size < limits.bytes;) {
        const piece = await next(limits.idleMs);
        if (piece === null) break;
        pieces.push(piece);
        size += piece.length;
      }
      return Buffer.concat(pieces).subarray(0, limits.bytes);
    },
    drain: () => void readOn(),
    destroy: () => body.destroy(),
  };
}

async function within<T>(work: Promise<T>, ms: number): Promise<T | "silent"> {
  const { promise, resolve } = Promise.withResolvers<"silent">();
  const timer = setTimeout(() => resolve("silent"), ms);
  // left behind after a silence, it may still fail
  work.catch(() => {});
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}
