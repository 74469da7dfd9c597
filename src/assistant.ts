// Puts the rooms of one node together. It decides nothing but their order: what each needs, and which ends before which.
import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { createAttachments } from "./attachment/create-attachments.ts";
import type { FileStorageOptions } from "./attachment/file-storage.ts";
import { createChat } from "./chat/create-chat.ts";
import type { MayConfirm } from "./confirmation/confirmations.ts";
import { createConfirmations, type OnConfirmed } from "./confirmation/create-confirmations.ts";
import type { Core } from "./core/core.ts";
import { createCore } from "./core/create-core.ts";
import type { Sessions } from "./core/session.ts";
import type { Module } from "./core/tool.ts";
import type { Bus } from "./database/bus.ts";
import { connectDatabase, type DatabaseOptions } from "./database/connect.ts";
import type { Database } from "./database/database.ts";
import { migrate, requireMigrated } from "./database/migrate.ts";
import { createHttp } from "./http/http.ts";
import { silentLogger, type Logger } from "./logger.ts";
import { createModels, type ModelsOptions } from "./model/create-models.ts";
import type { Endpoint, Models, UsageSink } from "./model/model.ts";
import { createSettings } from "./settings/create-settings.ts";
import type { SettingValues } from "./settings/schema.ts";
import type { Settings } from "./settings/settings.ts";
import { createTurns } from "./turn/create-turns.ts";
import type { PromptOptions } from "./turn/system-prompt.ts";

/** What a host says of itself, its users and its tools. Everything but the first four has a default. */
export interface AssistantOptions {
  /** PostgreSQL 14 or newer: a connection string, or its parts. */
  readonly database: string | DatabaseOptions;
  /** The groups of tools. A definition that cannot work throws here, with the tool's name and the mend. */
  readonly modules: readonly Module[];
  /** How the host answers for its sign-ins. */
  readonly sessions: Sessions;
  /** The endpoints, the site's default first; `modelsFromEnvironment()` reads them from the environment. */
  readonly models: readonly Endpoint[] | ModelsOptions;
  /** The schema of the assistant's tables; default `countersign`. */
  readonly schema?: string | undefined;
  /**
   * Carries the hints between nodes instead of PostgreSQL's notifications: `createRedisBus` of `countersign/redis`, or a bus
   * of the host's own. All nodes use the same one; it is this assistant's, and ended with it.
   */
  readonly bus?: Bus | undefined;
  /**
   * Bring the schema to this version at the start; default true. Several nodes may start at once: one does it. With false the
   * node does not start on a schema of another version: `countersign migrate` was run before, by who may change tables.
   */
  readonly migrate?: boolean | undefined;
  /** The site's settings in code; those an admin or a user may set are defaults. Out of bounds throws. */
  readonly settings?: Partial<SettingValues> | undefined;
  /** The application, as its users know it; told to the model. Default `this application`. */
  readonly hostName?: string | undefined;
  /** The host's own instructions to the model, and parts of the system prompt to replace. */
  readonly prompt?: PromptOptions | undefined;
  /** The path the routes stand under, `/assistant` say. Found by itself when left out; given, nothing outside it is answered. */
  readonly basePath?: string | undefined;
  /** Origins of the host's pages where a proxy rewrites `Host`: `https://app.example.com`. */
  readonly allowedOrigins?: readonly string[] | undefined;
  /** The address a request came from, as the host knows it; tools get it, and nothing else does. */
  readonly clientIp?: ((request: Request) => string | undefined) | undefined;
  /** Told once a confirmed write's outcome is stored, so that the host's pages can refresh. */
  readonly onConfirmed?: OnConfirmed | undefined;
  /** Can say no to a click beside the rights of who clicks: the place for a second person's yes. */
  readonly mayConfirm?: MayConfirm | undefined;
  /** Told of each finished call of a model, with what it cost. */
  readonly onUsage?: UsageSink | undefined;
  /**
   * Where uploaded files are kept: a folder, an S3-compatible bucket, or a driver of the host's own. Default the folder
   * `.countersign/files` under the working directory; nodes on several machines need one place for all.
   */
  readonly files?: FileStorageOptions | undefined;
  /** In the shape of pino's loggers; default silent. Never told arguments, previews, results or texts. */
  readonly logger?: Logger | undefined;
  /** This process, as locks and the journal name it; default host name, process id and a random part. */
  readonly node?: string | undefined;
}

/** One node of the assistant. Several on one database share everything that counts. */
export interface Assistant {
  /** Answers the requests of the panel: mount it under any path, in any framework. Never throws. */
  fetch(request: Request): Promise<Response>;
  /** The registry and the executor, for a host that runs tools without a chat. */
  readonly core: Core;
  readonly settings: Settings;
  readonly models: Models;
  /**
   * For SIGTERM: refuses new turns and clicks, asks running turns to stop, and resolves within 20 s, after the last click's
   * handler. Requests that only read go on until `close`.
   */
  drain(): Promise<void>;
  /**
   * Deletes all that is kept of a user: chats, held writes, counters, settings. What runs for them can store nothing any
   * more. The journal keeps what was spent, under no name. Done again after a failure, it goes on.
   */
  forgetUser(userId: string): Promise<void>;
  /** Ends the sweeper, the streams and the connections. Call `drain` first. */
  close(): Promise<void>;
}

/**
 * Starts one node of the assistant: connects, brings the schema up to date, and begins to sweep what dead nodes left.
 * Throws at start-up what is wired wrongly; a database that cannot be used throws a start error, which `isStartError`
 * tells, with one sentence for people.
 */
export async function createAssistant(options: AssistantOptions): Promise<Assistant> {
  const { logger = silentLogger } = options;
  const database = await connectDatabase(toDatabaseOptions(options));
  const opened: { close(): Promise<void> }[] = [database];
  const closeAll = async (): Promise<void> => {
    for (const room of opened.toReversed()) await room.close();
  };
  try {
    await (options.migrate === false ? requireMigrated(database) : migrate(database));
    return await joinRooms(options, { database, logger, opened, closeAll });
  } catch (error) {
    await closeAll();
    throw error;
  }
}

interface Base {
  readonly database: Database;
  readonly logger: Logger;
  /** What was opened, in order; ended the other way round. */
  readonly opened: { close(): Promise<void> }[];
  readonly closeAll: () => Promise<void>;
}

async function joinRooms(options: AssistantOptions, base: Base): Promise<Assistant> {
  const { database, logger, opened, closeAll } = base;
  const { sessions, modules, onUsage, onConfirmed, mayConfirm, hostName = "this application" } = options;
  const node = options.node ?? `${hostname()}-${process.pid}-${randomUUID().slice(0, 8)}`;

  const settings = createSettings({ database, logger, ...(options.settings && { values: options.settings }) });
  opened.push(settings);
  const core = createCore({ database, settings, sessions, modules, logger });
  const models = createModels({ ...toModelsOptions(options.models), database, settings, logger, node });
  opened.push(models);
  if (onUsage !== undefined) models.onUsage(onUsage);
  const chat = createChat({ database, core, settings, node, logger });
  opened.push(chat);
  const confirmations = createConfirmations({
    chat,
    core,
    settings,
    onConfirmed,
    mayConfirm,
    onError: () => logger.error({}, "a hook of the host threw"),
  });
  const prompt = options.prompt;
  const storage = options.files ?? { folder: ".countersign/files" };
  const attachments = createAttachments({ database, chat, settings, storage, logger });
  opened.push(attachments);
  const rooms = { chat, core, models, confirmations, attachments, settings };
  const turns = createTurns({ ...rooms, node, hostName, logger, prompt });
  opened.push(turns);

  const { basePath, allowedOrigins, clientIp } = options;
  const fetch = createHttp({ ...rooms, turns, sessions, basePath, allowedOrigins, clientIp, logger });

  const forgetUser = (userId: string): Promise<void> =>
    chat.forgetUser(userId, async () => {
      for (const room of [attachments, core, models, settings]) await room.forgetUser(userId);
    });
  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => (closed ??= closeAll());
  return { fetch, core, settings, models, drain: () => turns.drain(), forgetUser, close };
}

type ReachOptions = Pick<AssistantOptions, "database" | "schema" | "bus" | "logger">;

/** How a node with these options comes to its database. */
export function toDatabaseOptions({ database, schema, bus, logger }: ReachOptions): DatabaseOptions {
  const given = typeof database === "string" ? { connectionString: database } : database;
  return {
    ...given,
    ...(schema !== undefined && { schema }),
    ...(bus !== undefined && { bus }),
    ...(logger !== undefined && { logger }),
  };
}

/** The models of a node with these options. */
export function toModelsOptions(models: AssistantOptions["models"]): ModelsOptions {
  return Symbol.iterator in models ? { endpoints: models } : models;
}
