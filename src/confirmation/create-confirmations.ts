import type { Chat } from "../chat/chat.ts";
import type { Core } from "../core/core.ts";
import type { Settings } from "../settings/settings.ts";
import { cardOutcomes } from "../wire/reasons.ts";
import { refused } from "../outcome.ts";
import { isUuid } from "../chat/is-uuid.ts";
import { type ClickPlan, holderOf, runClick } from "./click.ts";
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
  readonly onConfirmed?: OnConfirmed | undefined;
  readonly mayConfirm?: MayConfirm | undefined;
  /** Told of an error that must not reach a user: a host's hook that threw. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** Told of a confirmed write; what it answers is not waited for. */
export type OnConfirmed = (event: ConfirmedEvent) => unknown;

/** What a click's own statements may take at most, beside the host's calls: some of them are asked again. */
const statementsMs = 120_000;

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
      const told = new Promise((resolve) => resolve(setup.onConfirmed?.(event)));
      told.catch((error: unknown) => setup.onError?.(error));
    },
  };

  async function click<Word extends string>(
    sessionRef: string,
    target: ClickTarget,
    plan: Pick<ClickPlan<Word>, "tellsSettled" | "work"> & { readonly whileOff: boolean },
  ): Promise<ClickResult<Word>> {
    if (draining) return refused("shutting_down");
    const isId = isUuid(target.messageId);
    const { whileOff } = plan;
    // Whether the chat is there is looked at by the statement that takes the lock.
    const allowed = await chat.authorize(sessionRef, {
      whileOff,
      ...(isId ? {} : { conversationId: target.conversationId }),
    });
    if (!allowed.ok) return allowed;
    if (!isId) return refused("not_waiting");
    const { session } = allowed;
    const longest = (card: { readonly tool: string }): number => core.longestClick(card.tool) + statementsMs;
    const work = runClick({ chat, settings }, { ...plan, session, target, longest });
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
      click(sessionRef, target, {
        whileOff: false,
        tellsSettled: true,
        work: (made) => confirmCard(tools, sessionRef, made),
      }),
    reject: (sessionRef, target) =>
      click(sessionRef, target, {
        whileOff: true,
        tellsSettled: true,
        work: (made) => rejectCard(tools, sessionRef, made),
      }),
    repeat: (sessionRef, target) =>
      click(sessionRef, target, {
        whileOff: false,
        tellsSettled: false,
        work: (made) => repeatCard(tools, sessionRef, made),
      }),

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
