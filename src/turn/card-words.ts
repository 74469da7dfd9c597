import type { CardOutcome } from "../wire/reasons.ts";

/** What became of a card, as far as its chat knows; `outcome` is null while it waits. */
export interface CardState {
  readonly outcome: CardOutcome | null;
  /** False: the handler was started and whether it finished is not known. */
  readonly finished: boolean;
}

/** The result a model reads at the place of a held call: said so that it neither claims the change nor asks again by itself. */
export function toCardWords(state: CardState): string {
  switch (state.outcome) {
    case null:
      return "Waiting for the user: this change is not done. Its card is in front of the user, who confirms or cancels it there. Do not ask for it again.";
    case "confirmed":
      return state.finished
        ? "The user confirmed this change and it was done. Do not ask for it again unless the user wants it a second time."
        : "The user confirmed this change and it was started; whether it finished is not known. Look before repeating it, and do not ask for it again by yourself.";
    case "rejected":
      return "The user turned this change down: it was not done. Do not ask for it again unless the user tells you to.";
    case "expired":
      return "The time to confirm this change ran out: it was not done. Do not ask for it again unless the user tells you to.";
    case "changed":
      return "The values changed before the user confirmed this change: it was not done. Read them again before anything else, and do not ask for it again unless the user tells you to.";
    case "failed":
      return "The user confirmed this change, but it failed. Do not ask for it again unless the user tells you to; look first at what is there now.";
  }
}

/** The same as one line before a user's message, for a card whose call is not in what the model reads. */
export function toCardRemark(tool: string, state: CardState): string {
  return `[About ${tool}, asked for earlier: ${toCardWords(state)}]`;
}
