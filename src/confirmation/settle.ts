import { v7 as uuid } from "uuid";
import type { OpenCard } from "../chat/chat.ts";
import type { ConfirmationState, Core } from "../core/core.ts";
import type { Settings } from "../settings/settings.ts";
import { keepLock } from "./keep-lock.ts";
import { type RowOutcome, toOutcome } from "./row-outcome.ts";
import { type Teller, tell } from "./tell-outcome.ts";

/** Cards that stopped waiting with no click to say so: each is given the notice its row asks for. */
export interface SettleTools extends Teller {
  readonly core: Core;
  readonly settings: Settings;
}

interface Place {
  readonly userId: string;
  readonly conversationId: string;
}

/** Whether any card of the chat wants settling: read only, no lock. */
export async function wantsSettling(tools: SettleTools, place: Place): Promise<boolean> {
  const open = await tools.chat.openCards(place.userId, place.conversationId);
  if (open.length === 0) return false;
  const states = await tools.core.lookupForUser(place.userId, open.map(toRow));
  return open.some((card) => {
    const state = states.get(card.confirmationId);
    return state !== undefined && (state.ranOut || toNotice(card, state) !== null);
  });
}

/** Tells every card of the chat whose row says what became of it. The caller holds the user's lock. */
export async function settleUnderLock(tools: SettleTools, place: Place): Promise<void> {
  const open = await tools.chat.openCards(place.userId, place.conversationId);
  if (open.length === 0) return;
  const states = await tools.core.expireForUser(place.userId, open.map(toRow));
  for (const card of open) {
    const state = states.get(card.confirmationId);
    const ended = state === undefined ? null : toNotice(card, state);
    if (ended !== null) await tell(tools, { ...place, card, ended });
  }
}

/** The same under a click's lock of its own; answers who holds the lock instead when it is taken. */
export async function settleWithLock(
  tools: SettleTools,
  place: Place,
): Promise<Awaited<ReturnType<SettleTools["chat"]["acquireForClick"]>>> {
  const { userId, conversationId } = place;
  const acquired = await tools.chat.acquireForClick({
    session: { userId },
    conversationId,
    cardId: null,
    token: uuid(),
  });
  if (!acquired.ok) return acquired;
  const keeping = keepLock(tools, acquired.fence);
  try {
    await settleUnderLock(tools, place);
  } finally {
    keeping.now();
    await tools.chat.releaseClick(acquired.fence);
  }
  return acquired;
}

const toRow = (card: OpenCard): string => card.confirmationId;

/** The notice a card wants now; null when it still waits, its handler may be running, or its open notice cannot be ended yet. */
function toNotice(card: OpenCard, state: ConfirmationState): Extract<RowOutcome, { readonly wait: null }> | null {
  const outcome = toOutcome(state);
  if (outcome.wait !== null) return null;
  // A notice that is open can only be given the end of its handler.
  const isEnd = outcome.finished && (outcome.outcome === "confirmed" || outcome.outcome === "failed");
  return card.told && !isEnd ? null : outcome;
}
