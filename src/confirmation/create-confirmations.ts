import type { Chat } from "../chat/chat.ts";
import type { Core } from "../core/core.ts";
import type { Settings } from "../settings/settings.ts";
import { cardOutcomes } from "../wire/reasons.ts";
import { refused } from "../outcome.ts";
import { type Click, type Clicked, holderOf, runClick } from "./click.ts";
import { type ClickTools, confirmCard } from "./confirm.ts";
import type { ClickResult, ClickTarget, ConfirmedEvent, Confirmations, MayConfirm } from "./confirmations.ts";
import { readAnswers, toCards } from "./read-cards.ts";
import { rejectCard } from "./reject.ts";
import { repeatCard } from "./repeat.ts";
import { createSpentSweep } from "./settle-spent.ts";
import { settleUnderLock, settleWithLock, wantsSettling } from "./settle.ts";

export interface ConfirmationsSetup {
  readonly chat: Chat;
  readonly core: Core;
  readonly settings: Settings;
  /** Called once a card's `confirmed` outcome is stored; a throw is logged and harms nothing. */
  readonly onConfirmed?: ((event: ConfirmedEvent) => void) | undefined;
  readonly mayConfirm?: MayConfirm | undefined;
  /** Told of an error that must not reach a user: a host's hook that threw. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** Joins chat and core into the cards of a chat. */
export function createConfirmations(setup: ConfirmationsSetup): Confirmations {
  const { chat, core, settings } = setup;
  const running = new Set<Promise<unknown>>();
  let draining = false;
  const tools: ClickTools = {
    chat,
    core,
    settings,
    mayConfirm: setup.mayConfirm ?? null,
    confirmed(event) {
      try {
        setup.onConfirmed?.(event);
      } catch (error) {
        setup.onError?.(error);
      }
    },
  };

  async function click<Word extends string>(
    sessionRef: string,
    target: ClickTarget,
    plan: { readonly whileOff: boolean; work(click: Click): Promise<Clicked<Word>> },
  ): Promise<ClickResult<Word>> {
    if (draining) return refused("shutting_down");
    // Whether the chat is there is looked at by the statement that takes the lock.
    const allowed = await chat.authorize(sessionRef, { whileOff: plan.whileOff });
    if (!allowed.ok) return allowed;
    const { session } = allowed;
    const longest = (card: { readonly tool: string }): number => core.longestClick(card.tool);
    const work = runClick({ chat, settings }, { session, target, longest, work: plan.work });
    running.add(work);
    try {
      return await work;
    } finally {
      running.delete(work);
    }
  }

  async function read(sessionRef: string, wanted: Wanted): Promise<ReturnType<typeof toCards>> {
    const { userId, conversationId, messageIds, characters } = wanted;
    const all = await chat.cardsOf(userId, { conversationId, messageIds: messageIds ?? [], andWaiting: true });
    const ids = messageIds === null ? null : new Set(messageIds);
    const asked =
      ids === null ? all.filter((row) => row.outcome === null) : all.filter((row) => ids.has(row.messageId));
    if (asked.length === 0) return { now: new Date().toISOString(), cards: {} };
    const answers = await readAnswers(core, sessionRef, all);
    return toCards({ core, now: Date.now(), characters }, { asked, all, answers });
  }

  return {
    confirm: (sessionRef, target) =>
      click(sessionRef, target, { whileOff: false, work: (made) => confirmCard(tools, sessionRef, made) }),
    reject: (sessionRef, target) =>
      click(sessionRef, target, { whileOff: true, work: (made) => rejectCard(tools, sessionRef, made) }),
    repeat: (sessionRef, target) =>
      click(sessionRef, target, { whileOff: false, work: (made) => repeatCard(tools, sessionRef, made) }),

    async cards(sessionRef, { conversationId, messageIds }) {
      const allowed = await chat.authorize(sessionRef, { conversationId, whileOff: true });
      if (!allowed.ok) return allowed;
      const { userId } = allowed.session;
      const characters = settings.fixed.cardChars;
      return { ok: true, ...(await read(sessionRef, { userId, conversationId, messageIds, characters })) };
    },

    async card(sessionRef, { conversationId, messageId }) {
      const allowed = await chat.authorize(sessionRef, { conversationId, whileOff: true });
      if (!allowed.ok) return allowed;
      const { userId } = allowed.session;
      const answer = await read(sessionRef, { userId, conversationId, messageIds: [messageId], characters: null });
      const card = answer.cards[messageId];
      return card === undefined ? refused("not_waiting") : { ok: true, now: answer.now, card };
    },

    async waitingCards(sessionRef, { conversationId }) {
      const allowed = await chat.authorize(sessionRef, { conversationId, whileOff: true });
      if (!allowed.ok) return allowed;
      const { userId } = allowed.session;
      const characters = settings.fixed.cardChars;
      const answer = await read(sessionRef, { userId, conversationId, messageIds: null, characters });
      const messageIds = Object.keys(answer.cards);
      const messages = messageIds.length === 0 ? [] : await chat.messagesById(userId, { conversationId, messageIds });
      return { ok: true, ...answer, messages: messages.toSorted((one, other) => one.seq - other.seq) };
    },

    async settleLapsed(sessionRef, { conversationId }) {
      const allowed = await chat.authorize(sessionRef, { conversationId });
      if (!allowed.ok) return allowed;
      const place = { userId: allowed.session.userId, conversationId };
      if (!(await wantsSettling(tools, place))) return { ok: true };
      const acquired = await settleWithLock(tools, place);
      return acquired.ok ? { ok: true } : { ok: false, reason: acquired.reason, ...holderOf(acquired.holder) };
    },

    settleLapsedInTurn: (userId, { conversationId }) => settleUnderLock(tools, { userId, conversationId }),

    settleSpent: createSpentSweep(tools),

    async settleSwept(userId, { conversationId }) {
      await settleWithLock(tools, { userId, conversationId });
    },

    outcomes: () => cardOutcomes,

    async drain() {
      draining = true;
      await Promise.allSettled(running);
    },
  };
}

interface Wanted {
  readonly userId: string;
  readonly conversationId: string;
  /** Null for every waiting card. */
  readonly messageIds: readonly string[] | null;
  readonly characters: number | null;
}
