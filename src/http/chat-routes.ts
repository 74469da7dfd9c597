import { z } from "@hono/zod-openapi";
import type { Chat } from "../chat/chat.ts";
import type { Confirmations } from "../confirmation/confirmations.ts";
import type { ActRefusal } from "../wire/reasons.ts";
import { defineRoute, type Route } from "./route.ts";
import * as schemas from "./schemas.ts";

/** The refusals that every route of the assistant shares. */
export const ownRefusals: readonly ActRefusal[] = [
  "session_invalid",
  "session_unavailable",
  "impersonated",
  "not_allowed",
];
/** Those of a route that names a chat. */
export const chatRefusals: readonly ActRefusal[] = [...ownRefusals, "not_found"];

/** A user's chats and what was said in them. */
export function chatRoutes(rooms: { readonly chat: Chat; readonly confirmations: Confirmations }): readonly Route[] {
  const { chat, confirmations } = rooms;
  return [
    defineRoute({
      method: "GET",
      path: "/conversations",
      summary: "The user's chats, newest first; with a query, those whose text has it.",
      query: z.object({ before: z.string().max(200).optional(), query: z.string().max(500).optional() }),
      success: 200,
      answer: schemas.conversations,
      refusals: ownRefusals,
      async handle({ sessionRef, query }) {
        const page = await chat.conversations(sessionRef, {
          ...(query.before !== undefined && { before: query.before }),
          ...(query.query !== undefined && { query: query.query }),
        });
        if (!page.ok) return page;
        return { ok: true, body: { conversations: page.conversations, next: page.next } };
      },
    }),
    defineRoute({
      method: "POST",
      path: "/conversations",
      summary: "Makes a chat.",
      success: 201,
      answer: schemas.conversationAnswer,
      refusals: ownRefusals,
      handle: async ({ sessionRef }) => toConversation(await chat.createConversation(sessionRef)),
    }),
    defineRoute({
      method: "PATCH",
      path: "/conversations/{conversationId}",
      summary: "Renames a chat.",
      body: schemas.renameRequest,
      success: 200,
      answer: schemas.conversationAnswer,
      refusals: [...chatRefusals, "title_invalid"],
      handle: async ({ sessionRef, conversationId, body }) =>
        toConversation(await chat.renameConversation(sessionRef, { conversationId, title: body.title })),
    }),
    defineRoute({
      method: "DELETE",
      path: "/conversations/{conversationId}",
      summary: "Deletes a chat: gone at once; it can be restored until its rows go, within the day.",
      success: 204,
      refusals: chatRefusals,
      async handle({ sessionRef, conversationId }) {
        const answer = await chat.removeConversation(sessionRef, { conversationId });
        return answer.ok ? { ok: true, body: null } : answer;
      },
    }),
    defineRoute({
      method: "POST",
      path: "/conversations/{conversationId}/restore",
      summary: "Takes back the deletion of a chat.",
      success: 200,
      answer: schemas.conversationAnswer,
      refusals: chatRefusals,
      handle: async ({ sessionRef, conversationId }) =>
        toConversation(await chat.restoreConversation(sessionRef, { conversationId })),
    }),
    defineRoute({
      method: "GET",
      path: "/conversations/{conversationId}/messages",
      summary: "A page of a chat's messages with their cards: the newest, or those before a seq; oldest first.",
      query: z.object({ before: z.coerce.number().int().positive().max(2_147_483_647).optional() }),
      success: 200,
      answer: schemas.messagesPage,
      refusals: chatRefusals,
      async handle({ sessionRef, conversationId, query }) {
        const { before } = query;
        const page = await chat.messages(sessionRef, { conversationId, ...(before !== undefined && { before }) });
        if (!page.ok) return page;
        const { conversation, messages, hasEarlier } = page;
        const isCard = (message: (typeof messages)[number]): boolean =>
          message.role === "tool" && message.confirmationId !== null;
        const messageIds = messages.filter(isCard).map((message) => message.id);
        const shown =
          messageIds.length === 0
            ? { ok: true as const, now: new Date().toISOString(), cards: {} }
            : await confirmations.cards(sessionRef, { conversationId, messageIds });
        if (!shown.ok) return shown;
        const { now, cards } = shown;
        return { ok: true, body: { now, conversation, messages, hasEarlier, cards } };
      },
    }),
  ];
}

function toConversation(answer: Awaited<ReturnType<Chat["renameConversation"]>>) {
  return answer.ok ? { ok: true as const, body: { conversation: answer.conversation } } : answer;
}
