// Puts the demo together: its server, its PostgreSQL, its page, its sign-in, and the assistant in it.
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import {
  createAssistant,
  modelsFromEnvironment,
  startEmbedded,
  type Assistant,
  type Endpoint,
  type EnvironmentModels,
  type SettingValues,
} from "countersign";
import { buildPage } from "./build-page.ts";
import { makeHome } from "./home.ts";
import { listen } from "./listen.ts";
import { terminalLogger } from "./terminal-logger.ts";

export interface DemoOptions {
  /** As it was asked for; "0" takes a free one. */
  readonly port: string;
  /** Where the demo keeps what it makes: its PostgreSQL and its page. */
  readonly home: string;
  /** A PostgreSQL to use instead of one of its own. */
  readonly databaseUrl?: string | undefined;
  /** Where the keys of models are looked for. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Whether the page is built when its sources changed, or taken as it is. */
  readonly page: "fresh" | "as it is";
  readonly settings?: Partial<SettingValues>;
}

export interface Demo {
  readonly url: string;
  readonly endpoint: Endpoint;
  readonly assistant: Assistant;
  /** Lets what runs come to its end, then stops everything that was started. */
  stop(): Promise<void>;
}

/** Starts the demo; throws a start error for what stops it. */
export async function startDemo(options: DemoOptions): Promise<Demo> {
  const undo: (() => Promise<unknown>)[] = [];
  const stop = async (): Promise<void> => {
    for (let step = undo.pop(); step !== undefined; step = undo.pop()) await step();
  };
  try {
    return await start(options, { undo, stop });
  } catch (error) {
    await stop();
    throw error;
  }
}

async function start(
  options: DemoOptions,
  end: { readonly undo: (() => Promise<unknown>)[]; readonly stop: () => Promise<void> },
): Promise<Demo> {
  const { home, settings, environment } = options;
  const { undo, stop } = end;
  const server = await listen(options.port);
  undo.push(server.close);
  await makeHome(home);

  // The slow parts side by side: building the page, starting the database, loading the sign-in's library.
  const assets = path.join(home, "page");
  const page = quiet(options.page === "fresh" ? buildPage(assets) : Promise.resolve());
  const parts = quiet(import("./office/start-office.ts"));
  const connectionString = options.databaseUrl ?? (await startOwnDatabase(home, undo));

  const { startOffice } = await parts;
  const office = startOffice({ connectionString, port: server.port });
  undo.push(office.close);
  const models = toNamed(modelsFromEnvironment(environment));
  const assistant = await createAssistant({
    database: connectionString,
    modules: office.modules,
    sessions: office.sessions,
    models,
    hostName: "the back office of Larkspur",
    prompt: { instructions },
    files: { folder: path.join(home, "files") },
    logger: terminalLogger,
    ...(settings && { settings }),
  });
  // Streams say that they end before their connections do.
  undo.push(server.close, assistant.close);
  const fetch = await office.open({ assistant, assets });
  await page;
  server.serve(fetch);
  undo.push(assistant.drain);
  const [endpoint] = models.endpoints;
  if (endpoint === undefined) throw new Error("the environment always names a model");
  return { url: `http://localhost:${server.port}`, endpoint, assistant, stop };
}

/** The demo model by the name that people read. */
function toNamed(models: EnvironmentModels): EnvironmentModels {
  const name = (endpoint: Endpoint): Endpoint =>
    endpoint.provider === "demo" ? { ...endpoint, model: "The demo model" } : endpoint;
  return { ...models, endpoints: models.endpoints.map(name) };
}

const instructions =
  "Larkspur sells furniture to other businesses. Amounts are in euros. Invoices have numbers like INV-1042. Answer briefly; use a table for more than two rows.";

async function startOwnDatabase(home: string, undo: (() => Promise<unknown>)[]): Promise<string> {
  const folder = path.join(home, "postgres");
  const embedded = await startEmbedded({ folder, elsewhere: openFolder(home) });
  if (embedded.folder !== folder)
    console.log(`Its data is in ${embedded.folder}: ${home} is closed to the server's user.`);
  undo.push(embedded.stop);
  return embedded.connectionString;
}

/** Where the data of a demo goes that root runs in a folder of its own: PostgreSQL does not run as root. */
function openFolder(home: string): string {
  const name = createHash("sha256").update(home).digest("hex").slice(0, 12);
  const kept = existsSync("/var/tmp") ? "/var/tmp" : tmpdir();
  return path.join(kept, `countersign-demo-${name}`, "postgres");
}

/** A promise that is awaited later: its failure is told there, and only there. */
function quiet<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}
