import type { CardAnswer, CardsAnswer } from "../wire/cards.ts";
import { changeChat, openChat, serverNow, setClock } from "./context.ts";
import type { Context } from "./context.ts";
import { changeCard, mergeCards, openCardIds, toWhole } from "./merge-cards.ts";

// Keeps the cards of the open chat true: reads them again when they may have changed, has lapsed ones settled, and looks
// again when a card's time is up.

const idsPerRequest = 50;
/** Milliseconds between looks at a card that a click of somewhere else is on: the event of its end may be lost. */
const runningLook = 10_000;

/** Reads these cards again, or all that may still change; what is asked for in one moment is one request. */
export function refreshCards(context: Context, messageIds: readonly string[] = openCardIds(openChat(context))): void {
  if (context.stale.size === 0) queueMicrotask(() => void readStale(context));
  for (const id of messageIds) context.stale.add(id);
}

async function readStale(context: Context): Promise<void> {
  const ids = [...context.stale];
  context.stale.clear();
  const { key, id } = openChat(context);
  for (let start = 0; start < ids.length; start += idsPerRequest) {
    const page = ids.slice(start, start + idsPerRequest).join(",");
    const answer = await context.request<CardsAnswer>("GET", `/conversations/${id}/cards?ids=${page}`);
    // Lost answers are asked for again when the stream comes back.
    if (!answer.ok) continue;
    setClock(context, answer.value);
    changeChat(context, key, (chat) => mergeCards(chat, answer.value.cards));
  }
  planLook(context);
}

/** Has the server settle cards that stopped waiting with no click, then reads the open ones. */
export async function settleCards(context: Context): Promise<void> {
  const { key, id } = openChat(context);
  // Refused while a turn or a click runs: a turn settles them itself, and what is still late is looked at again.
  await context.request("POST", `/conversations/${id}/open`);
  if (openChat(context).key === key) refreshCards(context);
}

/** Looks again when the next card's time is up; called when cards changed. */
export function planLook(context: Context): void {
  const now = serverNow(context);
  let next = Infinity;
  let lost = false;
  for (const { card, click } of Object.values(openChat(context).cards)) {
    if (card.state === "unavailable" && !context.settledFor.has(card.confirmationId)) {
      context.settledFor.add(card.confirmationId);
      lost = true;
    }
    if (card.state === "running" && !click) next = Math.min(next, runningLook);
    if (card.expiresAt === null) continue;
    const left = Date.parse(card.expiresAt) - now;
    // A card that still waits past its time was looked at a moment ago: the server's clock decides, not ours.
    next = Math.min(next, left > 0 ? left + 250 : 5_000);
  }
  if (lost) void settleCards(context);
  clearTimeout(context.look);
  if (next < Infinity) context.look = setTimeout(() => void settleCards(context), next);
}

/** Fetches a cut card whole. */
export async function showWhole(context: Context, messageId: string): Promise<void> {
  const { key, id } = openChat(context);
  const show = (whole: "loading" | "failed"): void =>
    changeChat(context, key, (chat) => changeCard(chat, messageId, (view) => ({ ...view, whole })));
  show("loading");
  const answer = await context.request<CardAnswer>("GET", `/conversations/${id}/cards/${messageId}`);
  if (!answer.ok) return show("failed");
  changeChat(context, key, (chat) => changeCard(chat, messageId, (view) => toWhole(view, answer.value.card)));
}
