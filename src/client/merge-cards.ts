import type { Card, CardState } from "../wire/cards.ts";
import type { CardView, ChatView } from "./snapshot.ts";

const openStates: readonly CardState[] = ["waiting", "running", "expired", "unavailable"];

/** Cards that may still change: the ones worth reading again. */
export function openCardIds(chat: ChatView): readonly string[] {
  return Object.values(chat.cards)
    .filter(({ card }) => openStates.includes(card.state) || card.finished === false)
    .map(({ card }) => card.messageId);
}

export function mergeCards(chat: ChatView, cards: Readonly<Record<string, Card>>): ChatView {
  const merged: Record<string, CardView> = { ...chat.cards };
  for (const [id, card] of Object.entries(cards)) merged[id] = mergeCard(merged[id], card);
  return { ...chat, cards: merged };
}

function mergeCard(before: CardView | undefined, card: Card): CardView {
  if (before === undefined) return { card, shown: card.preview, click: null, refusal: null, whole: "no" };
  // An answer that was under way when the card was settled: no outcome but "ran out" is ever taken back.
  if (!openStates.includes(before.card.state) && openStates.includes(card.state)) return before;
  // What a held write shows never changes: the whole that was fetched is not taken back by a page's cut copy.
  const whole = card.cut && before.whole === "yes" ? before.card : null;
  const now = whole ? { ...card, preview: whole.preview, arguments: whole.arguments, cut: false } : card;
  return { ...before, card: now, shown: now.preview ?? before.shown };
}

/** Puts a card that was fetched whole in the place of the cut one. */
export function toWhole(view: CardView, card: Card): CardView {
  return { ...mergeCard(view, card), whole: "yes" };
}

export function changeCard(chat: ChatView, messageId: string, change: (view: CardView) => CardView): ChatView {
  const view = chat.cards[messageId];
  return view === undefined ? chat : { ...chat, cards: { ...chat.cards, [messageId]: change(view) } };
}
