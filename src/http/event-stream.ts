/** A response body that frames are pushed into, never further ahead of its reader than a number of bytes. */
export interface EventStream {
  readonly body: ReadableStream<Uint8Array>;
  /** Takes a frame (the text of a server-sent event, or a comment); false when the reader is too far behind, and the frame was not taken. */
  send(frame: string): boolean;
  /** Lets the reader have what it has not read yet, then ends. */
  end(): void;
  /** Ends at once and drops what was not read: for a reader that does not keep up. */
  cut(): void;
  /** Fires when the reader is gone. */
  readonly signal: AbortSignal;
}

// One read takes at most about this much, so that a burst does not become one copy of all of it.
const readBytes = 65_536;

const encoder = new TextEncoder();
let lastFrame = "";
let lastBytes: Uint8Array = new Uint8Array();

/** The bytes of a frame. All watchers of a chat are sent the same frame one after the other: it is encoded once. */
function encode(frame: string): Uint8Array {
  if (frame !== lastFrame) {
    lastBytes = encoder.encode(frame);
    lastFrame = frame;
  }
  return lastBytes;
}

/** Makes an event stream whose unread frames never pass `backlogBytes`. */
export function createEventStream(backlogBytes: number): EventStream {
  const gone = new AbortController();
  let unread: Uint8Array[] = [];
  let unreadBytes = 0;
  let state: "open" | "ending" | "over" = "open";
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  let wanted = false;

  const over = (): void => {
    state = "over";
    unread = [];
    unreadBytes = 0;
    gone.abort();
  };

  const flush = (): void => {
    if (!wanted || controller === undefined) return;
    if (unread.length === 0) {
      if (state !== "ending") return;
      controller.close();
      over();
      return;
    }
    // Before the bytes are handed over: that may ask for more at once.
    wanted = false;
    let bytes = 0;
    let count = 0;
    while (count < unread.length && (count === 0 || bytes < readBytes)) bytes += unread[count++]?.byteLength ?? 0;
    const taken = unread.splice(0, count);
    unreadBytes -= bytes;
    controller.enqueue(taken.length === 1 && taken[0] !== undefined ? taken[0] : Buffer.concat(taken));
  };

  // Without a queue of its own the stream asks only when its reader reads: that is the back pressure.
  const body = new ReadableStream<Uint8Array>(
    {
      start(given) {
        controller = given;
      },
      pull() {
        wanted = true;
        flush();
      },
      cancel: over,
    },
    { highWaterMark: 0 },
  );

  return {
    body,
    signal: gone.signal,
    send(frame) {
      if (state !== "open") return false;
      const bytes = encode(frame);
      if (wanted && controller !== undefined) {
        // Nothing waits: the frame goes straight through.
        wanted = false;
        controller.enqueue(bytes);
        return true;
      }
      if (unreadBytes + bytes.byteLength > backlogBytes) return false;
      unread.push(bytes);
      unreadBytes += bytes.byteLength;
      return true;
    },
    end() {
      if (state !== "open") return;
      state = "ending";
      flush();
    },
    cut() {
      if (state === "over") return;
      // The code by which Node names a response that ended before its end: servers close the socket without a fuss.
      controller?.error(Object.assign(new Error("the reader fell behind"), { code: "ERR_STREAM_PREMATURE_CLOSE" }));
      over();
    },
  };
}
