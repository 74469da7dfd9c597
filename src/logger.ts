/**
 * Where a node says what operators should know: the shape of pino's loggers, passed in by the host. Lines never hold
 * arguments, previews, results, message texts or credentials.
 */
export interface Logger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** Says nothing: what is used when a host passes no logger. */
export const silentLogger: Logger = { debug() {}, info() {}, warn() {}, error() {} };
