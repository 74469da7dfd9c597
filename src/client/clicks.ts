import type { ClickAnswer } from "../wire/api.ts";
import { refreshCards } from "./cards.ts";
import { changeChat, openChat, persist } from "./context.ts";
import type { Context } from "./context.ts";
import { changeCard } from "./merge-cards.ts";
import { pause } from "./pause.ts";
import type { CardView, Click, ClickVerb, Failure } from "./snapshot.ts";

// The three clicks. A click shows at once that it is being done, and is repeated until the server has answered: the
// held write is spent once, however often the click arrives.

/** Clicks on a card of the open chat. */
export async function clickCard(context: Context, verb: ClickVerb, messageId: string): Promise<void> {
  const { key, id, cards } = openChat(context);
  if (cards[messageId]?.click !== null) return;
  const stop = new AbortController();
  context.giveUp.set(messageId, stop);
  const signal = AbortSignal.any([stop.signal, context.life.signal]);
  const change = (to: (view: CardView) => CardView): void =>
    changeChat(context, key, (chat) => changeCard(chat, messageId, to));
  const show = (phase: Click["phase"], holder?: string): void =>
    change((view) => ({ ...view, click: { verb, phase, holder }, refusal: null }));

  while (!signal.aborted) {
    show("sending");
    const answer = await persist(
      context,
      () => context.request<ClickAnswer>("POST", `/conversations/${id}/cards/${messageId}/${verb}`),
      { signal, onRetry: () => show("retrying") },
    );
    if (answer.ok) {
      change((view) => toDone(view, answer.value));
      break;
    }
    const { failure } = answer;
    if (failure.code !== "turn_running" && failure.code !== "click_running") {
      if (!signal.aborted) change((view) => toRefused(view, failure));
      break;
    }
    show("queued", failure.conversationId);
    await pause((failure.retryAfter ?? 2) * 1000, signal);
  }
  change((view) => ({ ...view, click: null }));
  // What else the click changed comes with its messages; reading again also tells what may be asked for again.
  refreshCards(context);
}

function toDone(view: CardView, { outcome, finished }: ClickAnswer): CardView {
  return {
    ...view,
    card:
      outcome === "repeated"
        ? { ...view.card, repeatable: false }
        : { ...view.card, state: outcome, finished, expiresAt: null },
  };
}

/** A card that turns out to be settled shows its outcome; that is the click's result, no failure. */
function toRefused(view: CardView, failure: Failure): CardView {
  const { code, outcome, finished = true } = failure;
  if (outcome) return toDone(view, { outcome, finished });
  return code === "not_waiting" || code === "not_expired" ? view : { ...view, refusal: failure };
}
