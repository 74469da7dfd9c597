import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { openRooms } from "../test/open-rooms.ts";
import { endpointOf, modules, sessions } from "./host.ts";
import { round } from "./measure.ts";
import type { Stage } from "./stage.ts";

const megabyte = 1_048_576;
const fileBytes = 20 * megabyte;

/** Sends a body of this many bytes from a process of its own, so that only the server's memory is counted. */
const sender = `
const [url, bytes, headers] = process.argv.slice(1);
const piece = Buffer.alloc(65_536, "some words, ");
let left = Number(bytes);
const body = new ReadableStream({ pull(to) {
  if (left <= 0) return to.close();
  to.enqueue(new Uint8Array(piece.subarray(0, Math.min(left, piece.length))));
  left -= piece.length;
} });
const answer = await fetch(url, { method: "POST", body, duplex: "half", headers: JSON.parse(headers) });
await answer.text();
process.exit(answer.status === 201 ? 0 : 1);
`;

/** How much more memory the server took at most, in MB of resident memory, counted from before the first large file. */
export interface UploadFigures {
  /** While the first came and was read. */
  readonly one_mb: number;
  /** While any of them did, one after another: what is left for the collector does not grow with their number. */
  readonly many_mb: number;
  readonly files: number;
  readonly file_mb: number;
}

/** Uploads a large file over HTTP again and again and watches the server's resident memory. */
export async function benchUpload({ connectionString }: Stage, runs = 7): Promise<UploadFigures> {
  const ref = "user-1";
  const rooms = await openRooms({ connectionString, modules, sessions, endpoints: [endpointOf()] });
  const made = await rooms.chat.createConversation(ref);
  if (!made.ok) throw new Error(`no chat was made: ${made.reason}`);
  const conversationId = made.conversation.id;
  const server = createServer((request, response) => void getRequestListener(rooms.fetch)(request, response));
  await once(server.listen(0, "127.0.0.1"), "listening");
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const sent = JSON.stringify({ "x-user": ref, "x-countersign": "1", origin });
  const rises: number[] = [];
  let before = 0;
  // The first, small ones load code and warm the pools; from then on all is counted from one beginning.
  for (let run = -3; run < runs; run += 1) {
    if (run === 0) before = process.memoryUsage.rss();
    let most = 0;
    const look = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 5);
    const url = `${origin}/conversations/${conversationId}/attachments?name=large.txt`;
    const sending = spawn(
      process.execPath,
      ["--input-type=module", "-e", sender, url, String(run < 0 ? 1_000 : fileBytes), sent],
      {
        stdio: "inherit",
      },
    );
    const [code] = (await once(sending, "exit")) as [number];
    await rooms.attachments.idle();
    clearInterval(look);
    if (code !== 0) throw new Error("the file was refused");
    const waiting = await rooms.attachments.waiting(ref, { conversationId });
    for (const { id } of waiting.ok ? waiting.attachments : [])
      await rooms.attachments.remove(ref, { attachmentId: id });
    if (run >= 0) rises.push((most - before) / megabyte);
  }
  server.closeAllConnections();
  server.close();
  await rooms.close();
  const [first = 0] = rises;
  const most = Math.max(...rises);
  return { one_mb: round(first, 1), many_mb: round(most, 1), files: rises.length, file_mb: fileBytes / megabyte };
}
