import type { Logger } from "countersign";

/** What an operator should see, a line each; the rest is quiet. */
export const terminalLogger: Logger = {
  debug() {},
  info() {},
  warn: (fields, message) => console.warn(`${message} ${JSON.stringify(fields)}`),
  error: (fields, message) => console.error(`${message} ${JSON.stringify(fields)}`),
};
