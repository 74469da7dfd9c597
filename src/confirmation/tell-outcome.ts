import type { CardRow, Chat, Fence } from "../chat/chat.ts";
import type { CardOutcome } from "../wire/reasons.ts";
import { refused } from "../outcome.ts";
import type { Clicked } from "./click.ts";
import type { ConfirmedEvent } from "./confirmations.ts";
import type { RowOutcome } from "./row-outcome.ts";

/**
 * Stores what became of a card, and says what the click answers. A notice is not fenced by the lock: the unique index
 * and that it says only what a settled row says are its guard, so it does not matter who stores it or when.
 */
export interface Teller {
  readonly chat: Chat;
  confirmed(event: ConfirmedEvent): void;
}

type Ended = Extract<RowOutcome, { readonly wait: null }>;

interface Told {
  readonly userId: string;
  readonly conversationId: string;
  readonly card: Pick<CardRow, "confirmationId" | "tool" | "messageId">;
  readonly ended: Ended;
  readonly release?: Fence;
}

/** Stores the notice (with the new card beside `changed`), or gives an open notice its end. */
export async function tell(teller: Teller, told: Told): ReturnType<Chat["tellCard"]> {
  const { userId, conversationId, card, ended, release } = told;
  const answer = await teller.chat.tellCard(userId, {
    conversationId,
    confirmationId: card.confirmationId,
    tool: card.tool,
    outcome: ended.outcome,
    finished: ended.finished,
    ...(ended.nextConfirmationId === null ? {} : { nextConfirmationId: ended.nextConfirmationId }),
    ...(release === undefined ? {} : { release }),
  });
  if (ended.outcome === "confirmed" && answer === "stored") {
    const { confirmationId, tool } = card;
    teller.confirmed({ userId, conversationId, confirmationId, tool, finished: ended.finished });
  }
  return answer;
}

/** The same for a click, which answers the outcome that the card's notice says, whoever stored it. */
export async function tellClick(
  teller: Teller,
  told: Told & { readonly release: Fence },
): Promise<Clicked<CardOutcome>> {
  const answer = await tell(teller, told);
  const { outcome, finished } = told.ended;
  switch (answer) {
    case "stored":
    case "upgraded":
      return { result: { ok: true, outcome, finished }, released: true };
    case "chat_gone":
      return { result: refused("not_stored"), released: false };
    case "told_already": {
      const where = { conversationId: told.conversationId, messageIds: [told.card.messageId] };
      const [now] = await teller.chat.cardsOf(told.userId, where);
      if (now?.outcome == null) return { result: refused("not_stored"), released: false };
      return { result: { ok: true, outcome: now.outcome, finished: now.finished ?? true }, released: false };
    }
  }
}
