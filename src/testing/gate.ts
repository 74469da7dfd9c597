/** A place at which something waits until a test lets it go on: how races are forced, without a clock. */
export interface Gate {
  /** Resolves when somebody came. */
  readonly reached: Promise<void>;
  /** Waits here until the gate is opened; from then on passes at once. */
  pass(): Promise<void>;
  open(): void;
}

export function createGate(): Gate {
  const reached = Promise.withResolvers<void>();
  const opened = Promise.withResolvers<void>();
  return {
    reached: reached.promise,
    pass() {
      reached.resolve();
      return opened.promise;
    },
    open: () => opened.resolve(),
  };
}
