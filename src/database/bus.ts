/**
 * Carries hints between the nodes of one database. A hint says "look sooner" and nothing else: it holds ids, and of an
 * answer that is being written the text that no row holds yet. Every node reads the rows by itself, at the latest a second
 * later; so a hint that is lost, comes twice, or comes late costs at most that second, and never a message. By default
 * PostgreSQL carries them.
 *
 * What is asked of one: hints of one node on one channel come in the order they were published in, while the connection
 * stands. Whether a node hears its own does not matter.
 */
export interface Bus {
  /** Tells every node that listens. Never throws and is not waited for; may forget the hint where it cannot be sent soon. `hint` has at most `longestHint` bytes. */
  publish(channel: string, hint: string): void;
  /**
   * Hears a channel, from the moment at which the promise is fulfilled until what it answers is called. `onMissed` is
   * called whenever hints may have been missed: after the connection was lost and is back.
   */
  subscribe(channel: string, hear: (hint: string) => void, onMissed?: () => void): Promise<() => Promise<void>>;
  /** Ends its connections, within a second or so. Called by the assistant that it was given to. */
  close(): Promise<void>;
}

/** In bytes: what a notification of PostgreSQL takes. */
export const longestHint = 7_999;
