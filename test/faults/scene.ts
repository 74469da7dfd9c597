import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { ConversationAnswer, MessagesAnswer } from "../../src/wire/api.ts";
import type { Message, ToolMessage } from "../../src/wire/messages.ts";
import { invariant } from "../../src/outcome.ts";
import { findBroken } from "./invariants.ts";
import type { Answered, NodeProcess } from "./node-process.ts";
import type { ModelLine } from "./node-setup.ts";
import { openOfficeWorld, type OfficeWorld } from "./office-world.ts";
import { createWitness, type Witness } from "./witness.ts";

/** A world with one node that lives and somebody who is signed in. */
export interface Scene {
  readonly world: OfficeWorld;
  readonly witness: Witness;
  readonly living: NodeProcess;
  readonly as: string;
}

export async function inScene(work: (scene: Scene) => Promise<void>): Promise<void> {
  const world = await openOfficeWorld();
  try {
    const [living, as] = [await world.startNode(), await hireOne(world, "ada")];
    await work({ world, living, as, witness: createWitness() });
  } finally {
    await world.close();
  }
}

/** Somebody with one sign-in; answers its ref. */
export async function hireOne(world: OfficeWorld, userId: string): Promise<string> {
  const [as] = await world.hire(userId, 1);
  invariant(as !== undefined, "somebody has a sign-in");
  return as;
}

/** What is wrong with a scene's rows once everything in it has ended. */
export function brokenIn({ world, witness }: Scene, { calm }: { readonly calm: boolean }): Promise<readonly string[]> {
  return findBroken({ world, witness, calm, secret: "planted", openAll: async () => {} });
}

/** A node that never came to its death would be waited for without an end. */
export async function isGone(node: NodeProcess): Promise<void> {
  const late = new Promise<never>((_resolve, reject) => {
    setTimeout(() => reject(new Error(`${node.name} never came to its death`)), 30_000).unref();
  });
  await Promise.race([node.gone, late]);
}

/** Waits until the model was asked a question, or has answered it and its node had a moment to do something with it. */
export async function modelHas({ world }: Scene, what: ModelLine["what"], tag: string): Promise<void> {
  while (!world.modelCalls().some((line) => line.tag === tag && line.what === what)) await pause(50);
  if (what === "answered") await pause(500);
}

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
