import type { Core, RedeemAnswer, Redemption } from "../core/core.ts";
import type { Settings } from "../settings/settings.ts";
import type { CardOutcome } from "../wire/reasons.ts";
import { invariant, refused } from "../outcome.ts";
import { type Click, type Clicked, settledAnswer } from "./click.ts";
import type { ClickRefused, MayConfirm } from "./confirmations.ts";
import { toOutcome } from "./row-outcome.ts";
import { type Teller, tellClick } from "./tell-outcome.ts";

/** What the three clicks work with. */
export interface ClickTools extends Teller {
  readonly core: Core;
  readonly settings: Settings;
  readonly mayConfirm: MayConfirm | null;
}

const undone = (result: ClickRefused): Clicked<never> => ({ result, released: false });

/** The user runs the held write: core's redeem, with the arguments of the stored call and nothing a client sent. */
export async function confirmCard(tools: ClickTools, sessionRef: string, click: Click): Promise<Clicked<CardOutcome>> {
  const { card, target } = click;
  const settled = settledAnswer(card);
  if (settled !== null) return undone(settled);
  if (card.outcome !== null) return endOpenNotice(tools, click);
  if (card.call === null) return undone(refused("no_arguments"));
  const answer = await tools.core.redeem(sessionRef, {
    confirmationId: card.confirmationId,
    tool: card.tool,
    args: card.call.arguments,
    via: "agent",
    followed: true,
    requestContext: target.requestContext,
    approve: approval(tools, click, card.call.arguments),
  });
  return tellRedeemed(tools, click, answer);
}

async function tellRedeemed(tools: ClickTools, click: Click, answer: RedeemAnswer): Promise<Clicked<CardOutcome>> {
  if (answer.ok) return tellAs(tools, click, { outcome: "confirmed", finished: true });
  switch (answer.reason) {
    case "handler_failed":
      return tellAs(tools, click, { outcome: "failed", finished: true });
    case "timeout":
      return tellAs(tools, click, { outcome: "confirmed", finished: false });
    case "used":
    case "rejected":
    case "expired":
    case "invalid":
    case "changed":
      return tellRow(tools, click, answer.reason);
    case "refused_by_tool":
      return undone({ ok: false, reason: "refused", code: answer.code, sentence: answer.sentence });
    default:
      return undone(toRefused(answer));
  }
}

function toRefused(answer: { readonly reason: string; readonly retryAfter?: number }): ClickRefused {
  const when = answer.retryAfter === undefined ? {} : { retryAfter: answer.retryAfter };
  return { ok: false, reason: "refused", code: answer.reason, ...when };
}

async function tellAs(
  tools: ClickTools,
  click: Click,
  said: { readonly outcome: CardOutcome; readonly finished: boolean },
): Promise<Clicked<CardOutcome>> {
  const { session, target, card, fence } = click;
  const ended = { wait: null, ...said, nextConfirmationId: null } as const;
  const told = { userId: session.userId, conversationId: target.conversationId, card, ended, release: fence };
  return tellClick(tools, told);
}

/** Tells what the row itself says, after core answered that it no longer holds; `said` is the reason when the row does not read so. */
export async function tellRow(tools: ClickTools, click: Click, said: string): Promise<Clicked<CardOutcome>> {
  const { session, target, card, fence } = click;
  const states = await tools.core.expireForUser(session.userId, [card.confirmationId]);
  const state = states.get(card.confirmationId);
  invariant(state !== undefined, "core answers a state for every id it is asked for");
  const ended = toOutcome(state);
  if (said === "used" && state.status !== "used") return undone({ ok: false, reason: "refused", code: said });
  if (ended.wait !== null) {
    return undone(
      ended.wait === "running"
        ? { ok: false, reason: "click_running", retryAfter: 2 }
        : { ok: false, reason: "refused", code: said },
    );
  }
  const told = { userId: session.userId, conversationId: target.conversationId, card, ended, release: fence };
  return tellClick(tools, told);
}

/** A card told with its end unknown: when core has the end by now, the notice is given it; the click answers what it says. */
export async function endOpenNotice(tools: ClickTools, click: Click): Promise<Clicked<never>> {
  const { session, target, card, fence } = click;
  const states = await tools.core.lookupForUser(session.userId, [card.confirmationId]);
  const state = states.get(card.confirmationId);
  const ended = state === undefined ? null : toOutcome(state);
  const outcome = card.outcome ?? "confirmed";
  if (ended === null || ended.wait !== null || !ended.finished) {
    return undone({ ok: false, reason: "not_waiting", outcome, finished: false });
  }
  const told = { userId: session.userId, conversationId: target.conversationId, card, ended, release: fence };
  const clicked = await tellClick(tools, told);
  if (!clicked.result.ok) return { result: clicked.result, released: clicked.released };
  const result = { ok: false, reason: "not_waiting", outcome: clicked.result.outcome, finished: true } as const;
  return { result, released: clicked.released };
}

/** The host's own say about this click, asked by core right before it would spend the row. */
function approval(tools: ClickTools, click: Click, args: string): Redemption["approve"] {
  const { mayConfirm } = tools;
  if (mayConfirm === null) return undefined;
  const { card, target } = click;
  const { confirmationId, tool } = card;
  const { conversationId } = target;
  return (session) =>
    mayConfirm(session, { confirmationId, conversationId, userId: session.userId, tool, arguments: args });
}
