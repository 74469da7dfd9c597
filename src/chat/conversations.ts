import { v7 as uuid } from "uuid";
import { refused, type Outcome } from "../outcome.ts";
import type { Session } from "../core/session.ts";
import type { ActRefusal } from "../wire/reasons.ts";
import { authorize } from "./authorize.ts";
import type { Chat } from "./chat.ts";
import { cleanText } from "./clean.ts";
import { toConversation, type ConversationRow } from "./conversation-row.ts";
import {
  insertConversation,
  listConversations,
  removeConversation,
  renameConversation,
  restoreConversation,
  searchConversations,
  type ListPlace,
} from "./conversations.sql.ts";
import { isUuid } from "./is-uuid.ts";
import { toMessageRow, toWire, type MessageRow } from "./message-row.ts";
import { linkUsage, readByIds, readPage } from "./page.sql.ts";
import { toTitle } from "./title.ts";
import type { ChatTools } from "./tools.ts";

/**
 * The chats of a user and their pages. They can be read, and tidied, while the assistant is switched off: a waiting change
 * must stay within reach of its Cancel.
 */
export type Conversations = Pick<
  Chat,
  | "conversations"
  | "createConversation"
  | "renameConversation"
  | "removeConversation"
  | "restoreConversation"
  | "messages"
  | "messagesById"
  | "linkUsage"
>;

/** A deleted chat can be taken back for this long; its rows are gone within the day. */
export const restorableHours = 23;
const pageOfChats = 30;
// A search looks at this many chats a page, and at the newest messages of each: a page without a find still has a next.
const searchedChats = 50;
const searchedMessages = 2_000;
const longestQuery = 200;

export function createConversations(tools: ChatTools): Conversations {
  const { database, events } = tools;
  const whileOff = true;

  async function session(ref: string): Promise<Outcome<{ readonly session: Session }, ActRefusal>> {
    return authorize(tools, ref, { whileOff });
  }

  return {
    async conversations(sessionRef, page) {
      const allowed = await session(sessionRef);
      if (!allowed.ok) return allowed;
      const before = page.before === undefined ? null : fromCursor(page.before);
      if (page.before !== undefined && before === null) return { ok: true, conversations: [], next: null };
      const { userId } = allowed.session;
      const query = cleanText(page.query ?? "").trim();
      type Row = ConversationRow & ListPlace;
      if (query === "") {
        const rows = await database.query<Row>(listConversations({ userId, before, limit: pageOfChats }));
        return { ok: true, conversations: rows.map(toConversation), next: nextOf(rows, pageOfChats) };
      }
      const pattern = `%${escapeLike([...query].slice(0, longestQuery).join(""))}%`;
      const rows = await database.query<Row & { readonly found: boolean }>(
        searchConversations({ userId, before, limit: searchedChats, pattern, depth: searchedMessages }),
      );
      const found = rows.filter((row) => row.found);
      return { ok: true, conversations: found.map(toConversation), next: nextOf(rows, searchedChats) };
    },

    async createConversation(sessionRef) {
      const allowed = await session(sessionRef);
      if (!allowed.ok) return allowed;
      const [row] = await database.query<ConversationRow>(insertConversation(allowed.session.userId, uuid()));
      return row === undefined ? refused("not_found") : { ok: true, conversation: toConversation(row) };
    },

    async renameConversation(sessionRef, { conversationId, title: given }) {
      const allowed = await authorize(tools, sessionRef, { conversationId, whileOff });
      if (!allowed.ok) return allowed;
      const title = toTitle(given);
      if (title === null) return refused("title_invalid");
      const { userId } = allowed.session;
      const [row] = await database.query<ConversationRow>(renameConversation({ userId, conversationId, title }));
      if (row === undefined) return refused("not_found");
      const conversation = toConversation(row);
      events.happened({ userId, conversationId }, { type: "conversation", conversation });
      return { ok: true, conversation };
    },

    async removeConversation(sessionRef, { conversationId }) {
      const allowed = await authorize(tools, sessionRef, { conversationId, whileOff });
      if (!allowed.ok) return allowed;
      const { userId } = allowed.session;
      const [row] = await database.query<{ readonly stopped_turn_id: string | null }>(
        removeConversation(userId, conversationId),
      );
      if (row === undefined) return refused("not_found");
      if (row.stopped_turn_id !== null) events.stopAsked(row.stopped_turn_id);
      events.deleted({ userId, conversationId });
      return { ok: true };
    },

    async restoreConversation(sessionRef, { conversationId }) {
      const allowed = await session(sessionRef);
      if (!allowed.ok) return allowed;
      if (!isUuid(conversationId)) return refused("not_found");
      const { userId } = allowed.session;
      const [row] = await database.query<ConversationRow>(
        restoreConversation({ userId, conversationId, withinHours: restorableHours }),
      );
      return row === undefined ? refused("not_found") : { ok: true, conversation: toConversation(row) };
    },

    async messages(sessionRef, { conversationId, before }) {
      const allowed = await authorize(tools, sessionRef, { conversationId, whileOff });
      if (!allowed.ok) return allowed;
      const { session: reader, conversation } = allowed;
      if (conversation === null) return refused("not_found");
      const limit = tools.settings.fixed.pageMessages;
      const place = { userId: reader.userId, conversationId, beforeSeq: before ?? newest };
      const rows = await database.query<MessageRow>(readPage({ ...place, limit }));
      return {
        ok: true,
        conversation,
        messages: toMessages(rows, conversationId),
        hasEarlier: (rows[0]?.seq ?? 1) > 1,
      };
    },

    async messagesById(userId, { conversationId, messageIds }) {
      const ids = messageIds.filter(isUuid);
      if (ids.length === 0) return [];
      const rows = await database.query<MessageRow>(readByIds({ userId, conversationId, messageIds: ids }));
      return toMessages(rows, conversationId);
    },

    async linkUsage(row) {
      const [linked] = await database.query<{ readonly conversation_id: string }>(linkUsage(row));
      if (linked === undefined) return false;
      const place = { userId: row.userId, conversationId: linked.conversation_id };
      const [found] = await database.query<MessageRow>(readByIds({ ...place, messageIds: [row.messageId] }));
      const message = found && toMessages([found], place.conversationId)[0];
      if (message !== undefined) events.changed(place, message);
      return true;
    },
  };

  function toMessages(rows: readonly MessageRow[], conversationId: string): ReturnType<typeof toWire>[] {
    return rows.map((row) => toWire(toMessageRow(row), { conversationId, titleOf: tools.core.titleOf }));
  }
}

const newest = 2_147_483_647;

/** A text as a pattern that stands for itself. */
function escapeLike(text: string): string {
  return text.replaceAll(/[\\%_]/g, String.raw`\$&`);
}

function nextOf(rows: readonly ListPlace[], limit: number): string | null {
  const last = rows.at(-1);
  return last === undefined || rows.length < limit ? null : `${last.micros}.${last.id}`;
}

function fromCursor(cursor: string): ListPlace | null {
  const [micros = "", id = "", ...more] = cursor.split(".");
  return /^\d{1,16}$/.test(micros) && isUuid(id) && more.length === 0 ? { micros: Number(micros), id } : null;
}
