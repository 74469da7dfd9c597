import { v7 as uuid } from "uuid";
import type { Message } from "../wire/messages.ts";
import type { CardNotice, CardRow, Chat, Fence } from "./chat.ts";
import { readCards, readOpenCards, type OpenCardRow, type ReadCardRow } from "./cards.sql.ts";
import { cleanText } from "./clean.ts";
import { followCard, type FollowedRow } from "./follow-card.sql.ts";
import { isUuid } from "./is-uuid.ts";
import { releaseClick } from "./lock.sql.ts";
import { toMessageRow, toWire } from "./message-row.ts";
import { tellCard, type ToldRow } from "./tell-card.sql.ts";
import type { ChatTools } from "./tools.ts";
import { isUniqueViolation } from "./unique-violation.ts";
import { readUntold } from "./untold-cards.sql.ts";

export function toCardRow(row: ReadCardRow): CardRow {
  return {
    messageId: row.id,
    seq: row.seq,
    confirmationId: row.confirmation_id,
    tool: row.tool_name,
    assistantMessageId: row.assistant_message_id,
    call: row.call,
    outcome: row.outcome,
    finished: row.finished,
    followed: row.followed,
    clicked: row.clicked,
  };
}

/** The rows of cards and their notices. Decides nothing about what became of a card. */
export type Cards = Pick<Chat, "openCards" | "untoldCards" | "cardsOf" | "tellCard" | "followCard">;

export function createCards(tools: ChatTools): Cards {
  const { database, events } = tools;
  const holdMs = tools.settings.fixed.lockHold;

  return {
    async openCards(userId, conversationId) {
      const rows = await database.query<OpenCardRow>(readOpenCards(userId, conversationId));
      return rows.map((row) => ({
        messageId: row.id,
        confirmationId: row.confirmation_id,
        tool: row.tool_name,
        told: row.told,
      }));
    },

    async untoldCards(rows) {
      if (rows.length === 0) return [];
      const [userIds, confirmationIds] = [rows.map(({ userId }) => userId), rows.map(({ id }) => id)];
      return database.query(readUntold({ userIds, confirmationIds }));
    },

    async cardsOf(userId, { conversationId, messageIds, andWaiting = false }) {
      const known = messageIds.filter(isUuid);
      if (known.length === 0 && !andWaiting) return [];
      const rows = await database.query<ReadCardRow>(
        readCards({ userId, conversationId, messageIds: known, andWaiting, holdMs }),
      );
      return rows.map(toCardRow);
    },

    async tellCard(userId, notice) {
      const { conversationId, confirmationId, outcome, finished } = notice;
      const ids = { noticeId: uuid(), nextCardId: uuid() };
      const tool = cleanText(notice.tool);
      const row = await onceMoreIfTold(userId, notice.release, async () => {
        const [told] = await database.query<ToldRow>(
          tellCard({
            ...{ userId, conversationId, confirmationId, tool, outcome, finished, ...ids },
            nextConfirmationId: notice.nextConfirmationId ?? null,
            releaseToken: notice.release?.token ?? null,
          }),
        );
        return told;
      });
      if (row === undefined) return "told_already";
      const place = { userId, conversationId };
      if (row.upgraded !== null) {
        const upgraded = toMessageRow({ ...row.upgraded, created_at: new Date(row.upgraded.created_at) });
        events.changed(place, toWire(upgraded, { conversationId, titleOf: tools.core.titleOf }));
        return "upgraded";
      }
      if (row.seq !== null && row.stored_at !== null) {
        const stored = [toNotice(notice, { id: ids.noticeId, seq: row.seq, at: row.stored_at, tool })];
        if (row.card_seq !== null && row.card_at !== null) {
          const next = { id: ids.nextCardId, confirmationId: notice.nextConfirmationId ?? null, tool: row.card_tool };
          stored.push(toCard(notice, { ...next, seq: row.card_seq, at: row.card_at, callId: row.card_call_id }));
        }
        events.stored(place, stored);
        return "stored";
      }
      return row.told_before && row.chat_there ? "told_already" : "chat_gone";
    },

    async followCard(userId, follow) {
      const { conversationId, confirmationId, nextConfirmationId } = follow;
      const ids = { noticeId: uuid(), nextCardId: uuid() };
      const row = await onceMoreIfTold(userId, follow.release, async () => {
        const [followed] = await database.query<FollowedRow>(
          followCard({
            ...{ userId, conversationId, confirmationId, nextConfirmationId, ...ids },
            releaseToken: follow.release?.token ?? null,
          }),
        );
        return followed;
      });
      if (row === undefined || (row.chat_there && row.followed_before)) return "followed_already";
      if (row.card_seq === null || row.card_at === null) return "chat_gone";
      const stored: Message[] = [];
      if (row.notice_seq !== null && row.notice_at !== null) {
        const said = { conversationId, confirmationId, outcome: "expired", finished: true } as const;
        stored.push(toNotice(said, { id: ids.noticeId, seq: row.notice_seq, at: row.notice_at, tool: row.tool ?? "" }));
      }
      const next = { id: ids.nextCardId, confirmationId: nextConfirmationId, tool: row.tool };
      stored.push(toCard(follow, { ...next, seq: row.card_seq, at: row.card_at, callId: row.card_call_id }));
      events.stored({ userId, conversationId }, stored);
      return "stored";
    },
  };

  /**
   * When somebody else told the card meanwhile, the unique index takes the whole statement back, its release too. A
   * second run sees what was told, and releases. Undefined when that one is refused as well; then it is released apart.
   */
  async function onceMoreIfTold<Row>(
    userId: string,
    release: Fence | undefined,
    run: () => Promise<Row | undefined>,
  ): Promise<Row | undefined> {
    try {
      return await run();
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
    }
    try {
      return await run();
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
      if (release !== undefined) await database.query(releaseClick({ userId, token: release.token }));
      return undefined;
    }
  }

  type Said = Pick<CardNotice, "conversationId" | "confirmationId" | "outcome" | "finished">;
  interface Stored {
    readonly id: string;
    readonly seq: number;
    readonly at: Date;
  }

  function toNotice(said: Said, stored: Stored & { readonly tool: string }): Message {
    const { conversationId, confirmationId, outcome, finished } = said;
    const row = toMessageRow({
      ...{ id: stored.id, seq: stored.seq, created_at: stored.at, role: "notice", tool_name: stored.tool },
      ...{ confirmation_id: confirmationId, tool_outcome: outcome, finished },
    });
    return toWire(row, { conversationId, titleOf: tools.core.titleOf });
  }

  function toCard(
    old: Pick<CardNotice, "conversationId" | "confirmationId">,
    next: Stored & {
      readonly confirmationId: string | null;
      readonly tool: string | null;
      readonly callId: string | null;
    },
  ): Message {
    const row = toMessageRow({
      ...{ id: next.id, seq: next.seq, created_at: next.at, role: "tool", tool_status: "needs_confirmation" },
      ...{ confirmation_id: next.confirmationId, follows_id: old.confirmationId },
      ...{ tool_name: next.tool, tool_call_id: next.callId },
    });
    return toWire(row, { conversationId: old.conversationId, titleOf: tools.core.titleOf });
  }
}
