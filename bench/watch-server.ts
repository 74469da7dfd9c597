// The server of the bench `watch`, in a process of its own: tells every watcher the same number of events when told to,
// and says what that cost it in CPU time.
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type RequestListener, type ServerResponse } from "node:http";
import { setImmediate as turnOver } from "node:timers/promises";
import { getRequestListener } from "@hono/node-server";
import { openRooms } from "../test/open-rooms.ts";
import { endpointOf, modules, sessions, values } from "./host.ts";
import { openChats } from "./turn.ts";

export interface WatchedSetup {
  readonly kind: "ours" | "raw";
  readonly connectionString: string;
  readonly people: number;
  readonly events: number;
}
export interface WatchedReady {
  readonly origin: string;
  readonly paths: readonly { readonly path: string; readonly user: string }[];
}
export interface WatchedDone {
  readonly cpuMs: number;
}

interface Watched {
  readonly listener: RequestListener;
  readonly paths: WatchedReady["paths"];
  /** Tells everybody one event. */
  tell(index: number): void;
}

// Written by the process that starts this one.
const setup = JSON.parse(process.env["COUNTERSIGN_BENCH_WATCH"] ?? "{}") as WatchedSetup;
const turnId = randomUUID();
const words = "a few words of an answer ";

const watched = setup.kind === "ours" ? await serveOurs() : serveRaw();
const server = createServer(watched.listener);
await once(server.listen(0, "127.0.0.1", 2_048), "listening");
const address = server.address();
if (address === null || typeof address !== "object") throw new Error("a port was taken");
const ready: WatchedReady = { origin: `http://127.0.0.1:${address.port}`, paths: watched.paths };
process.send?.(ready);
await once(process, "message");
const before = process.cpuUsage();
for (let index = 0; index < setup.events; index++) {
  watched.tell(index);
  await turnOver();
}
// What was told is written by then.
await new Promise((resolve) => setTimeout(resolve, 500));
const { user, system } = process.cpuUsage(before);
const done: WatchedDone = { cpuMs: (user + system) / 1_000 };
process.send?.(done);

async function serveOurs(): Promise<Watched> {
  const { connectionString, people } = setup;
  const rooms = await openRooms({ connectionString, modules, sessions, values, endpoints: [endpointOf()] });
  const chats = await openChats(rooms, people);
  const listener = getRequestListener(rooms.fetch, { overrideGlobalObjects: false });
  return {
    listener: (request, response) => void listener(request, response),
    paths: chats.map(({ ref, conversationId }) => ({ path: `/conversations/${conversationId}/events`, user: ref })),
    tell(index) {
      for (const { ref, conversationId } of chats) {
        const place = { userId: ref, conversationId };
        rooms.chat.publish(place, { type: "delta", turnId, at: index * words.length, text: words });
      }
    },
  };
}

function serveRaw(): Watched {
  const responses: ServerResponse[] = [];
  return {
    listener(_request, response) {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write('data: {"type":"hello"}\n\n');
      responses.push(response);
    },
    paths: Array.from({ length: setup.people }, (_none, index) => ({ path: "/", user: `person-${index}` })),
    tell(index) {
      const event = { type: "delta", turnId, at: index * words.length, text: words };
      const frame = `data: ${JSON.stringify(event)}\n\n`;
      for (const response of responses) response.write(frame);
    },
  };
}
