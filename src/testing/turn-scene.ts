import { randomUUID } from "node:crypto";
import { invariant } from "../outcome.ts";
import type { Session } from "../core/session.ts";
import type { StoredMessage } from "../chat/stored-message.ts";
import type { StartTurn, Turns } from "../turn/turns.ts";
import type { ServerEvent } from "../wire/events.ts";
import { type ScriptedModel, scriptedModel, type ScriptedStep } from "./scripted-model.ts";
import { createTestNode, type TestNode, type TestNodeOptions, type TestSessions } from "./test-node.ts";

/** One user, signed in, with one chat, on one node, in front of a model that follows a script. */
export interface TurnScene {
  readonly node: TestNode;
  readonly model: ScriptedModel;
  readonly sessions: TestSessions;
  readonly ref: string;
  readonly session: Session;
  readonly userId: string;
  readonly conversationId: string;
  /** What `turns.start` answers. */
  tryStart(text: string, given?: Partial<StartTurn>): ReturnType<Turns["start"]>;
  /** Starts a turn that must not be refused. */
  start(text: string, given?: Partial<StartTurn>): Promise<string>;
  /** Starts a turn and answers the whole chat once no turn runs. */
  ask(text: string): Promise<readonly StoredMessage[]>;
  messages(): Promise<readonly StoredMessage[]>;
  /** The chat in short: `user: text`, `assistant: text [calls]`, `tool ok: result`, `card`, `notice: code`. */
  told(): Promise<readonly string[]>;
  /** Everything told of the chat from now on, as it is told on the scene's node or on another. */
  watch(hear?: (event: ServerEvent) => void, on?: TestNode): Promise<readonly ServerEvent[]>;
  close(): Promise<void>;
}

export type TurnSceneOptions = Partial<Omit<TestNodeOptions, "connectionString" | "model">> & {
  readonly permissions?: readonly string[];
  readonly session?: Partial<Session>;
};

export async function createTurnScene(
  connectionString: string,
  script: readonly ScriptedStep[] | { readonly always: ScriptedStep },
  options: TurnSceneOptions = {},
): Promise<TurnScene> {
  const userId = `user-${randomUUID()}`;
  const ref = `ref-${userId}`;
  const granted = new Set(["assistant.use", "bills.read", "bills.write", ...(options.permissions ?? [])]);
  const session: Session = { ref, userId, can: (permission) => granted.has(permission), ...options.session };
  const sessions: TestSessions = options.sessions ?? new Map();
  sessions.set(ref, session);
  const model = scriptedModel(script);
  const node = await createTestNode({ ...options, connectionString, sessions, model });
  const created = await node.chat.createConversation(ref);
  invariant(created.ok, "the scene's user may chat");
  const conversationId = created.conversation.id;

  const scene: TurnScene = {
    ...{ node, model, sessions, ref, session, userId, conversationId },
    tryStart: (text, given = {}) =>
      node.turns.start(ref, {
        ...{ conversationId, text, clientId: randomUUID(), requestContext: { requestId: randomUUID() } },
        ...given,
      }),
    async start(text, given) {
      const answer = await scene.tryStart(text, given);
      if (!answer.ok) throw new Error(`the turn was refused: ${answer.reason}`);
      return answer.turnId;
    },
    async ask(text) {
      await scene.start(text);
      await node.turns.idle();
      return scene.messages();
    },
    messages: () => node.chat.history(userId, { conversationId, characters: 2 ** 30, beforeSeq: 2 ** 31 - 1 }),
    told: async () => (await scene.messages()).map(toShort),
    async watch(hear, on = node) {
      const events: ServerEvent[] = [];
      const watching = await on.chat.watch(ref, {
        ...{ conversationId, afterSeq: null, signal: new AbortController().signal },
        send(encoded) {
          for (const event of toEvents(encoded)) {
            events.push(event);
            hear?.(event);
          }
          return true;
        },
      });
      invariant(watching.ok, "the scene's user may watch");
      return events;
    },
    close: () => node.close(),
  };
  return scene;
}

/** The events in a piece of a stream of server-sent events. */
function toEvents(encoded: string): readonly ServerEvent[] {
  const lines = encoded.split("\n").filter((line) => line.startsWith("data:"));
  return lines.map((line) => JSON.parse(line.slice("data:".length)) as ServerEvent);
}

function toShort(row: StoredMessage): string {
  if (row.role === "user") return `user: ${row.text}`;
  if (row.role === "assistant") {
    const calls = row.calls.map(({ name }) => name).join(", ");
    return `assistant: ${row.text}${calls === "" ? "" : ` [${calls}]`}`;
  }
  if (row.role === "notice") return `notice: ${row.code ?? row.outcome}`;
  return row.confirmationId === null ? `tool ${row.status}: ${row.result}` : `card: ${row.tool}`;
}

/** The scenes of one test file: each test's are closed after it, and what they set for the site is taken back. */
export interface TurnScenes {
  open(
    script: readonly ScriptedStep[] | { readonly always: ScriptedStep },
    options?: TurnSceneOptions,
  ): Promise<TurnScene>;
  close(): Promise<void>;
}

export function createTurnScenes(connectionString: () => string): TurnScenes {
  const opened: TurnScene[] = [];
  const defaults = { assistantOn: null, aiOn: null, turnsPerHour: null, "module:bills:writes": null };
  return {
    async open(script, options) {
      const scene = await createTurnScene(connectionString(), script, options);
      opened.push(scene);
      return scene;
    },
    async close() {
      for (const scene of opened.splice(0)) {
        await scene.node.settings.setSite(defaults);
        await scene.close();
      }
    },
  };
}
