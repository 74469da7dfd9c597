import type { CardRow, Chat } from "../chat/chat.ts";
import type { ConfirmationState, Core } from "../core/core.ts";
import { refused } from "../outcome.ts";
import type { Click, Clicked } from "./click.ts";
import type { ClickTools } from "./confirm.ts";
import { toOutcome } from "./row-outcome.ts";

const undone = (result: Clicked<never>["result"]): Clicked<never> => ({ result, released: false });

/** The user asks again for the write of a card that ran out or is gone: core holds the same call in a new row, a new card follows. */
export async function repeatCard(tools: ClickTools, sessionRef: string, click: Click): Promise<Clicked<"repeated">> {
  const { chat, core } = tools;
  const { card, target, session, fence } = click;
  const { conversationId } = target;
  if (card.followed || (card.outcome !== null && card.outcome !== "expired")) return undone(refused("not_expired"));
  if (card.outcome === null && !(await ranOut(core, session.userId, card))) return undone(refused("not_expired"));
  if (card.call === null) return undone(refused("no_arguments"));
  // A tool of that name that is a read by now would run at once.
  if (core.kindOf(card.tool) !== "write") return undone({ ok: false, reason: "refused", code: "unknown_tool" });
  if (await isAskedElsewhere(tools, session.userId, { conversationId, card }))
    return undone(refused("already_waiting"));
  const answer = await core.execute(sessionRef, {
    tool: card.tool,
    args: card.call.arguments,
    via: "agent",
    requestContext: target.requestContext,
  });
  if (!answer.ok) {
    if (answer.reason === "refused_by_tool") {
      return undone({ ok: false, reason: "refused", code: answer.code, sentence: answer.sentence });
    }
    const when = answer.retryAfter === undefined ? {} : { retryAfter: answer.retryAfter };
    return undone({ ok: false, reason: "refused", code: answer.reason, ...when });
  }
  if (answer.status !== "confirmation_required") return undone(refused("not_expired"));
  const { confirmationId } = card;
  const next = answer.confirmationId;
  const followed = await chat.followCard(session.userId, {
    conversationId,
    confirmationId,
    nextConfirmationId: next,
    release: fence,
  });
  if (followed === "stored") return { result: { ok: true, outcome: "repeated", finished: true }, released: true };
  // The new row has no card, so nobody could ever confirm it: it is turned down rather than left to run out.
  await core.rejectForUser(sessionRef, next, { via: "agent", requestContext: target.requestContext });
  return undone(refused(followed === "chat_gone" ? "not_stored" : "not_expired"));
}

async function ranOut(core: Core, userId: string, card: CardRow): Promise<boolean> {
  const state = (await core.expireForUser(userId, [card.confirmationId])).get(card.confirmationId);
  if (state === undefined) return false;
  const outcome = toOutcome(state);
  return outcome.wait === null && outcome.outcome === "expired";
}

/** Whether another card of the chat waits for the same tool and arguments. */
async function isAskedElsewhere(
  room: { readonly chat: Chat; readonly core: Core },
  userId: string,
  where: { readonly conversationId: string; readonly card: CardRow },
): Promise<boolean> {
  const { conversationId, card } = where;
  const waiting = await room.chat.cardsOf(userId, { conversationId, messageIds: [], andWaiting: true });
  const same = waiting.filter((other) => other.messageId !== card.messageId && isSameWrite(room.core, other, card));
  if (same.length === 0) return false;
  const states = await room.core.expireForUser(
    userId,
    same.map((other) => other.confirmationId),
  );
  return [...states.values()].some(standsForItsWrite);
}

/** Whether a row without a notice still stands for its write: held, being run, or run; not one that ran out, is gone or was turned down. */
export function standsForItsWrite(state: ConfirmationState): boolean {
  const outcome = toOutcome(state);
  return outcome.wait !== null || (outcome.outcome !== "expired" && outcome.outcome !== "rejected");
}

/** Whether two cards ask for the same tool with the same arguments. */
export function isSameWrite(core: Core, one: CardRow, other: CardRow): boolean {
  if (one.tool !== other.tool || one.call === null || other.call === null) return false;
  const hash = core.argumentsHash(one.call.arguments);
  return hash !== null && hash === core.argumentsHash(other.call.arguments);
}
