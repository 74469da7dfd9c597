import type { CardOutcome } from "./reasons.ts";

/** One line of a preview: a value before and after the write. Null means "nothing there". */
export interface Change {
  readonly label: string;
  readonly before: string | number | boolean | null;
  readonly after: string | number | boolean | null;
}

/** What a card shows of the dry run. The preview's `data` and fingerprint never leave the server. */
export interface CardPreview {
  readonly title: string;
  readonly changes: readonly Change[];
  readonly warnings: readonly string[];
}

/**
 * What a card is now. `waiting`: the user may confirm or cancel. `running`: a click is on it, or its handler runs; no
 * buttons. An outcome: it has its notice. `expired` is also a row that ran out or is gone. `unavailable`: the session
 * cannot read it, or it was settled without a notice here (the panel calls `open`).
 */
export type CardState = "waiting" | "running" | CardOutcome | "unavailable";

export interface Card {
  readonly messageId: string;
  readonly confirmationId: string;
  readonly state: CardState;
  /** False beside `confirmed`: started, whether it finished is not known. */
  readonly finished: boolean | null;
  readonly tool: string;
  readonly title: string;
  /** For a waiting card only. */
  readonly preview: CardPreview | null;
  /** The arguments that will run, as JSON text; for a waiting card only. */
  readonly arguments: string | null;
  /** True when preview or arguments were cut for the page; Confirm stays off until the whole card was fetched. */
  readonly cut: boolean;
  readonly expiresAt: string | null;
  readonly repeatable: boolean;
  readonly rejectable: boolean;
}

/** `GET …/cards?ids=`: cards of a page and the server's clock, against which time left is counted. */
export interface CardsAnswer {
  readonly now: string;
  readonly cards: Readonly<Record<string, Card>>;
}

/** `GET …/cards/:messageId`: one card whole (`cut` is false). */
export interface CardAnswer {
  readonly now: string;
  readonly card: Card;
}
