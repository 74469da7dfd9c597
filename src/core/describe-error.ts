/** What a log line may say of an error of the host: its name, its code and where, never its message, which may hold what a user typed. */
export interface ErrorFields {
  readonly name: string;
  readonly code?: string;
  readonly at?: readonly string[];
}

const mostFrames = 8;

export function describeError(error: unknown): ErrorFields {
  if (!(error instanceof Error)) return { name: typeof error };
  const code = "code" in error && typeof error.code === "string" && isIdentifier(error.code) ? error.code : undefined;
  const at = framesOf(error);
  return {
    name: isIdentifier(error.name) ? error.name : "Error",
    ...(code === undefined ? {} : { code }),
    ...(at.length === 0 ? {} : { at }),
  };
}

function isIdentifier(text: string): boolean {
  return /^[\w.-]{1,60}$/.test(text);
}

function framesOf(error: Error): readonly string[] {
  const { stack = "", message } = error;
  // The message comes first and may look like a frame: only what follows it is read.
  const from = stack.indexOf(message);
  if (from < 0) return [];
  return stack
    .slice(from + message.length)
    .split("\n")
    .filter((line) => /^\s+at /.test(line))
    .slice(0, mostFrames)
    .map((line) => line.trim());
}
