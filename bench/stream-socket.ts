import { fork } from "node:child_process";
import { once } from "node:events";
import http from "node:http";
import { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { openRooms } from "../test/open-rooms.ts";
import { modules, sessions, values } from "./host.ts";
import { cpuMs, quantile, round } from "./measure.ts";
import type { Stage } from "./stage.ts";
import { askOnce, openChats } from "./turn.ts";

const pieces = 2_000;

/** What one more piece costs from a provider's socket, through its package, to a watcher's stream, beside Node piping the same bytes. */
export async function benchSocket(stage: Stage, runs: number): Promise<object> {
  const provider = fork(fileURLToPath(new URL("provider-process.ts", import.meta.url)), [], {
    execArgv: ["--conditions=countersign-source"],
  });
  const [port] = (await once(provider, "message")) as [number];
  const baseURL = (count: number): string => `http://127.0.0.1:${port}/${count}/v1`;
  const endpoints = [pieces, 0].map((count) => ({
    ...{ name: `pieces-${count}`, provider: "openai-compatible" as const, model: "m", baseURL: baseURL(count) },
    price: { input: 0, output: 0 },
  }));
  const { connectionString } = stage;
  const allowPrivateEndpoints = [`127.0.0.1:${port}`];
  const rooms = await openRooms({ connectionString, modules, sessions, values, endpoints, allowPrivateEndpoints });
  try {
    const [person] = await openChats(rooms, 1);
    if (person === undefined) throw new Error("a person was made");
    const { ref, conversationId } = person;
    let bytes = 0;
    const send = (encoded: string): boolean => {
      bytes += Buffer.from(encoded).length;
      return true;
    };
    await rooms.chat.watch(ref, { conversationId, afterSeq: null, send, signal: new AbortController().signal });
    const ask = async (count: number): Promise<number> => {
      await rooms.settings.setUser(ref, { endpoint: `pieces-${count}` }, { asAdmin: true });
      return cpuMs(() => askOnce(rooms, person));
    };
    const [ours, raw] = [[] as number[], [] as number[]];
    for (let run = -2; run < runs; run++) {
      const a = ((await ask(pieces)) - (await ask(0))) / pieces;
      const b = ((await cpuMs(() => pipeFrom(baseURL(pieces)))) - (await cpuMs(() => pipeFrom(baseURL(0))))) / pieces;
      if (run < 0) continue;
      ours.push(a * 1_000);
      raw.push(b * 1_000);
    }
    const [mine, theirs] = [quantile(ours, 0.5), quantile(raw, 0.5)];
    return { ours_cpu_us: round(mine), raw_cpu_us: round(theirs), ratio: round(mine / theirs), bytes };
  } finally {
    await rooms.close();
    provider.kill();
  }
}

async function pipeFrom(url: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>();
  http.request(`${url}/chat/completions`, { method: "POST" }, resolve).on("error", reject).end("{}");
  let bytes = 0;
  const count = new Writable({
    write(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      done();
    },
  });
  await pipeline(await promise, count);
}
