// The node of the bench `start`: imports the built package, starts an assistant, and says what that took.
import { setTimeout as pause } from "node:timers/promises";
import type * as countersign from "countersign";

export interface Started {
  readonly importMs: number;
  /** From the import's begin to an assistant that answers. */
  readonly readyMs: number;
  readonly idleMb: number;
  /** The same process before it imported anything. */
  readonly bareMb: number;
}

const [, , built = "", connectionString = ""] = process.argv;
const megabytes = (): number => {
  globalThis.gc?.();
  return process.memoryUsage.rss() / 1_048_576;
};
const bareMb = megabytes();
const from = performance.now();
const { createAssistant } = (await import(built)) as typeof countersign;
const importMs = performance.now() - from;
const sessions = { load: async () => null, resolve: () => null };
const assistant = await createAssistant({ database: connectionString, modules: [], sessions, models: [] });
await assistant.fetch(new Request("http://127.0.0.1/assistant/me"));
const readyMs = performance.now() - from;
await pause(2_000);
const started: Started = { importMs, readyMs, idleMb: megabytes(), bareMb };
process.send?.(started);
