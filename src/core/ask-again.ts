import { setTimeout as pause } from "node:timers/promises";

const pausesMs = [50, 250, 1_000];

/**
 * Asks the database, and again when the answer was lost. Only for a statement that does nothing more the second time and
 * then answers what it did the first time.
 */
export async function askAgain<T>(ask: () => Promise<T>): Promise<T> {
  for (const ms of pausesMs) {
    try {
      return await ask();
    } catch {
      await pause(ms);
    }
  }
  return ask();
}
