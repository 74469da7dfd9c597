import type { Statement } from "./sql.ts";

/** A statement that is due: run together with what is stored next, or alone. */
export interface Beside {
  readonly statement: Statement;
  /** Told what it answered when it was run together with others. */
  written(rows: readonly object[]): void;
  /** Runs it; again by itself where a second try can help. */
  alone(): Promise<void>;
}
