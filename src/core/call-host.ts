/** How a call of the host's code ended: in time, by a throw, not in its time, or because its caller stopped. */
export type HostAnswer<T> =
  | { readonly how: "answered"; readonly value: T }
  | { readonly how: "threw"; readonly error: unknown }
  | { readonly how: "late" }
  | { readonly how: "stopped" };

export interface HostCall<T> {
  /** Milliseconds. */
  readonly limit: number;
  /** Ends the wait early: `stopped`. */
  readonly signal?: AbortSignal | undefined;
  /** Told how the work ended after all, when it was not waited for. */
  readonly after?: ((answer: HostAnswer<T>) => void) | undefined;
}

/**
 * Calls code of the host and waits no longer than its limit. The signal it gets fires when it is no longer waited for;
 * code that ignores it runs on. Never throws.
 */
export function callHost<T>(
  work: (signal: AbortSignal) => T,
  call: HostCall<Awaited<T>>,
): Promise<HostAnswer<Awaited<T>>> {
  const { limit, signal, after } = call;
  const over = new AbortController();
  return new Promise((resolve) => {
    let open = true;
    const settle = (answer: HostAnswer<Awaited<T>>): void => {
      if (!open) return after?.(answer);
      open = false;
      clearTimeout(timer);
      signal?.removeEventListener("abort", stop);
      resolve(answer);
    };
    // Settled before the signal fires: what the work does upon it is after the end.
    const timer = setTimeout(() => {
      settle({ how: "late" });
      over.abort(new DOMException("The time limit is over.", "TimeoutError"));
    }, limit);
    const stop = (): void => {
      settle({ how: "stopped" });
      over.abort(signal?.reason);
    };
    if (signal?.aborted === true) return stop();
    signal?.addEventListener("abort", stop, { once: true });
    void begin(work, over.signal).then(
      (value) => settle({ how: "answered", value }),
      (error: unknown) => settle({ how: "threw", error }),
    );
  });
}

// Async, so that a throw before the first await is a rejection too.
async function begin<T>(work: (signal: AbortSignal) => T, signal: AbortSignal): Promise<Awaited<T>> {
  return await work(signal);
}
