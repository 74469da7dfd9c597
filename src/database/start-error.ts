/**
 * What keeps a node from starting and can be mended by whoever starts it. `startSentence` says what is wrong and the
 * mend in one sentence, without a credential; a command prints it alone, without a stack.
 */
export interface StartError extends Error {
  readonly startSentence: string;
}

/** Makes a start error; `cause` is kept for logs. */
export function startError(startSentence: string, cause?: unknown): StartError {
  const error = new Error(`countersign: ${startSentence}`, cause === undefined ? undefined : { cause });
  error.name = "StartError";
  return Object.assign(error, { startSentence });
}

/** Whether an error is one that `startSentence` tells whole. */
export function isStartError(error: unknown): error is StartError {
  return error instanceof Error && "startSentence" in error && typeof error.startSentence === "string";
}

/** The code of an error of the system or of the server; its name where it has none. */
export function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}
