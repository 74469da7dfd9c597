import { createServer } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { Readable } from "node:stream";
import { lostHeader } from "./scripted-assistant.ts";
import type { ScriptedAssistant } from "./scripted-assistant.ts";

/** A scripted assistant behind a real HTTP server on a free port. */
export interface ServedAssistant {
  readonly baseUrl: string;
  /** Closes the port and every connection: nobody answers until `open`. */
  shut(): Promise<void>;
  open(): Promise<void>;
}

export async function serveScripted(assistant: ScriptedAssistant): Promise<ServedAssistant> {
  const sockets = new Set<Socket>();
  let port = 0;
  const server = createServer((incoming, outgoing) => {
    const gone = new AbortController();
    outgoing.on("close", () => gone.abort());
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => {
      const body = chunks.length > 0 ? { body: Buffer.concat(chunks) } : {};
      const headers = new Headers(Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]));
      const url = `http://127.0.0.1${incoming.url ?? "/"}`;
      const request = new Request(url, { method: incoming.method ?? "GET", headers, signal: gone.signal, ...body });
      void assistant.fetch(request).then((response) => {
        if (response.headers.has(lostHeader)) return outgoing.destroy();
        outgoing.writeHead(response.status, Object.fromEntries(response.headers));
        outgoing.flushHeaders();
        if (response.body === null) return outgoing.end();
        const stream = Readable.from(response.body);
        stream.on("error", () => outgoing.destroy());
        outgoing.on("close", () => stream.destroy());
        return stream.pipe(outgoing);
      });
    });
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  const open = (): Promise<void> => new Promise((resolve) => server.listen(port, "127.0.0.1", resolve));
  await open();
  port = (server.address() as AddressInfo).port;
  return {
    baseUrl: `http://127.0.0.1:${port}/assistant`,
    open,
    shut: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
