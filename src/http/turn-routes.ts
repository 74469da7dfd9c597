import type { Turns } from "../turn/turns.ts";
import { chatRefusals } from "./chat-routes.ts";
import { defineRoute, type Route } from "./route.ts";
import * as schemas from "./schemas.ts";

/** Asking, and stopping the answer. */
export function turnRoutes(turns: Turns): readonly Route[] {
  return [
    defineRoute({
      method: "POST",
      path: "/conversations/{conversationId}/turns",
      summary: "Starts a turn. The same clientId again answers the same turn, so a start can be repeated safely.",
      body: schemas.startTurnRequest,
      success: 202,
      answer: schemas.startTurnAnswer,
      refusals: [
        ...chatRefusals,
        "assistant_off",
        "empty_message",
        "message_too_long",
        "turn_running",
        "click_in_flight",
        "attachment_invalid",
        "turn_limit",
        "shutting_down",
        "budget_user",
        "budget_total",
        "ai_off",
        "suspended",
        "no_price",
        "no_endpoint",
      ],
      async handle({ sessionRef, conversationId, body, requestContext }) {
        const { text, clientId, attachmentIds } = body;
        const asked = { conversationId, text, clientId, attachmentIds, requestContext };
        const answer = await turns.start(sessionRef, asked);
        return answer.ok ? { ok: true, body: { turnId: answer.turnId } } : answer;
      },
    }),
    defineRoute({
      method: "POST",
      path: "/conversations/{conversationId}/turns/{turnId}/stop",
      summary: "Asks a running turn to stop; its end is told by the events.",
      success: 204,
      refusals: [...chatRefusals, "not_running"],
      async handle({ sessionRef, conversationId, turnId }) {
        const answer = await turns.stop(sessionRef, { conversationId, turnId });
        return answer.ok ? { ok: true, body: null } : answer;
      },
    }),
  ];
}
