// The `fetch` all requests to providers go through: addresses are checked, answers end where they end, silence and size
// are limited, and what is no stream of the protocol becomes one, or an error that says what it is.
import { createBodyReader, type BodyReader } from "./body-reader.ts";
import type { HttpFetch, ModelRequest } from "./http-fetch.ts";
import { createOverseer, type Overseer, type Protocol } from "./protocols.ts";
import { createEventReader, toEventText, type StreamEvent } from "./server-sent-events.ts";
import { StreamFault } from "./stream-fault.ts";
import { isErrorBody, readBodies, readInnerStatus, toEvents } from "./whole-answer.ts";

export interface StreamLimits {
  /** How long a provider may be silent, before its headers and between any two pieces. */
  readonly idleMs: number;
  /** How long an answer that is whole may keep its stream open. */
  readonly finishedIdleMs: number;
  readonly bytes: number;
}

/** Names the status of an error that came with status 200; `none` when the body names no status either. */
export const innerStatusHeader = "x-countersign-inner-status";

const errorBodyBytes = 65_536;

interface Answer {
  readonly headers: Readonly<Record<string, string>>;
  readonly reader: BodyReader;
  readonly overseer: Overseer;
  readonly protocol: Protocol;
  readonly limits: StreamLimits;
}

/** Makes the `fetch` of one endpoint. It sends JSON and answers an event stream or an error; nothing else. */
export function createGuardedFetch(http: HttpFetch, protocol: Protocol, limits: StreamLimits): typeof fetch {
  return async (input, init) => {
    const request = toRequest(input, init);
    const response = await http.send(request, limits.idleMs);
    const headers = keptHeaders(response.headers);
    const reader = createBodyReader(response.body, limits.bytes);
    if (response.status !== 200) {
      const body = await reader.rest({ idleMs: limits.idleMs, bytes: errorBodyBytes });
      reader.drain();
      return new Response(Buffer.from(body), { status: toErrorStatus(response.status), headers });
    }
    const overseer = createOverseer(protocol, offeredIn(request.body));
    return readAnswer({ headers, reader, overseer, protocol, limits });
  };
}

async function readAnswer(answer: Answer): Promise<Response> {
  const { reader, limits } = answer;
  const first = await firstOf(reader, limits.idleMs);
  if (first === null || looksLikeEvents(first)) return toStream(answer, first);
  const more = await reader.rest(limits);
  return ofWholeBody(answer, Buffer.concat([first, more]).toString());
}

function toStream({ headers, reader, overseer, limits }: Answer, first: Uint8Array | null): Response {
  const events = createEventReader();
  const encoder = new TextEncoder();
  const encode = (told: readonly StreamEvent[]): Uint8Array => encoder.encode(told.map(toEventText).join(""));
  const overseen = (heard: readonly StreamEvent[]): readonly StreamEvent[] =>
    // what comes after the end is not the answer's
    heard.flatMap((event) => (overseer.state() === "ended" ? [] : overseer.push(event)));
  const mend = (piece: Uint8Array): Uint8Array => encode(overseen(events.push(piece)));
  let early = first;
  const nextPiece = async (): Promise<Uint8Array | null> => {
    const piece = early;
    early = null;
    if (piece !== null) return piece;
    if (overseer.state() !== "finished") return reader.next(limits.idleMs);
    return reader.next(limits.finishedIdleMs).catch((error: unknown) => {
      // the answer is whole: what never came was not part of it
      if (error instanceof StreamFault && error.fault === "idle") return null;
      throw error;
    });
  };
  const body = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      try {
        for (let sent = 0; sent === 0;) {
          const piece = first === null ? null : await nextPiece();
          const bytes = piece === null ? encode([...overseen(events.end()), ...overseer.end()]) : mend(piece);
          sent = bytes.length;
          if (sent > 0) controller.enqueue(bytes);
          if (piece !== null && overseer.state() !== "ended") continue;
          if (piece !== null) reader.drain();
          controller.close();
          return;
        }
      } catch (error) {
        controller.error(error);
      }
    },
    cancel: () => reader.destroy(),
  });
  return new Response(body, { status: 200, headers: { ...headers, "content-type": "text/event-stream" } });
}

function ofWholeBody({ headers, overseer, protocol }: Answer, text: string): Response {
  const bodies = readBodies(text);
  if (bodies.length === 0) {
    throw new StreamFault("not_a_stream", `status 200 with something else: ${text.slice(0, 200)}`);
  }
  const events = bodies.flatMap((body) => toEvents(body, protocol) ?? []).map((event) => JSON.stringify(event));
  if (events.length > 0) {
    if (protocol === "openai-compatible") events.push("[DONE]");
    const sent = events.flatMap((data) => overseer.push({ event: null, data }));
    return new Response(sent.map(toEventText).join(""), {
      status: 200,
      headers: { ...headers, "content-type": "text/event-stream" },
    });
  }
  const inner = readInnerStatus(bodies[0]);
  const said = isErrorBody(bodies[0]) ? text.slice(0, errorBodyBytes) : "not an answer of this protocol";
  return new Response(said, {
    status: inner ?? 500,
    headers: { ...headers, [innerStatusHeader]: inner === null ? "none" : String(inner) },
  });
}

function toRequest(input: Parameters<typeof fetch>[0], init: RequestInit | undefined): ModelRequest {
  return {
    url: new URL(input instanceof Request ? input.url : input),
    method: init?.method ?? "GET",
    headers: Object.fromEntries(new Headers(init?.headers)),
    body: typeof init?.body === "string" ? init.body : "",
    signal: init?.signal ?? undefined,
  };
}

/** Only whole answers and errors are known to what follows. */
function toErrorStatus(status: number): number {
  return status >= 400 && status <= 599 ? status : 502;
}

const ofTheConnection = new Set(["content-length", "content-encoding", "transfer-encoding", "connection"]);

function keptHeaders(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !ofTheConnection.has(name)));
}

/** The names of the tools a chat request offers. */
function offeredIn(body: string): ReadonlySet<string> {
  try {
    const { tools = [] } = JSON.parse(body) as {
      readonly tools?: readonly { readonly function?: { readonly name?: string } }[];
    };
    return new Set(tools.flatMap((tool) => tool.function?.name ?? []));
  } catch {
    return new Set();
  }
}

/** The first piece with something in it; null when the body is empty. */
async function firstOf(reader: BodyReader, idleMs: number): Promise<Uint8Array | null> {
  let first = new Uint8Array();
  for (;;) {
    const piece = await reader.next(idleMs);
    if (piece === null) return first.length === 0 ? null : first;
    first = Buffer.concat([first, piece]);
    if (/[^\s\ufeff]/.test(Buffer.from(first).toString())) return first;
  }
}

/** An event stream begins with a field's name or a comment; JSON and HTML begin with a bracket. */
function looksLikeEvents(bytes: Uint8Array): boolean {
  return !/^[\s\ufeff]*[{[<]/.test(Buffer.from(bytes).toString());
}
