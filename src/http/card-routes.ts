import { z } from "@hono/zod-openapi";
import type { Confirmations } from "../confirmation/confirmations.ts";
import type { ClickRefusal } from "../wire/reasons.ts";
import { chatRefusals } from "./chat-routes.ts";
import { defineRoute, type Incoming, type Route } from "./route.ts";
import { toIds } from "./path-ids.ts";
import * as schemas from "./schemas.ts";

const clickRefusals: readonly ClickRefusal[] = [
  ...chatRefusals,
  "not_waiting",
  "turn_running",
  "click_running",
  "no_arguments",
  "not_stored",
  "shutting_down",
  "refused",
];

/** The cards of a chat and the three clicks. A client names a card, and never what it would do. */
export function cardRoutes(confirmations: Confirmations): readonly Route[] {
  const click = (word: "confirm" | "reject" | "repeat", about: Pick<Route, "summary" | "refusals">): Route =>
    defineRoute({
      ...about,
      method: "POST",
      path: `/conversations/{conversationId}/cards/{messageId}/${word}`,
      success: 200,
      answer: schemas.clickAnswer,
      async handle({ sessionRef, conversationId, messageId, requestContext }: Incoming<object, null>) {
        const answer = await confirmations[word](sessionRef, { conversationId, messageId, requestContext });
        return answer.ok ? { ok: true, body: { outcome: answer.outcome, finished: answer.finished } } : answer;
      },
    });

  return [
    defineRoute({
      method: "GET",
      path: "/conversations/{conversationId}/cards",
      summary: "Every waiting card of a chat with its message, oldest first; with ids (comma between), those cards.",
      query: z.object({ ids: z.string().max(20_000).optional() }),
      success: 200,
      answer: schemas.cards,
      refusals: chatRefusals,
      async handle({ sessionRef, conversationId, query }) {
        if (query.ids !== undefined) {
          const shown = await confirmations.cards(sessionRef, { conversationId, messageIds: toIds(query.ids) });
          return shown.ok ? { ok: true, body: { now: shown.now, cards: shown.cards } } : shown;
        }
        const waiting = await confirmations.waitingCards(sessionRef, { conversationId });
        if (!waiting.ok) return waiting;
        return { ok: true, body: { now: waiting.now, messages: waiting.messages, cards: waiting.cards } };
      },
    }),
    defineRoute({
      method: "GET",
      path: "/conversations/{conversationId}/cards/{messageId}",
      summary: "One card whole, nothing of it cut.",
      success: 200,
      answer: schemas.cardAnswer,
      refusals: [...chatRefusals, "not_waiting"],
      async handle({ sessionRef, conversationId, messageId }) {
        const answer = await confirmations.card(sessionRef, { conversationId, messageId });
        return answer.ok ? { ok: true, body: { now: answer.now, card: answer.card } } : answer;
      },
    }),
    click("confirm", { summary: "Runs the held change, once.", refusals: [...clickRefusals, "assistant_off"] }),
    click("reject", { summary: "Turns the held change down.", refusals: clickRefusals }),
    click("repeat", {
      summary: "Asks again for a change whose card ran out.",
      refusals: [...clickRefusals, "assistant_off", "not_expired", "already_waiting"],
    }),
    defineRoute({
      method: "POST",
      path: "/conversations/{conversationId}/open",
      summary: "Settles the cards that stopped waiting without a click.",
      success: 204,
      refusals: [...chatRefusals, "assistant_off", "turn_running", "click_running"],
      async handle({ sessionRef, conversationId }) {
        const answer = await confirmations.settleLapsed(sessionRef, { conversationId });
        return answer.ok ? { ok: true, body: null } : answer;
      },
    }),
  ];
}
