import type { ServerEvent } from "../wire/events.ts";
import type { Context } from "./context.ts";
import { createEventParser } from "./event-parser.ts";
import { pause } from "./pause.ts";
import { isPassing } from "./request.ts";
import type { Connection, Failure } from "./snapshot.ts";

export interface WatchOptions {
  readonly conversationId: string;
  /** The seq of the newest message that is there, asked at each connection: the server sends what came after. */
  readonly lastSeq: () => number;
  readonly onEvent: (event: ServerEvent) => void;
  readonly onConnection: (connection: Connection, failure?: Failure) => void;
}

/** Watches a chat until what it answers is called: comes back after every loss, with what was missed. */
export function watchChat(context: Context, options: WatchOptions): () => void {
  let closed = false;
  let attempt = 0;
  // One for the connection and for the wait after it: to abort it is to go on with the next.
  let current = new AbortController();
  void run();

  async function run(): Promise<void> {
    options.onConnection("connecting");
    for (;;) {
      current = new AbortController();
      const path = `/conversations/${options.conversationId}/events`;
      const answer = await context.request.stream(path, options.lastSeq(), current.signal);
      if (answer.ok && answer.value.body) await read(answer.value.body);
      if (closed) return;
      // The server said no, and will again: until the page or the user asks anew.
      if (!answer.ok && !isPassing(answer.failure)) return options.onConnection("idle", answer.failure);
      options.onConnection("reconnecting");
      await pause(context.retryDelay((attempt += 1)), current.signal);
    }
  }

  async function read(body: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<void> {
    const lost = (): void => current.abort();
    let timer = setTimeout(lost, context.silence);
    const feed = createEventParser((data) => {
      const event = toEvent(data);
      if (!event || closed) return;
      if (event.type === "hello") {
        attempt = 0;
        options.onConnection("live");
      }
      options.onEvent(event);
    });
    const reader = body.pipeThrough(new TextDecoderStream()).getReader();
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done || closed) break;
        clearTimeout(timer);
        timer = setTimeout(lost, context.silence);
        feed(value);
      }
    } catch {
      // The connection broke off: the loop comes back for the rest.
    }
    clearTimeout(timer);
  }

  return () => {
    closed = true;
    current.abort();
  };
}

function toEvent(data: string): ServerEvent | null {
  try {
    // A parsed edge; events of a newer server that this client does not know change nothing.
    return JSON.parse(data) as ServerEvent;
  } catch {
    return null;
  }
}
