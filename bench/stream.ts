import { randomUUID } from "node:crypto";
import { Readable, Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { openRooms } from "../test/open-rooms.ts";
import { endpointOf, modules, sessions, values } from "./host.ts";
import { cpuMs, quantile, round } from "./measure.ts";
import type { Stage } from "./stage.ts";
import { benchSocket } from "./stream-socket.ts";
import { words } from "./stream-words.ts";
import { askOnce, openChats } from "./turn.ts";

const pieces = 2_000;

/** What one more piece of a streamed answer costs, from the model and from a provider's socket to a watcher's stream, beside Node piping the same. */
export async function benchStream(stage: Stage, runs = 8): Promise<object> {
  const text = { current: [] as readonly string[] };
  const endpoint = endpointOf(() => ({ text: text.current }));
  const setup = { connectionString: stage.connectionString, modules, sessions, values, endpoints: [endpoint] };
  const rooms = await openRooms(setup);
  try {
    const [person] = await openChats(rooms, 1);
    if (person === undefined) throw new Error("a person was made");
    const { ref, conversationId } = person;
    let bytes = 0;
    const send = (encoded: string): boolean => {
      bytes += Buffer.from(encoded).length;
      return true;
    };
    const signal = new AbortController().signal;
    await rooms.chat.watch(ref, { conversationId, afterSeq: null, send, signal });
    const cpuOf = async (count: number): Promise<number> => {
      text.current = Array.from({ length: count }, () => words);
      return cpuMs(() => askOnce(rooms, person));
    };
    const [ours, raw] = [[] as number[], [] as number[]];
    for (let run = -3; run < runs; run++) {
      // What the rest of a turn costs is taken off: only the pieces count.
      const a = ((await cpuOf(pieces)) - (await cpuOf(0))) / pieces;
      const b = (await cpuMs(pipeFrames)) / pieces;
      if (run < 0) continue;
      ours.push(a * 1_000);
      raw.push(b * 1_000);
    }
    const [mine, theirs] = [quantile(ours, 0.5), quantile(raw, 0.5)];
    const fromModel = { ours_cpu_us: round(mine), raw_cpu_us: round(theirs), ratio: round(mine / theirs), bytes };
    return { pieces, from_model: fromModel, from_socket: await benchSocket(stage, runs) };
  } finally {
    await rooms.close();
  }
}

async function pipeFrames(): Promise<void> {
  const turnId = randomUUID();
  async function* frames(): AsyncGenerator<string> {
    for (let index = 0; index < pieces; index++) {
      yield `data: ${JSON.stringify({ type: "delta", turnId, at: index * words.length, text: words })}\n\n`;
    }
  }
  let bytes = 0;
  const count = new Writable({
    write(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      done();
    },
  });
  await pipeline(Readable.from(frames()), count);
}
