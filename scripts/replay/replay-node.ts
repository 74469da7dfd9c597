import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { Chat } from "../../src/chat/chat.ts";
import { createAttachments } from "../../src/attachment/create-attachments.ts";
import { createChat } from "../../src/chat/create-chat.ts";
import { createConfirmations } from "../../src/confirmation/create-confirmations.ts";
import { createCore } from "../../src/core/create-core.ts";
import type { Core } from "../../src/core/core.ts";
import { defineModule, readTool } from "../../src/core/define-tool.ts";
import { silentLogger } from "../../src/logger.ts";
import { createModels } from "../../src/model/create-models.ts";
import type { CompleteAnswer, CompleteRequest, Endpoint, Models } from "../../src/model/model.ts";
import { createSettings } from "../../src/settings/create-settings.ts";
import type { Settings } from "../../src/settings/settings.ts";
import { createTestDatabase } from "../../src/testing/test-database.ts";
import { createTurns } from "../../src/turn/create-turns.ts";
import type { Turns } from "../../src/turn/turns.ts";

/** A call of the model that a turn made, with what it was answered. */
export interface WatchedCall {
  readonly turnId: string;
  readonly answer: CompleteAnswer;
  readonly shownCharacters: number;
  /** The requests it made, as the provider got them. */
  readonly requests: readonly unknown[];
}

/** A whole node on a database of its own, whose endpoints are the cases' and whose tools are the cases' tools. */
export interface ReplayNode {
  readonly chat: Chat;
  readonly turns: Turns;
  readonly settings: Settings;
  readonly calls: readonly WatchedCall[];
  close(): Promise<void>;
}

/** Questions of users whose id says so carry a picture. */
export const withPicture = "picture:";

export interface ReplayNodeOptions {
  readonly endpoints: readonly Endpoint[];
  readonly allowPrivateEndpoints: readonly string[];
  /** The bodies of all requests a user's endpoint has got so far. */
  requestsOf(userId: string): readonly unknown[];
}

export async function startReplayNode(options: ReplayNodeOptions): Promise<ReplayNode> {
  const { endpoints, allowPrivateEndpoints, requestsOf } = options;
  const own = await createTestDatabase();
  const { database } = own;
  const settings = createSettings({
    database,
    values: { modelIdleLimit: 1_500, turnDeadline: 30, readsPerMinute: 100_000, turnsPerHour: 100_000 },
  });
  const sessions = { load: async (ref: string) => ({ ref, userId: ref, can: () => true }) };
  const core = withPlainNames(createCore({ database, settings, sessions, modules: [weather], logger: silentLogger }));
  const calls: WatchedCall[] = [];
  const models = createModels({ database, settings, endpoints, allowPrivateEndpoints, backoffMs: 20 });
  const chat = createChat({ database, core, settings, node: "replay", logger: silentLogger });
  const confirmations = createConfirmations({ chat, core, settings });
  const storage = { folder: ".countersign/replay-files" };
  const attachments = createAttachments({ database, chat, settings, storage, logger: silentLogger });
  const rooms = { chat, core, attachments, models: watched(models, { calls, requestsOf }), settings, confirmations };
  const turns = createTurns({ ...rooms, node: "replay", hostName: "the replay", logger: silentLogger });
  return {
    chat,
    turns,
    settings,
    calls,
    close: async () => {
      for (const room of [turns, chat, models, settings]) await room.close();
      await own.drop();
    },
  };
}

const weather = defineModule({
  key: "replay",
  title: "Replay",
  sessionWrites: false,
  tools: [
    readTool({
      name: "get_weather",
      description: "The weather of a city.",
      permission: "replay",
      input: z.object({ city: z.string() }),
      run: (_ctx, { city }) => ({ city, weather: "sun" }),
    }),
    readTool({
      name: "list_items",
      description: "All items.",
      permission: "replay",
      input: z.object({}),
      run: () => ({ items: ["one", "two"] }),
    }),
  ],
});

/** The cases call the tools by their bare names. */
function withPlainNames(core: Core): Core {
  return {
    ...core,
    visibleFor: async (ref) => {
      const visible = await core.visibleFor(ref);
      if (!visible.ok) return visible;
      return {
        ok: true,
        tools: visible.tools.map((tool) => ({ ...tool, providerName: tool.name.replace(/^.*\./, "") })),
      };
    },
  };
}

function watched(
  models: Models,
  { calls, requestsOf }: { readonly calls: WatchedCall[] } & Pick<ReplayNodeOptions, "requestsOf">,
): Models {
  return {
    ...models,
    prepare: async (request) => {
      let shownCharacters = 0;
      const prepared = await models.prepare({
        ...(request.userId.startsWith(withPicture) ? pictured(request) : request),
        onText: (delta) => {
          shownCharacters += delta.length;
          request.onText(delta);
        },
      });
      return {
        ...prepared,
        run: async () => {
          const before = requestsOf(request.userId).length;
          const answer = await prepared.run();
          const requests = requestsOf(request.userId).slice(before);
          calls.push({ turnId: request.attribution.turnId, answer, shownCharacters, requests });
          return answer;
        },
      };
    },
  };
}

/** A picture beside the last question. */
function pictured(request: CompleteRequest): CompleteRequest {
  const { messages } = request.prompt;
  const last = messages.findLastIndex(({ role }) => role === "user");
  const picture = { mediaType: "image/png", bytes: new Uint8Array([137, 80, 78, 71]) };
  return {
    ...request,
    prompt: {
      ...request.prompt,
      messages: messages.map((message, index) =>
        index === last && message.role === "user" ? { ...message, pictures: [picture] } : message,
      ),
    },
  };
}

/** A sign-in of nobody else. */
export function newUser(pictures: boolean): string {
  return `${pictures ? withPicture : ""}${randomUUID()}`;
}
