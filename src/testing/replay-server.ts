import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { plant } from "./log-watch.ts";

/** A recorded or hand-made answer of a provider. */
export interface ReplayCase {
  readonly id: string;
  readonly protocol: "openai-chat" | "openai-responses" | "anthropic" | "google";
  readonly http_status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** A body in one piece: text as it is, anything else as JSON. */
  readonly body?: unknown;
  /** Pieces of a stream; `b64` is raw bytes. */
  readonly sse_chunks?: readonly (string | { readonly b64: string })[];
  /** What happens after the last piece. */
  readonly end?: "close" | "reset" | "hang";
}

/** An answer of a provider and how a call of it must end. */
export interface ProviderAnswer extends ReplayCase {
  /** How `complete` ends: `ok:<end>` or the reason it fails for. */
  readonly ends: string;
  /** How many requests are made; 1 unless said. */
  readonly requests?: number;
  readonly text?: string;
  /** Calls as name and arguments text. */
  readonly calls?: readonly (readonly [name: string, argumentsText: string])[];
}

export interface ReplayedRequest {
  readonly id: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: unknown;
}

export interface ReplayServer {
  /** Of one case: its id is the first segment of the path. */
  baseURL(id: string): string;
  readonly requests: readonly ReplayedRequest[];
  close(): Promise<void>;
}

/** Decides what a request gets; a case is replayed, null leaves the connection without an answer. */
export type Answering = (request: ReplayedRequest, nth: number) => ReplayCase | null;

/** Serves answers of providers over real HTTP on a free port of 127.0.0.1. */
export async function startReplayServer(answer: Answering): Promise<ReplayServer> {
  const requests: ReplayedRequest[] = [];
  const server = createServer((incoming, outgoing) => {
    void readBody(incoming).then(async (body) => {
      const path = incoming.url ?? "/";
      const id = decodeURIComponent(path.split("/")[1] ?? "");
      const request = { id, path, headers: incoming.headers, body };
      requests.push(request);
      plant(...keysIn(incoming.headers), ...textsIn(body));
      const found = answer(request, requests.filter((one) => one.id === id).length);
      if (found !== null) await replay(found, outgoing);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseURL: (id) => `http://127.0.0.1:${port}/${encodeURIComponent(id)}/v1`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function replay(one: ReplayCase, outgoing: ServerResponse): Promise<void> {
  if (one.sse_chunks === undefined) {
    const text = typeof one.body === "string" ? one.body : one.body === undefined ? "" : JSON.stringify(one.body);
    const type = /^\s*</.test(text) ? "text/html" : "application/json";
    outgoing.writeHead(one.http_status, { "content-type": type, ...one.headers }).end(text);
    return;
  }
  outgoing.writeHead(one.http_status, { "content-type": "text/event-stream", ...one.headers });
  for (const chunk of one.sse_chunks) {
    outgoing.write(typeof chunk === "string" ? chunk : Buffer.from(chunk.b64, "base64"));
    // so that pieces arrive as pieces
    await new Promise((resolve) => setImmediate(resolve));
  }
  if (one.end === "hang") return;
  if (one.end === "reset") outgoing.socket?.resetAndDestroy();
  else outgoing.end();
}

function keysIn(headers: IncomingMessage["headers"]): readonly string[] {
  const sent = [headers.authorization?.replace(/^Bearer /, ""), headers["x-api-key"], headers["x-goog-api-key"]];
  return sent.flat().filter((key) => key !== undefined);
}

/** What a request says, whatever its protocol: names of tools and models are none of it. */
function textsIn(body: unknown): readonly string[] {
  if (Array.isArray(body)) return body.flatMap(textsIn);
  if (typeof body !== "object" || body === null) return [];
  return Object.entries(body).flatMap(([key, value]) =>
    typeof value === "string" && /^(?:content|text|system|instructions|output|arguments)$/.test(key)
      ? [value]
      : textsIn(value),
  );
}

async function readBody(incoming: IncomingMessage): Promise<unknown> {
  const pieces: Buffer[] = [];
  for await (const piece of incoming) pieces.push(piece as Buffer);
  const text = Buffer.concat(pieces).toString();
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
