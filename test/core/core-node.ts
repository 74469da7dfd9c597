import { v7 as uuid } from "uuid";
import type { Call, Core, ExecuteAnswer } from "../../src/core/core.ts";
import { createCore } from "../../src/core/create-core.ts";
import type { Session } from "../../src/core/session.ts";
import type { Module } from "../../src/core/tool.ts";
import { connectDatabase } from "../../src/database/connect.ts";
import type { Database } from "../../src/database/database.ts";
import { invariant } from "../../src/outcome.ts";
import { createSettings } from "../../src/settings/create-settings.ts";
import type { SettingValues } from "../../src/settings/schema.ts";
import type { Settings } from "../../src/settings/settings.ts";

/** A sign-in that tests change as people sign out, lose rights or are impersonated. */
export interface SignIn {
  readonly ref: string;
  readonly userId: string;
  readonly permissions: Set<string>;
  scopes?: readonly string[] | undefined;
  impersonatedBy?: string | undefined;
  locale?: string | undefined;
  timeZone?: string | undefined;
  /** What `sessions.load` does instead of answering the session. */
  load?: (() => Promise<Session | null>) | undefined;
  /** What `session.can` does instead of looking the permission up. */
  can?: ((permission: string) => boolean | Promise<boolean>) | undefined;
}

/** The people of a host, shared by its nodes. */
export interface People {
  readonly loads: string[];
  signIn(userId: string, more?: Partial<Omit<SignIn, "ref" | "userId" | "permissions">>): SignIn;
  signOut(signIn: SignIn): void;
  load(ref: string): Promise<Session | null>;
}

export const allRights = ["notes.read", "notes.write"] as const;

export function createPeople(): People {
  const signIns = new Map<string, SignIn>();
  const loads: string[] = [];
  return {
    loads,
    signIn(userId, more = {}) {
      const made: SignIn = { ref: `ref-${uuid()}`, userId, permissions: new Set(allRights), ...more };
      signIns.set(made.ref, made);
      return made;
    },
    signOut: (signIn) => void signIns.delete(signIn.ref),
    async load(ref) {
      loads.push(ref);
      const signIn = signIns.get(ref);
      if (signIn?.load !== undefined) return signIn.load();
      return signIn === undefined ? null : toSession(signIn);
    },
  };
}

/** The session of a sign-in as it is now. */
export function toSession(signIn: SignIn): Session {
  const { ref, userId, permissions, scopes, impersonatedBy, locale, timeZone } = signIn;
  const can = signIn.can ?? ((permission: string) => permissions.has(permission));
  return { ref, userId, can, scopes, impersonatedBy, locale, timeZone };
}

export interface LogLine {
  readonly level: string;
  readonly fields: object;
  readonly message: string;
}

/** One node: its own connections, settings and core on a database that nodes share. */
export interface CoreNode {
  readonly core: Core;
  readonly database: Database;
  readonly settings: Settings;
  readonly log: readonly LogLine[];
  close(): Promise<void>;
}

export interface CoreNodeSetup {
  readonly connectionString: string;
  readonly people: People;
  readonly modules: readonly Module[];
  readonly values?: Partial<SettingValues>;
  readonly now?: () => number;
  /** Stands between core and its database, so that a test can break an answer. */
  readonly between?: (database: Database) => Database;
}

export async function startCoreNode(setup: CoreNodeSetup): Promise<CoreNode> {
  const { people, modules, now, between = (given: Database) => given } = setup;
  const database = await connectDatabase({ connectionString: setup.connectionString, poolSize: 30 });
  const settings = createSettings({ database, values: { ...plenty, ...setup.values } });
  const log: LogLine[] = [];
  const say = (level: string) => (fields: object, message: string) => void log.push({ level, fields, message });
  const logger = { debug: say("debug"), info: say("info"), warn: say("warn"), error: say("error") };
  const options = { database: between(database), settings, sessions: { load: people.load }, modules, logger };
  const core = createCore(now === undefined ? options : { ...options, now });
  return {
    core,
    database,
    settings,
    log,
    async close() {
      await settings.close();
      await database.close();
    },
  };
}

const plenty = { readsPerMinute: 100_000, holdsPerMinute: 100_000, redeemsPerMinute: 100_000 };

/** A call as a host makes it. */
export function toCall(tool: string, args: Call["args"], more: Partial<Call> = {}): Call {
  return { tool, args, via: "agent", requestContext: { requestId: uuid() }, ...more };
}

export type Held = Extract<ExecuteAnswer, { readonly status: "confirmation_required" }>;

/** Holds a write, and fails the test when it is not held. */
export async function hold(node: Pick<CoreNode, "core">, signIn: SignIn, call: Call): Promise<Held> {
  const answer = await node.core.execute(signIn.ref, call);
  invariant(answer.ok && answer.status === "confirmation_required", `the write is held: ${JSON.stringify(answer)}`);
  return answer;
}
