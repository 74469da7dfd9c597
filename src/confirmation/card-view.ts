import type { CardRow } from "../chat/chat.ts";
import type { ConfirmationDetail, DetailAnswer } from "../core/core.ts";
import type { Card, CardState } from "../wire/cards.ts";
import { cutArguments, cutPreview } from "./cut-card.ts";

/** What a card's view is made from: its row in the chat, core's answer for it (absent once it has its notice), and what was read beside them. */
export interface CardFacts {
  readonly row: CardRow;
  readonly answer: DetailAnswer | undefined;
  readonly title: string;
  /** The call's arguments as they would run, as JSON text; null when they cannot be read. */
  readonly arguments: string | null;
  /** Whether another waiting card of the chat asks for the same tool and arguments. */
  readonly askedAlready: boolean;
  /** This process's clock, in milliseconds; time left is counted from it. */
  readonly now: number;
  /** Characters of arguments and preview a page shows; null for the whole card. */
  readonly characters: number | null;
}

/** Decides what one card shows and which of its buttons there are. */
export function toCard(facts: CardFacts): Card {
  const { row, answer } = facts;
  const state = toState(row, answer);
  const detail = answer?.ok === true ? answer.row : null;
  const shown = state === "waiting" && detail !== null ? toShown(facts, detail) : nothingShown;
  return {
    messageId: row.messageId,
    confirmationId: row.confirmationId,
    state,
    finished: row.finished,
    tool: row.tool,
    title: facts.title,
    ...shown,
    repeatable: state === "expired" && row.call !== null && !row.followed && !facts.askedAlready,
    rejectable: state === "waiting" || (state === "unavailable" && answer?.ok === false),
  };
}

const nothingShown = { preview: null, arguments: null, cut: false, expiresAt: null } as const;

function toShown(
  facts: CardFacts,
  detail: ConfirmationDetail,
): Pick<Card, "preview" | "arguments" | "cut" | "expiresAt"> {
  const preview = cutPreview(detail.preview, facts.characters);
  const text = cutArguments(facts.arguments, facts.characters);
  return {
    preview: preview.value,
    arguments: text.value,
    cut: preview.cut || text.cut,
    expiresAt: new Date(facts.now + detail.expiresInMs).toISOString(),
  };
}

function toState(row: CardRow, answer: DetailAnswer | undefined): CardState {
  if (row.outcome !== null) return row.outcome;
  if (answer === undefined) return "unavailable";
  if (!answer.ok) {
    if (answer.reason === "invalid") return "expired";
    return answer.state.running || row.clicked ? "running" : "unavailable";
  }
  const detail = answer.row;
  if (detail.status === "expired" || detail.status === "gone") return "expired";
  if (detail.running) return "running";
  if (detail.status !== "held") return "unavailable";
  if (row.clicked) return "running";
  return detail.ranOut ? "expired" : "waiting";
}
