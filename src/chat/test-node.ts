import { setTimeout as pause } from "node:timers/promises";
import { v7 as uuid } from "uuid";
import { createCore } from "../core/create-core.ts";
import { defineModule } from "../core/define-tool.ts";
import type { Session } from "../core/session.ts";
import { connectDatabase } from "../database/connect.ts";
import type { Database } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import { silentLogger } from "../logger.ts";
import { createSettings } from "../settings/create-settings.ts";
import type { SettingValues } from "../settings/schema.ts";
import type { Settings } from "../settings/settings.ts";
import type { AcquireTurn, AcquireTurnAnswer, Chat, Fence } from "./chat.ts";
import { createChat } from "./create-chat.ts";
import type { NewMessage, StoredUsage } from "./stored-message.ts";

/** A host for this room's tests: people sign in and out, and lose rights. */
export interface TestHost {
  readonly sessions: Map<string, Session>;
  /** Signs a user in with `assistant.use`; answers the ref. */
  signIn(userId: string, change?: Partial<Session>): Session;
  /** Set: `load` throws, as when the host's own store is away. */
  down: boolean;
}

export function createTestHost(): TestHost {
  const sessions = new Map<string, Session>();
  return {
    sessions,
    down: false,
    signIn(userId, change = {}) {
      const session = { ref: uuid(), userId, can: (right: string) => right === "assistant.use", ...change };
      sessions.set(session.ref, session);
      return session;
    },
  };
}

export interface TestNode {
  readonly chat: Chat;
  readonly settings: Settings;
  readonly database: Database;
  close(): Promise<void>;
}

/** A node of its own on a database: own connections, own room. */
export async function createTestNode(options: {
  readonly connectionString: string;
  readonly host: TestHost;
  readonly values?: Partial<SettingValues>;
  /** Stands between the room and its database. */
  readonly through?: (database: Database) => Database;
}): Promise<TestNode> {
  const { connectionString, host } = options;
  const database = await connectDatabase({ connectionString, poolSize: 16 });
  const settings = createSettings({ database, values: options.values ?? {} });
  const load = (ref: string): Promise<Session | null> =>
    host.down ? Promise.reject(new Error("down")) : Promise.resolve(host.sessions.get(ref) ?? null);
  const core = createCore({ database, settings, sessions: { load }, modules: [billing] });
  const seen = options.through?.(database) ?? database;
  const chat = createChat({ database: seen, core, settings, node: "test", logger: silentLogger });
  return {
    chat,
    settings,
    database,
    async close() {
      await chat.close();
      await settings.close();
      await database.close();
    },
  };
}

const billing = defineModule({
  key: "billing",
  title: "Billing",
  sessionWrites: true,
  tools: [
    {
      kind: "write",
      name: "void",
      title: "Void an invoice",
      description: "Voids an invoice",
      permission: "billing.write",
      input: { type: "object" },
      preview: () => ({ title: "Void", changes: [] }),
      run: () => null,
    },
  ],
});

export const noUsage: StoredUsage = {
  requestId: null,
  model: null,
  inputTokens: null,
  outputTokens: null,
  costMicros: null,
  latencyMs: null,
};

export function answer(text: string, change: Partial<Extract<NewMessage, { role: "assistant" }>> = {}): NewMessage {
  return { role: "assistant", id: uuid(), text, calls: [], usage: noUsage, ...change };
}

/** An answer that asks for a write, and the card of it. */
export function askingForWrite(): {
  readonly messages: readonly NewMessage[];
  readonly confirmationId: string;
  readonly cardId: string;
} {
  const [assistantMessageId, cardId, confirmationId, callId] = [uuid(), uuid(), uuid(), uuid().slice(-9)];
  const call = { id: callId, providerId: "p1", name: "billing.void", arguments: `{"id":"${cardId}"}` };
  return {
    confirmationId,
    cardId,
    messages: [
      { role: "assistant", id: assistantMessageId, text: "", calls: [call], usage: noUsage },
      { role: "card", id: cardId, callId, tool: "billing.void", confirmationId, assistantMessageId },
    ],
  };
}

/** A user of their own with one chat. */
export async function newChat(
  node: TestNode,
  host: TestHost,
): Promise<{ readonly session: Session; readonly userId: string; readonly conversationId: string }> {
  const session = host.signIn(`user-${uuid()}`);
  const made = await node.chat.createConversation(session.ref);
  if (!made.ok) throw new Error(made.reason);
  return { session, userId: session.userId, conversationId: made.conversation.id };
}

export function turnRequest(
  place: { readonly session: Session; readonly conversationId: string },
  change: Partial<AcquireTurn> = {},
): AcquireTurn {
  const { session, conversationId } = place;
  const ids = { clientId: uuid(), token: uuid(), turnId: uuid() };
  return { session, conversationId, ...ids, deadlineSeconds: 180, perHour: 60, perDay: 500, ...change };
}

/** A turn that has its lock, and with `asked` its question. */
export async function startTurn(
  node: TestNode,
  place: { readonly session: Session; readonly conversationId: string },
  options: { readonly asked?: boolean } & Partial<AcquireTurn> = {},
): Promise<Fence & { readonly turnId: string }> {
  const { asked = true, ...change } = options;
  const request = turnRequest(place, change);
  const taken = await node.chat.acquireForTurn(request);
  if (!taken.ok) throw new Error(taken.reason);
  if (asked) await node.chat.storeQuestion(taken.fence, { id: uuid(), text: "A question" });
  return { ...taken.fence, turnId: request.turnId };
}

/** Makes a user's lock one that was last kept long ago (or, negative, in a time to come). */
export async function ageLock(database: Database, userId: string, seconds = 3_600): Promise<void> {
  await database.query(
    sql`update locks set kept_at = clock_timestamp() - ${seconds}::float8 * interval '1 second' where user_id = ${userId}`,
  );
}

export interface SeqRow {
  readonly seq: number;
  readonly role: string;
  readonly text: string | null;
  readonly code: string | null;
  readonly tool_status: string | null;
  readonly tool_outcome: string | null;
  readonly finished: boolean | null;
  readonly turn_id: string | null;
  readonly told: boolean;
}

/** The rows of a chat, in order. */
export async function rowsOf(database: Database, conversationId: string): Promise<readonly SeqRow[]> {
  return database.query<SeqRow>(sql`
select seq, role, text, code, tool_status, tool_outcome, finished, turn_id, told from messages where conversation_id = ${conversationId}::uuid order by seq`);
}

/** Waits until this many connections of this database wait for a lock of another. */
export async function untilWaiting(database: Database, count: number): Promise<void> {
  for (;;) {
    const [row] = await database.query<{ readonly waiting: number }>(sql`
select count(*)::int as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`);
    if ((row?.waiting ?? 0) >= count) return;
    await pause(5);
  }
}

/** Waits until something is so; the test's own limit is the only one. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await pause(5);
}

/** The nth of these, over and over. */
export function pick<Item>(items: readonly Item[], n: number): Item {
  const item = items[n % items.length];
  if (item === undefined) throw new Error("nothing to pick from");
  return item;
}

/** Runs starts, on these nodes in turn, that all stand at the user's lock until the last has come; then the barrier takes back what it did. */
export async function raceBehindBarrier(
  nodes: readonly TestNode[],
  requests: readonly AcquireTurn[],
  barrier: { readonly userId: string; readonly conversationId: string; readonly lapsedLock: boolean },
): Promise<readonly AcquireTurnAnswer[]> {
  const { userId, conversationId, lapsedLock } = barrier;
  const { database } = pick(nodes, 0);
  let answers: Promise<readonly AcquireTurnAnswer[]> | undefined;
  class Back extends Error {}
  await database
    .transaction(async (on) => {
      if (lapsedLock) await on.query(sql`select 1 from locks where user_id = ${userId} for update`);
      else
        await on.query(sql`
insert into locks (user_id, kind, token, conversation_id, node) values (${userId}, 'click', ${uuid()}::uuid, ${conversationId}::uuid, 'barrier')`);
      answers = Promise.all(requests.map((request, n) => pick(nodes, n).chat.acquireForTurn(request)));
      await untilWaiting(database, requests.length);
      throw new Back();
    })
    .catch((error: unknown) => {
      if (!(error instanceof Back)) throw error;
    });
  return answers ?? [];
}
