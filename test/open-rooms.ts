import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Attachments } from "../src/attachment/attachments.ts";
import { createAttachments } from "../src/attachment/create-attachments.ts";
import type { Chat } from "../src/chat/chat.ts";
import { createChat } from "../src/chat/create-chat.ts";
import type { Confirmations } from "../src/confirmation/confirmations.ts";
import { createConfirmations } from "../src/confirmation/create-confirmations.ts";
import type { Core } from "../src/core/core.ts";
import { createCore } from "../src/core/create-core.ts";
import type { Sessions } from "../src/core/session.ts";
import type { Module } from "../src/core/tool.ts";
import { connectDatabase } from "../src/database/connect.ts";
import type { Database } from "../src/database/database.ts";
import { createHttp } from "../src/http/http.ts";
import { silentLogger, type Logger } from "../src/logger.ts";
import { createModels } from "../src/model/create-models.ts";
import type { Endpoint, Models } from "../src/model/model.ts";
import { createSettings } from "../src/settings/create-settings.ts";
import type { SettingValues } from "../src/settings/schema.ts";
import type { Settings } from "../src/settings/settings.ts";
import { heard } from "../src/testing/log-watch.ts";
import { createTurns } from "../src/turn/create-turns.ts";
import type { Turns } from "../src/turn/turns.ts";

/** All rooms of one node, joined as `createAssistant` joins them, with doors between them that a test or a bench may open. */
export interface Rooms {
  readonly database: Database;
  readonly settings: Settings;
  readonly core: Core;
  readonly models: Models;
  readonly chat: Chat;
  readonly confirmations: Confirmations;
  readonly attachments: Attachments;
  readonly turns: Turns;
  fetch(request: Request): Promise<Response>;
  drain(): Promise<void>;
  close(): Promise<void>;
}

export interface RoomsSetup {
  readonly connectionString: string;
  readonly modules: readonly Module[];
  readonly sessions: Sessions;
  readonly endpoints: readonly Endpoint[];
  readonly allowPrivateEndpoints?: readonly string[];
  readonly values?: Partial<SettingValues>;
  readonly node?: string;
  readonly poolSize?: number;
  readonly logger?: Logger;
  /** Stands between the rooms and the database. */
  readonly between?: (database: Database) => Database;
}

export async function openRooms(setup: RoomsSetup): Promise<Rooms> {
  const { connectionString, modules, sessions, endpoints, allowPrivateEndpoints = [], poolSize = 10 } = setup;
  const logger = heard(setup.logger ?? silentLogger);
  const node = setup.node ?? `node-${randomUUID().slice(0, 8)}`;
  const connected = await connectDatabase({ connectionString, poolSize, logger });
  const database = setup.between?.(connected) ?? connected;
  const settings = createSettings({ database, logger, values: setup.values ?? {} });
  const core = createCore({ database, settings, sessions, modules, logger });
  const models = createModels({ database, settings, logger, node, endpoints, allowPrivateEndpoints });
  const chat = createChat({ database, core, settings, node, logger });
  const confirmations = createConfirmations({ chat, core, settings });
  const folder = join(tmpdir(), `countersign-files-${node}`);
  const attachments = createAttachments({ database, chat, settings, storage: { folder }, logger });
  const rooms = { chat, core, models, confirmations, attachments, settings };
  const turns = createTurns({ ...rooms, node, hostName: "the desk", logger });
  return {
    database,
    ...rooms,
    turns,
    fetch: createHttp({ ...rooms, turns, sessions, logger }),
    drain: () => turns.drain(),
    async close() {
      await turns.close();
      await attachments.close();
      await rm(folder, { recursive: true, force: true });
      await chat.close();
      await models.close();
      await settings.close();
      await database.close();
    },
  };
}
