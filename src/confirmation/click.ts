import { v7 as uuid } from "uuid";
import type { CardRow, Chat, Fence } from "../chat/chat.ts";
import type { Session } from "../core/session.ts";
import type { Settings } from "../settings/settings.ts";
import { refused } from "../outcome.ts";
import type { ClickRefused, ClickResult, ClickTarget } from "./confirmations.ts";
import { keepLock } from "./keep-lock.ts";

/**
 * One click: the user's lock with its keeper around the work, the card read again under it, the lock given back
 * whatever happens. Decides nothing about what a click does.
 */
export interface Click {
  readonly session: Session;
  readonly card: CardRow;
  readonly fence: Fence;
  readonly target: ClickTarget;
}

/** What the work of a click answers: `released` when the statement that stored its notice gave the lock back too. */
export interface Clicked<Word extends string> {
  readonly result: ClickResult<Word>;
  readonly released: boolean;
}

export interface ClickRoom {
  readonly chat: Chat;
  readonly settings: Settings;
}

export interface ClickPlan<Word extends string> {
  readonly session: Session;
  readonly target: ClickTarget;
  /** Whether the click answers what became of a settled card, whoever holds the lock. */
  readonly tellsSettled: boolean;
  /** How long the keeper goes on at most, in milliseconds, once the card's tool is known. */
  longest(card: CardRow): number;
  work(click: Click): Promise<Clicked<Word>>;
}

/** Runs a click under its user's lock. */
export async function runClick<Word extends string>(
  room: ClickRoom,
  plan: ClickPlan<Word>,
): Promise<ClickResult<Word>> {
  const { chat } = room;
  const { session, target } = plan;
  const where = { conversationId: target.conversationId, messageIds: [target.messageId] };
  const acquired = await chat.acquireForClick({
    session,
    conversationId: target.conversationId,
    cardId: target.messageId,
    token: uuid(),
  });
  if (!acquired.ok) {
    if (acquired.reason === "not_found") return refused(acquired.reason);
    // The order of refusals: a message that is no card is told before who holds the lock; so is what became of a settled one.
    const [card] = await chat.cardsOf(session.userId, where);
    if (card === undefined) return refused("not_waiting");
    const settled = plan.tellsSettled ? settledAnswer(card) : null;
    if (settled !== null) return settled;
    return { ok: false, reason: acquired.reason, ...holderOf(acquired.holder) };
  }
  const { fence, card } = acquired;
  const stopKeeping = keepLock(room, fence);
  let released = false;
  let found = false;
  try {
    if (card === null) return refused("not_waiting");
    found = true;
    stopKeeping.after(plan.longest(card));
    chat.publish(fence, { type: "card", messageId: card.messageId });
    const clicked = await plan.work({ session, card, fence, target });
    released = clicked.released;
    return clicked.result;
  } finally {
    stopKeeping.now();
    if (!released) await chat.releaseClick(fence);
    if (found) chat.publish(fence, { type: "card", messageId: target.messageId });
  }
}

/** What a click answers of a message that is no card, or of a card that has its final notice; null when the card is still open. */
export function settledAnswer(card: CardRow | undefined): ClickRefused | null {
  if (card === undefined) return refused("not_waiting");
  if (card.outcome === null || card.finished === false) return null;
  return { ok: false, reason: "not_waiting", outcome: card.outcome, finished: true };
}

export function holderOf(holder: ClickRefused["holder"]): Pick<ClickRefused, "holder" | "retryAfter"> {
  return holder === undefined ? {} : { holder, retryAfter: holder.retryAfter };
}
