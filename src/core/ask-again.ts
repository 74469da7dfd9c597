import { setTimeout as pause } from "node:timers/promises";

const pausesMs = [50, 250, 1_000];

/**
 * Asks the database, and again when the answer was lost with its connection. Only for a statement that does nothing more
 * the second time and then answers what it did the first time. An error the server told is thrown: nothing was done.
 */
export async function askAgain<T>(ask: () => Promise<T>): Promise<T> {
  for (const ms of pausesMs) {
    try {
      return await ask();
    } catch (error) {
      if (!isAnswerLost(error)) throw error;
      await pause(ms);
    }
  }
  return ask();
}

/** Whether the server may have done what it was asked: it told no SQLSTATE, or one of a connection that ends. */
function isAnswerLost(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return (
    typeof code !== "string" || !/^(?=.*\d)[0-9A-Z]{5}$/.test(code) || code.startsWith("08") || code.startsWith("57P")
  );
}
