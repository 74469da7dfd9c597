import { v7 as uuid } from "uuid";
import type { Chat } from "../src/chat/chat.ts";
import { createChat } from "../src/chat/create-chat.ts";
import { createConfirmations } from "../src/confirmation/create-confirmations.ts";
import type { ConfirmedEvent, Confirmations, MayConfirm } from "../src/confirmation/confirmations.ts";
import type { Core } from "../src/core/core.ts";
import { createCore } from "../src/core/create-core.ts";
import { connectDatabase } from "../src/database/connect.ts";
import type { Database } from "../src/database/database.ts";
import { silentLogger } from "../src/logger.ts";
import { invariant } from "../src/outcome.ts";
import { createSettings } from "../src/settings/create-settings.ts";
import type { SettingValues } from "../src/settings/schema.ts";
import type { Settings } from "../src/settings/settings.ts";
import { plant } from "../src/testing/log-watch.ts";
import type { Desk } from "./desk.ts";

/** One node of a host: its own connections and rooms on a database that nodes share. */
export interface Node {
  readonly database: Database;
  readonly settings: Settings;
  readonly core: Core;
  readonly chat: Chat;
  readonly confirmations: Confirmations;
  readonly confirmed: readonly ConfirmedEvent[];
  close(): Promise<void>;
}

export interface NodeSetup {
  readonly connectionString: string;
  readonly desk: Desk;
  readonly values?: Partial<SettingValues>;
  readonly mayConfirm?: MayConfirm;
  /** Connections to share instead of the node's own: what a node that will be killed is given. */
  readonly database?: Database;
}

/** Starts a node's rooms up to the confirmations. */
export async function startNode(setup: NodeSetup): Promise<Node> {
  const { desk } = setup;
  const name = `node-${uuid()}`;
  const database = setup.database ?? (await connectDatabase({ connectionString: setup.connectionString }));
  const settings = createSettings({
    database,
    values: { redeemsPerMinute: 100_000, holdsPerMinute: 100_000, ...setup.values },
  });
  const core = createCore({ database, settings, sessions: desk.sessions, modules: desk.modules });
  const chat = createChat({ database, core, settings, node: name, logger: silentLogger });
  const confirmed: ConfirmedEvent[] = [];
  const confirmations = createConfirmations({
    chat,
    core,
    settings,
    onConfirmed: (event) => confirmed.push(event),
    mayConfirm: setup.mayConfirm,
  });
  return {
    database,
    settings,
    core,
    chat,
    confirmations,
    confirmed,
    async close() {
      await chat.close();
      await settings.close();
      if (setup.database === undefined) await database.close();
    },
  };
}

export interface AskedCard {
  readonly conversationId: string;
  readonly messageId: string;
  readonly confirmationId: string;
}

/** What a turn does when the model asks for a write: question, answer with the call, held row, card. */
export async function askForWrite(
  node: Node,
  asked: { readonly ref: string; readonly conversationId: string; readonly tool: string; readonly args: string },
): Promise<AskedCard> {
  const { chat, core } = node;
  const loaded = await core.loadSession(asked.ref);
  invariant(loaded.ok, "the asking session is live");
  const { conversationId } = asked;
  plant(asked.args);
  const acquired = await chat.acquireForTurn({
    session: loaded.session,
    conversationId,
    clientId: uuid(),
    token: uuid(),
    turnId: uuid(),
    deadlineSeconds: 60,
    perHour: 1_000_000,
    perDay: 1_000_000,
  });
  invariant(acquired.ok, `the user's lock is free: ${JSON.stringify(acquired)}`);
  const { fence } = acquired;
  await chat.storeQuestion(fence, { id: uuid(), text: "Please rename it." });
  const answer = uuid();
  const callId = `c${answer.slice(-8)}`;
  const call = { id: callId, providerId: null, name: asked.tool, arguments: asked.args };
  const usage = {
    requestId: null,
    model: null,
    inputTokens: null,
    outputTokens: null,
    costMicros: null,
    latencyMs: null,
  };
  await chat.store(fence, [{ role: "assistant", id: answer, text: "", calls: [call], usage }]);
  const held = await core.execute(asked.ref, {
    tool: asked.tool,
    args: asked.args,
    via: "agent",
    requestContext: { requestId: uuid() },
  });
  invariant(held.ok && held.status === "confirmation_required", `the write is held: ${JSON.stringify(held)}`);
  const { confirmationId } = held;
  const messageId = uuid();
  const card = {
    role: "card",
    id: messageId,
    callId,
    tool: asked.tool,
    confirmationId,
    assistantMessageId: answer,
  } as const;
  const end = await chat.finish(fence, { how: "card", rounds: 1, messages: [card] });
  invariant(end.ended, "the turn ended with its card");
  return { conversationId, messageId, confirmationId };
}

/** A chat of a session's user. */
export async function openConversation(node: Node, ref: string): Promise<string> {
  const created = await node.chat.createConversation(ref);
  invariant(created.ok, "the session may create a chat");
  return created.conversation.id;
}

export function target(card: AskedCard): {
  conversationId: string;
  messageId: string;
  requestContext: { requestId: string };
} {
  return { conversationId: card.conversationId, messageId: card.messageId, requestContext: { requestId: uuid() } };
}
