import type { ServerEvent } from "../wire/events.ts";
import { toFrame, type Frame } from "./frame.ts";

export type ByeReason = Extract<ServerEvent, { readonly type: "bye" }>["reason"];

/** One watcher. Until it is opened, what happens waits for it; afterwards each stored message reaches it once, in order. */
export interface Watching {
  take(frame: Frame): void;
  /** Sends the first event and says up to which seq the watcher knows the chat. `holdsTurn`: the event tells all that the waiting frames of turns tell. */
  begin(hello: ServerEvent, from: { readonly seq: number; readonly holdsTurn: boolean }): void;
  /** Sends a stored message ahead of what waits. */
  catchUp(frame: Frame): void;
  readonly seq: number;
  /** Sends what waited, and from now on what happens. */
  open(): void;
  /** Ends it, with the reason as its last event. */
  end(bye?: ByeReason): void;
  readonly ended: boolean;
  readonly done: Promise<void>;
}

export interface WatchingOptions {
  send(encoded: string): boolean;
  /** Characters that may wait before it is opened. */
  readonly backlog: number;
  onEnd(watching: Watching): void;
}

export function createWatching(options: WatchingOptions): Watching {
  let waiting: Frame[] | null = [];
  let waitingChars = 0;
  let seq = 0;
  let ended = false;
  const { promise: done, resolve } = Promise.withResolvers<void>();

  function send(frame: Frame): void {
    if (ended) return;
    if (frame.seq !== null) {
      if (frame.seq <= seq) return;
      seq = frame.seq;
    }
    if (!options.send(frame.text)) watching.end("slow");
  }

  const watching: Watching = {
    take(frame) {
      if (ended) return;
      if (waiting === null) return send(frame);
      waiting.push(frame);
      waitingChars += frame.text.length;
      if (waitingChars > options.backlog) watching.end("slow");
    },
    begin(hello, from) {
      seq = from.seq;
      if (from.holdsTurn) waiting = waiting?.filter((frame) => !frame.ofTurn) ?? null;
      send(toFrame(hello));
    },
    catchUp: send,
    get seq() {
      return seq;
    },
    open() {
      const frames = waiting ?? [];
      waiting = null;
      for (const frame of frames) send(frame);
    },
    end(bye) {
      if (ended) return;
      ended = true;
      waiting = null;
      // A watcher that is cut off may not take this either; its stream ends all the same.
      if (bye !== undefined) options.send(toFrame({ type: "bye", reason: bye }).text);
      options.onEnd(watching);
      resolve();
    },
    get ended() {
      return ended;
    },
    done,
  };
  return watching;
}
