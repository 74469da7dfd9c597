import type { Statement } from "./sql.ts";

/** A row that is due: written together with what is stored next, or alone. */
export interface Beside {
  readonly statement: Statement;
  /** Told when it was written together with something else. */
  written(): void;
  /** Writes it; asked again by itself where a second try can help. */
  alone(): Promise<void>;
}
