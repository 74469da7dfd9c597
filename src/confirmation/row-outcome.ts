import type { ConfirmationState } from "../core/core.ts";
import type { CardOutcome } from "../wire/reasons.ts";

/** What core's row says of a card: it still waits, its handler may be running, or what became of it. */
export type RowOutcome =
  | { readonly wait: "held" | "running" }
  | {
      readonly wait: null;
      readonly outcome: CardOutcome;
      /** False: it was started, and whether it finished is not known. */
      readonly finished: boolean;
      /** Beside `changed`: the row that holds the write now. */
      readonly nextConfirmationId: string | null;
    };

const ended = (outcome: CardOutcome, finished = true, nextConfirmationId: string | null = null): RowOutcome => ({
  wait: null,
  outcome,
  finished,
  nextConfirmationId,
});

/**
 * Reads a row's state as an outcome. `expired` is said only of a row that is gone or whose status is `expired`: a held
 * row past its time may still be spent by a click that found it in time.
 */
export function toOutcome(state: ConfirmationState): RowOutcome {
  switch (state.status) {
    case "held":
      return { wait: "held" };
    case "used":
      if (state.succeeded !== null) return ended(state.succeeded ? "confirmed" : "failed");
      return state.running ? { wait: "running" } : ended("confirmed", false);
    case "rejected":
      return ended("rejected");
    case "replaced":
      return state.replacementHolds && state.replacedBy !== null
        ? ended("changed", true, state.replacedBy)
        : ended("expired");
    case "expired":
    case "gone":
      return ended("expired");
  }
}
