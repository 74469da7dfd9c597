import type { CardOutcome } from "../wire/reasons.ts";
import { type Click, type Clicked, settledAnswer } from "./click.ts";
import { type ClickTools, endOpenNotice, tellRow } from "./confirm.ts";
import { tellClick } from "./tell-outcome.ts";

/** The user turns the held write down; needs no right to its tool. */
export async function rejectCard(tools: ClickTools, sessionRef: string, click: Click): Promise<Clicked<CardOutcome>> {
  const { card, target, session, fence } = click;
  const settled = settledAnswer(card);
  if (settled !== null) return { result: settled, released: false };
  if (card.outcome !== null) return endOpenNotice(tools, click);
  const request = { via: "agent", requestContext: target.requestContext };
  const answer = await tools.core.rejectForUser(sessionRef, card.confirmationId, request);
  if (answer.ok) {
    const ended = { wait: null, outcome: "rejected", finished: true, nextConfirmationId: null } as const;
    const told = { userId: session.userId, conversationId: target.conversationId, card, ended, release: fence };
    return tellClick(tools, told);
  }
  switch (answer.reason) {
    case "used":
    case "rejected":
    case "expired":
    case "invalid":
    case "changed":
      return tellRow(tools, click, answer.reason);
    default: {
      const when = answer.retryAfter === undefined ? {} : { retryAfter: answer.retryAfter };
      return { result: { ok: false, reason: "refused", code: answer.reason, ...when }, released: false };
    }
  }
}
