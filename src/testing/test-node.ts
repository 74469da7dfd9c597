import type { LanguageModelV4 } from "@ai-sdk/provider";
import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Attachments } from "../attachment/attachments.ts";
import { createAttachments } from "../attachment/create-attachments.ts";
import type { FileStorageOptions } from "../attachment/file-storage.ts";
import type { Chat } from "../chat/chat.ts";
import { createChat } from "../chat/create-chat.ts";
import type { Confirmations } from "../confirmation/confirmations.ts";
import { createConfirmations } from "../confirmation/create-confirmations.ts";
import type { Core } from "../core/core.ts";
import { createCore } from "../core/create-core.ts";
import type { Session } from "../core/session.ts";
import type { Module } from "../core/tool.ts";
import { connectDatabase, type DatabaseOptions } from "../database/connect.ts";
import type { Database } from "../database/database.ts";
import { type Logger, silentLogger } from "../logger.ts";
import { createModels } from "../model/create-models.ts";
import type { Endpoint, Models } from "../model/model.ts";
import { createSettings } from "../settings/create-settings.ts";
import { heard } from "./log-watch.ts";
import type { SettingValues } from "../settings/schema.ts";
import type { Settings } from "../settings/settings.ts";
import { createTurns } from "../turn/create-turns.ts";
import type { PromptOptions } from "../turn/system-prompt.ts";
import type { Turns } from "../turn/turns.ts";

/** All rooms of one node, joined as a server joins them, with a connection pool of its own. */
export interface TestNode {
  readonly database: Database;
  readonly settings: Settings;
  readonly core: Core;
  readonly models: Models;
  readonly chat: Chat;
  readonly confirmations: Confirmations;
  readonly attachments: Attachments;
  readonly turns: Turns;
  /** The texts of all statements this node ran, in order. */
  readonly statements: string[];
  close(): Promise<void>;
}

/** Sign-ins by their ref: a session, none, or what happens when it is loaded. */
export type TestSessions = Map<string, Session | null | (() => Promise<Session | null>)>;

const hooked = ["acquireForTurn", "storeQuestion", "store", "finish", "keep"] as const;

/** Awaited before or after a function of the chat room runs for a turn or a click: a gate, or a throw for a cut connection. Looked at each time: may be changed while the node runs. */
export type ChatHooks = Partial<Record<(typeof hooked)[number], () => unknown>>;

export interface TestNodeOptions {
  readonly connectionString: string;
  readonly sessions: TestSessions;
  readonly model: LanguageModelV4;
  readonly endpoint?: Partial<Endpoint>;
  /** Endpoints beside the one of `model`, which is the site's default. */
  readonly others?: readonly Endpoint[];
  readonly modules?: readonly Module[];
  readonly settings?: Partial<SettingValues>;
  readonly prompt?: PromptOptions;
  readonly logger?: Logger;
  /** Default: a folder of the node's own, which goes with it. */
  readonly storage?: FileStorageOptions;
  /** How the node comes to its database, where that is not straight. */
  readonly reach?: Pick<DatabaseOptions, "bus" | "pooler">;
  readonly before?: ChatHooks;
  readonly after?: ChatHooks;
}

export async function createTestNode(options: TestNodeOptions): Promise<TestNode> {
  const { connectionString, sessions, model, modules = [], prompt } = options;
  const logger = heard(options.logger ?? silentLogger);
  const connected = await connectDatabase({ connectionString, poolSize: 4, logger, ...options.reach });
  const statements: string[] = [];
  const database: Database = {
    ...connected,
    query(statement) {
      statements.push(statement.text);
      return connected.query(statement);
    },
    together(all, how) {
      statements.push(...all.map(({ text }) => text));
      return connected.together(all, how);
    },
  };
  const node = `test-${randomUUID()}`;
  const settings = createSettings({ database, logger, values: { sweepEvery: 60_000, ...options.settings } });
  const load = async (ref: string): Promise<Session | null> => {
    const session = sessions.get(ref) ?? null;
    return typeof session === "function" ? session() : session;
  };
  const core = createCore({ database, settings, sessions: { load }, modules, logger });
  const price = { input: 3, output: 15 };
  const endpoint: Endpoint = { name: "test", provider: "openai", model: "scripted", price, ...options.endpoint };
  const endpoints = [{ ...endpoint, languageModel: model }, ...(options.others ?? [])];
  const models = createModels({ database, settings, logger, node, endpoints });
  const chat = createChat({ database, core, settings, node, logger });
  const hookedChat = withHooks(chat, options);
  const confirmations = createConfirmations({ chat: hookedChat, core, settings });
  const storage = options.storage ?? { folder: join(tmpdir(), `countersign-files-${node}`) };
  const attachments = createAttachments({ database, chat, settings, storage, logger });
  const rooms = { chat: hookedChat, core, models, settings, confirmations, attachments };
  const named = { node, hostName: "Fern Books", logger };
  const turns = createTurns({ ...rooms, ...named, ...(prompt !== undefined && { prompt }) });
  return {
    ...{ database, settings, core, models, chat, confirmations, attachments, turns, statements },
    async close() {
      await turns.close();
      await attachments.close();
      if ("folder" in storage) await rm(storage.folder, { recursive: true, force: true });
      await chat.close();
      await models.close();
      await settings.close();
      await connected.close();
    },
  };
}

function withHooks(chat: Chat, { before = {}, after = {} }: Pick<TestNodeOptions, "before" | "after">): Chat {
  const hook = (name: (typeof hooked)[number]): unknown => {
    const real: (...given: never[]) => Promise<unknown> = chat[name];
    return async (...given: never[]) => {
      await before[name]?.();
      const answer = await real(...given);
      await after[name]?.();
      return answer;
    };
  };
  return {
    ...chat,
    ...(Object.fromEntries(hooked.map((name) => [name, hook(name)])) as Pick<Chat, (typeof hooked)[number]>),
  };
}
