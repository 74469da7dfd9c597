import { isStartError } from "countersign";

/** What stops the demo, in one sentence without a stack. */
export function toSentence(error: unknown): string {
  if (isStartError(error)) return error.startSentence;
  const words = error instanceof Error ? error.message : String(error);
  return (words.split("\n")[0] ?? "").replace(/^countersign: /, "") || "The demo failed without a word.";
}
