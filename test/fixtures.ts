import type { MeAnswer } from "../src/wire/api.ts";
import type { Card } from "../src/wire/cards.ts";
import type {
  AssistantMessage,
  Conversation,
  Message,
  NoticeMessage,
  ToolMessage,
  UserMessage,
} from "../src/wire/messages.ts";
import type { ScriptedChat } from "./scripted-assistant.ts";

// Messages and cards with everything filled in, so that a test or a picture names only what it is about.

export const me: MeAnswer = {
  displayName: "Nora Lind",
  locale: "en",
  timeZone: "Europe/Berlin",
  mayManage: false,
  model: { name: "gpt-5.4", demo: false, images: true },
  limits: {
    messageChars: 20_000,
    attachmentBytes: 20_000_000,
    attachmentsPerMessage: 10,
    attachmentAccept: ["application/pdf", "image/png", "image/jpeg"],
    turnsPerHour: 60,
    turnsPerDay: 500,
    budgetDay: 5,
    budgetMonth: null,
  },
};

export function toConversation(id: string, more: Partial<Conversation> = {}): Conversation {
  const createdAt = "2026-11-30T09:00:00.000Z";
  return { id, title: null, createdAt, lastMessageAt: createdAt, lastSeq: 0, ...more };
}

type Loose<M extends Message> = Partial<M> & Pick<M, "seq">;

function toBase(message: { readonly seq: number; readonly id?: string }) {
  return {
    id: message.id ?? `m${message.seq}`,
    conversationId: "c1",
    turnId: "t1",
    createdAt: "2026-11-30T09:00:00.000Z",
  };
}

export function userMessage(message: Loose<UserMessage> & { readonly text: string }): UserMessage {
  return { ...toBase(message), role: "user", files: [], ...message };
}

export function answer(message: Loose<AssistantMessage>): Message {
  return { ...toBase(message), role: "assistant", text: "", calls: [], usage: null, ...message };
}

export function toolMessage(message: Loose<ToolMessage>): ToolMessage {
  return {
    ...toBase(message),
    role: "tool",
    callId: `call-${message.seq}`,
    tool: "billing.invoice_void",
    title: "Void invoice",
    status: "ok",
    confirmationId: null,
    followsId: null,
    ...message,
  };
}

export function cardMessage(message: Loose<ToolMessage>): ToolMessage {
  return toolMessage({ status: "needs_confirmation", confirmationId: `k${message.seq}`, ...message });
}

export function notice(message: Loose<NoticeMessage>): NoticeMessage {
  return {
    ...toBase(message),
    role: "notice",
    code: null,
    confirmationId: null,
    outcome: null,
    tool: null,
    title: null,
    finished: null,
    ...message,
  };
}

export function toCard(card: Partial<Card> & Pick<Card, "messageId" | "confirmationId">): Card {
  const waits = card.state === undefined || card.state === "waiting";
  return {
    state: "waiting",
    finished: null,
    tool: "billing.invoice_void",
    title: "Void invoice",
    preview: waits
      ? {
          title: "Invoice 2041 of Acme GmbH",
          changes: [
            { label: "Status", before: "Open", after: "Void" },
            { label: "Amount due", before: "€ 1,240.00", after: "€ 0.00" },
          ],
          warnings: [],
        }
      : null,
    arguments: waits ? '{"id":"2041"}' : null,
    cut: false,
    expiresAt: waits ? "2026-11-30T10:00:00.000Z" : null,
    repeatable: false,
    rejectable: waits,
    ...card,
  };
}

export function toChat(
  id: string,
  content: { readonly messages?: readonly Message[]; readonly cards?: readonly Card[]; readonly title?: string } = {},
): ScriptedChat {
  const messages = (content.messages ?? []).map((message) => ({ ...message, conversationId: id }));
  const last = messages.at(-1);
  return {
    conversation: toConversation(id, {
      title: content.title ?? null,
      lastSeq: last?.seq ?? 0,
      lastMessageAt: last?.createdAt ?? null,
    }),
    messages,
    cards: Object.fromEntries((content.cards ?? []).map((card) => [card.messageId, card])),
    whole: {},
    turn: null,
    files: [],
    removed: false,
  };
}
