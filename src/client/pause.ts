/** Resolves after `ms`, at once when the network comes back or `signal` fires. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    const page = globalThis as Partial<Pick<Window, "addEventListener" | "removeEventListener">>;
    function done(): void {
      clearTimeout(timer);
      page.removeEventListener?.("online", done);
      signal.removeEventListener("abort", done);
      resolve();
    }
    page.addEventListener?.("online", done);
    signal.addEventListener("abort", done);
    if (signal.aborted) done();
  });
}

/** Milliseconds before attempt 1, 2, 3 …: doubling from half a second to fifteen, with a random part so that many clients do not come back at once. */
export function toRetryDelay(attempt: number): number {
  return Math.min(15_000, 250 * 2 ** attempt) * (0.5 + Math.random());
}
