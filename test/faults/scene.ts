import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { ConversationAnswer, MessagesAnswer } from "../../src/wire/api.ts";
import type { Message, ToolMessage } from "../../src/wire/messages.ts";
import { invariant } from "../../src/outcome.ts";
import type { Answered, NodeProcess } from "./node-process.ts";

/** A card as its user finds it. */
export interface AskedCard {
  readonly conversationId: string;
  readonly messageId: string;
  readonly confirmationId: string;
}

/** What may be refused because somebody else is not done yet, and is asked for again. */
const busy = new Set(["turn_running", "click_in_flight", "click_running"]);

/** Asks until nobody holds the user's lock any more. */
export async function untilFree(ask: () => Promise<Answered>): Promise<Answered> {
  for (;;) {
    const answer = await ask();
    if (!busy.has(answer.code ?? "")) return answer;
    await pause(100);
  }
}

export async function makeChat(node: NodeProcess, as: string): Promise<string> {
  const made = await node.ask("POST", "/conversations", { as, body: {} });
  invariant(made.status === 201, `a chat is made: ${made.code}`);
  return (made.body as ConversationAnswer).conversation.id;
}

/** Asks a question in a chat; the turn runs on. */
export async function say(
  node: NodeProcess,
  { as, conversationId, text }: { readonly as: string; readonly conversationId: string; readonly text: string },
): Promise<void> {
  const body = { text, clientId: randomUUID() };
  const started = await untilFree(() => node.ask("POST", `/conversations/${conversationId}/turns`, { as, body }));
  invariant(started.status === 202 || started.status === 0, `a turn starts: ${started.code}`);
}

export async function readChat(node: NodeProcess, as: string, conversationId: string): Promise<readonly Message[]> {
  const page = await node.ask("GET", `/conversations/${conversationId}/messages`, { as });
  invariant(page.status === 200, `a chat is read: ${page.code}`);
  return (page.body as MessagesAnswer).messages;
}

/** Waits for a message of a chat. */
export async function waitFor<Found extends Message>(
  read: () => Promise<readonly Message[]>,
  is: (message: Message) => message is Found,
): Promise<Found> {
  for (;;) {
    const found = (await read()).find(is);
    if (found !== undefined) return found;
    await pause(30);
  }
}

/** A chat of its own whose model has asked for a write: its card. */
export async function askForCard(node: NodeProcess, as: string, question: string): Promise<AskedCard> {
  const conversationId = await makeChat(node, as);
  await say(node, { as, conversationId, text: question });
  const isCard = (message: Message): message is ToolMessage & { readonly confirmationId: string } =>
    message.role === "tool" && message.confirmationId !== null;
  const card = await waitFor(() => readChat(node, as, conversationId), isCard);
  return { conversationId, messageId: card.id, confirmationId: card.confirmationId };
}

export function click(
  node: NodeProcess,
  as: string,
  { card, ...sent }: { readonly card: AskedCard; readonly query?: string; readonly body?: unknown },
): Promise<Answered> {
  const path = `/conversations/${card.conversationId}/cards/${card.messageId}/confirm${sent.query ?? ""}`;
  return node.ask("POST", path, { as, ...(sent.body !== undefined && { body: sent.body }) });
}

export async function isTold(node: NodeProcess, as: string, card: AskedCard): Promise<boolean> {
  const messages = await readChat(node, as, card.conversationId);
  return messages.some((message) => message.role === "notice" && message.confirmationId === card.confirmationId);
}
