import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { constants, setPriority } from "node:os";
import { getRequestListener } from "@hono/node-server";
import { openRooms } from "../test/open-rooms.ts";
import { endpointOf, modules, sessions, values } from "./host.ts";
import { quantile, round, timed } from "./measure.ts";
import type { Stage } from "./stage.ts";
import { askOnce, at, openChats, type Person } from "./turn.ts";

const uploads = 100;
const fileBytes = 200_000;

/** Sends a file of text to each address at once, from a process of its own, and writes how many were taken. */
const sender = `
const [targets, bytes] = process.argv.slice(1);
const body = "some words, ".repeat(Number(bytes) / 12);
const answers = await Promise.all(JSON.parse(targets).map(async ({ url, headers }) => {
  const answer = await fetch(url, { method: "POST", body, headers });
  await answer.text();
  return answer.status;
}));
process.stdout.write(String(answers.filter((status) => status === 201).length));
`;

/** Turns beside a hundred uploads at once, and without them, by turns in one run. */
export interface UploadsFigures {
  readonly uploads: number;
  readonly file_kb: number;
  readonly calm_p50_ms: number;
  /** Beside it, while files are received, and while they are read, which takes far longer. */
  readonly receiving_ratio: number;
  readonly reading_ratio: number;
  /** Each the middle one of the rounds' ratios: what else the machine does changes from round to round more than within one. */
  readonly rounds: readonly Round[];
}

/** p50 of turns, in milliseconds. */
interface Round {
  readonly calm_ms: number;
  readonly receiving_ms: number;
  readonly reading_ms: number;
}

/** Turns that are timed in a row. */
const inARow = 60;

export async function benchUploads({ connectionString }: Stage, rounds = 7): Promise<UploadsFigures> {
  const rooms = await openRooms({ connectionString, modules, sessions, values, endpoints: [endpointOf()] });
  const server = createServer((request, response) => void getRequestListener(rooms.fetch)(request, response));
  await once(server.listen(0, "127.0.0.1"), "listening");
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    const people = await openChats(rooms, 24);
    let turn = 0;
    const ask = (): Promise<number> => timed(() => askOnce(rooms, at(people, turn++)));
    const askInARow = async (): Promise<number[]> => {
      const times: number[] = [];
      while (times.length < inARow) times.push(await ask());
      return times;
    };
    for (let warm = 0; warm < 100; warm++) await ask();
    const found: Round[] = [];
    for (let done = 0; done < rounds; done++) {
      // Chats of their own each time: what waits in the earlier ones would fill them.
      const senders = await openChats(rooms, uploads);
      const calm = await askInARow();
      const files = { areSent: false };
      const sent = upload({ origin, senders }).finally(() => (files.areSent = true));
      // Starting the senders is no part of it.
      await once(server, "request");
      const receiving: number[] = [];
      while (!files.areSent) receiving.push(await ask());
      await sent;
      const reading = await askInARow();
      await rooms.attachments.idle();
      calm.push(...(await askInARow()));
      found.push({ calm_ms: middle(calm), receiving_ms: middle(receiving), reading_ms: middle(reading) });
    }
    return {
      ...{ uploads, file_kb: fileBytes / 1_000, calm_p50_ms: middle(found.map(({ calm_ms: calm }) => calm)) },
      receiving_ratio: middle(found.map(({ calm_ms: calm, receiving_ms: busy }) => busy / calm)),
      reading_ratio: middle(found.map(({ calm_ms: calm, reading_ms: busy }) => busy / calm)),
      rounds: found,
    };
  } finally {
    server.closeAllConnections();
    server.close();
    await rooms.close();
  }
}

const middle = (times: readonly number[]): number => round(quantile(times, 0.5), 2);

/** A hundred uploads at once, until the last of them has been received. */
async function upload(of: { readonly origin: string; readonly senders: readonly Person[] }): Promise<void> {
  const { origin, senders } = of;
  const targets = senders.map(({ ref, conversationId }) => ({
    url: `${origin}/conversations/${conversationId}/attachments?name=words.txt`,
    headers: { "x-user": ref, "x-countersign": "1", origin },
  }));
  const sending = spawn(
    process.execPath,
    ["--input-type=module", "-e", sender, JSON.stringify(targets), String(fileBytes)],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  // The senders stand for other machines: they take only what the server leaves.
  if (sending.pid !== undefined) setPriority(sending.pid, constants.priority.PRIORITY_LOW);
  let taken = "";
  sending.stdout.on("data", (piece: Buffer) => (taken += piece.toString()));
  await once(sending, "close");
  if (taken !== String(senders.length)) throw new Error(`of ${senders.length} files ${taken} were taken`);
}
