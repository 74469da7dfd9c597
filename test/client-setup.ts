import { cardMessage, me, notice, toCard, toChat, userMessage } from "./fixtures.ts";
import { createClient } from "../src/client/client.ts";
import type { AssistantClient, ClientOptions } from "../src/client/client.ts";
import type { CardView, Snapshot } from "../src/client/snapshot.ts";
import { createScriptedAssistant } from "./scripted-assistant.ts";
import type { ScriptedAssistant, ScriptedChat } from "./scripted-assistant.ts";
import { serveScripted } from "./serve-scripted.ts";
import type { ServedAssistant } from "./serve-scripted.ts";

// A client on a scripted assistant behind real HTTP. What a test opened is closed after it.

const opened: (() => Promise<void> | void)[] = [];
export async function closeAll(): Promise<void> {
  for (const close of opened.splice(0).toReversed()) await close();
}

export interface Setup {
  readonly assistant: ScriptedAssistant;
  readonly served: ServedAssistant;
  readonly client: AssistantClient;
}

export async function serve(assistant: ScriptedAssistant): Promise<ServedAssistant> {
  const served = await serveScripted(assistant);
  opened.push(() => served.shut());
  return served;
}

/** One more tab. */
export function connectTo(served: ServedAssistant, options: Partial<ClientOptions> = {}): AssistantClient {
  const client = createClient({ baseUrl: served.baseUrl, retryDelay: () => 1, ...options });
  opened.push(client.connect());
  return client;
}

export async function startClient(
  chats: readonly ScriptedChat[],
  options: Partial<ClientOptions> = {},
): Promise<Setup> {
  const assistant = createScriptedAssistant({ me, chats });
  const served = await serve(assistant);
  return { assistant, served, client: connectTo(served, options) };
}

/** The same, with its first chat open and watched. */
export async function startInChat(
  chats: readonly ScriptedChat[],
  options: Partial<ClientOptions> = {},
): Promise<Setup> {
  const setup = await startClient(chats, options);
  setup.client.openChat("c1");
  await until(setup.client, isLive);
  return setup;
}

/** Resolves with the first snapshot that is as said. */
export function until(client: AssistantClient, isSo: (snapshot: Snapshot) => boolean): Promise<Snapshot> {
  return new Promise((resolve) => {
    const look = (): void => {
      if (!isSo(client.getSnapshot())) return;
      leave();
      resolve(client.getSnapshot());
    };
    const leave = client.subscribe(look);
    look();
  });
}

export const isLive = ({ connection, chat }: Snapshot): boolean => connection === "live" && chat.status === "ready";

export const cardOf = ({ chat }: Snapshot): CardView | undefined => chat.cards["m2"];

/** The bodies of what was asked on a route. */
export const askedOf = (assistant: ScriptedAssistant, route: RegExp): readonly Record<string, unknown>[] =>
  assistant.asked.filter(({ method, path }) => route.test(`${method} ${path}`)).map(({ body }) => body);

export const waitingChat = (): ScriptedChat =>
  toChat("c1", {
    messages: [userMessage({ seq: 1, text: "Void invoice 2041" }), cardMessage({ seq: 2 })],
    cards: [toCard({ messageId: "m2", confirmationId: "k2" })],
  });

/** What the server does when a click on the card of `waitingChat` ends. */
export function settleCard(assistant: ScriptedAssistant, outcome: "confirmed" | "rejected"): void {
  const chat = assistant.chats.get("c1");
  const card = chat?.cards["m2"];
  if (!chat || card?.state !== "waiting") return;
  chat.cards["m2"] = { ...card, state: outcome, preview: null, arguments: null, expiresAt: null, finished: true };
  const told = notice({ seq: 3, confirmationId: "k2", outcome, finished: true, tool: card.tool, title: card.title });
  assistant.tell("c1", { type: "message", message: told });
}
