const connectionCodes = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "ENOTFOUND",
  "ENOENT",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EAI_AGAIN",
]);
// Connection exception, insufficient resources, operator intervention (a shutdown, a statement's time limit), system error.
const unavailableStates = /^(08|53|57|58)/;
// What the driver throws without a code: by its words, for want of anything else.
const unavailableWords =
  /connection terminated|not queryable|timeout exceeded when trying to connect|read timeout|pool after calling end/i;

/** Whether an error says that the database cannot serve now, rather than that this package is wrong. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof AggregateError && error.errors.length > 0) return error.errors.every(isDatabaseUnavailable);
  if (!(error instanceof Error)) return false;
  const code = "code" in error && typeof error.code === "string" ? error.code : null;
  if (code === null) return unavailableWords.test(error.message);
  return connectionCodes.has(code) || (code.length === 5 && unavailableStates.test(code));
}

/** What a log line may say of an error: never its message, which can hold a user's values. */
export function describeFault(error: unknown): {
  readonly error: string;
  readonly code: string | null;
  readonly at: readonly string[];
} {
  if (!(error instanceof Error)) return { error: typeof error, code: null, at: [] };
  const code = "code" in error && typeof error.code === "string" ? error.code : null;
  const at = (error.stack ?? "")
    .split("\n")
    .filter((line) => /^\s+at /.test(line))
    .map((line) => line.trim());
  return { error: error.name, code, at: at.slice(0, 8) };
}
