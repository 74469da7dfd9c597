import type { Card, CardPreview } from "../../src/wire/cards.ts";
import type { Message, NoticeMessage } from "../../src/wire/messages.ts";
import {
  answer,
  cardMessage,
  me,
  notice,
  toCard,
  toChat,
  toConversation,
  toolMessage,
  userMessage,
} from "../fixtures.ts";
import { createScriptedAssistant } from "../scripted-assistant.ts";
import type { ScriptedAssistant, ScriptedChat } from "../scripted-assistant.ts";

// The chats of a back office with invoices, customers and tasks.

const minute = 60_000;
const day = 24 * 60 * minute;

/** The time some minutes ago, or with a negative number ahead. */
export const ago = (minutes: number): string => new Date(Date.now() - minutes * minute).toISOString();

export const voidPreview: CardPreview = {
  title: "Invoice 2041 of Acme GmbH",
  changes: [
    { label: "Status", before: "Open", after: "Void" },
    { label: "Amount due", before: "€ 1,240.00", after: "€ 0.00" },
    { label: "Customer", before: "Acme GmbH", after: "Acme GmbH" },
    { label: "Reminder", before: "Thursday, 3 December", after: null },
    { label: "Note", before: null, after: "Sent twice by mistake" },
  ],
  warnings: ["The customer is told by e-mail as soon as you confirm."],
};

export const voidArguments =
  '{"invoice":"2041","reason":"Sent twice by mistake","notify":true,"lines":[{"id":"a1","amount":1240.00}]}';

export function toVoidCard(card: Partial<Card> = {}): Card {
  const state = card.state ?? "waiting";
  return toCard({
    messageId: "m5",
    confirmationId: "k5",
    state,
    preview: state === "waiting" ? voidPreview : null,
    arguments: state === "waiting" ? voidArguments : null,
    expiresAt: state === "waiting" ? ago(-42) : null,
    rejectable: state === "waiting",
    ...card,
  });
}

const usage = { model: "gpt-5.4", inputTokens: 3_204, outputTokens: 233, costMicros: 4_210, latencyMs: 2_140 };

/** Question, look-up, answer and a card. */
export function toTalk(): readonly Message[] {
  return [
    userMessage({ seq: 1, text: "Acme got invoice 2041 twice. Void the second one, please, and leave a note why." }),
    answer({ seq: 2 }),
    toolMessage({ seq: 3, title: "Find invoices", tool: "billing.invoices_find" }),
    answer({
      seq: 4,
      text: "Invoice **2041** of Acme GmbH is a copy of 2040: same lines, same amount, sent four minutes later. Voiding it takes its reminder off the calendar, too. Nothing is done yet; please look at the change below.",
      usage,
    }),
    cardMessage({ seq: 5, createdAt: ago(18) }),
  ].map((message) => ({ ...message, createdAt: ago(24 - message.seq) }));
}

export function settled(outcome: NonNullable<NoticeMessage["outcome"]>, finished: boolean = true): NoticeMessage {
  return notice({
    seq: 6,
    confirmationId: "k5",
    outcome,
    finished,
    title: "Void invoice",
    tool: "billing.invoice_void",
    createdAt: ago(2),
  });
}

const others: readonly (readonly [string, number])[] = [
  ["Overdue invoices of November", 0.1],
  ["Who has not logged hours?", 0.4],
  ["Move Friday's tasks to Monday", 1],
  ["A friendly reminder for Northwind Traders and what it should say about the new terms", 1.2],
  ["Customers without a VAT number", 3],
  ["Change of address: Blue Yonder", 5],
  ["Quarterly figures for Nora", 19],
  ["Rate card 2027", 44],
];

export interface World {
  readonly title?: string;
  readonly messages?: readonly Message[];
  readonly cards?: readonly Card[];
}

/** An assistant with one chat, `c1`, and others beside it. */
export function toWorld({ title = "Invoice 2041 sent twice", messages = [], cards = [] }: World): ScriptedAssistant {
  const beside = others.map(([name, days], index): ScriptedChat => {
    const time = new Date(Date.now() - days * day).toISOString();
    const chat = toChat(`other-${index}`);
    return {
      ...chat,
      conversation: toConversation(`other-${index}`, { title: name, createdAt: time, lastMessageAt: time }),
    };
  });
  const chat = toChat("c1", { messages, cards, title });
  return createScriptedAssistant({ me, chats: [chat, ...beside] });
}

/** Questions to begin with. */
export const suggestions: readonly string[] = [
  "Which invoices are overdue?",
  "Move Friday's tasks to Monday",
  "Draft a reminder to Acme",
];
