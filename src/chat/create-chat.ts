import type { Database } from "../database/database.ts";
import type { Logger } from "../logger.ts";
import type { Settings } from "../settings/settings.ts";
import { authorize } from "./authorize.ts";
import { createCards } from "./cards.ts";
import type { Chat } from "./chat.ts";
import { createChatAdmin } from "./create-chat-admin.ts";
import { createConversations } from "./conversations.ts";
import { createEvents } from "./create-events.ts";
import { createForgetUser } from "./forget-user.ts";
import { createHistory } from "./history.ts";
import { createLocks } from "./locks.ts";
import { createSweep } from "./sweep.ts";
import { createSweepDeleted } from "./sweep-deleted.ts";
import { createTurnMessages } from "./turn-messages.ts";
import type { ChatTools } from "./tools.ts";
import { createWatch } from "./watch.ts";

export interface ChatOptions {
  readonly database: Database;
  readonly core: ChatTools["core"];
  readonly settings: Settings;
  /** Names this node in rows, for operators. */
  readonly node: string;
  readonly logger: Logger;
}

/** Makes the chat room of one node; every node of a database has its own. */
export function createChat(options: ChatOptions): Chat {
  const events = createEvents(options);
  const tools = { ...options, events };
  return {
    authorize: (sessionRef, wanted = {}) => authorize(tools, sessionRef, wanted),
    ...createConversations(tools),
    ...createWatch(tools),
    publish: (target, event) => events.publish(target, event),
    running: (userId, conversationId) => events.running(userId, conversationId),
    ...createLocks(tools),
    onStop: (hear) => events.onStop(hear),
    ...createTurnMessages(tools),
    ...createSweep(tools),
    ...createHistory(tools),
    ...createCards(tools),
    ...createSweepDeleted(tools),
    ...createForgetUser(tools),
    admin: createChatAdmin(tools),
    close: () => events.close(),
  };
}
