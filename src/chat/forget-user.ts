import { v7 as uuid } from "uuid";
import type { Chat } from "./chat.ts";
import { deleteAllChats, deleteChatsOf, deleteMessagesOf, deleteTurnsOf, seizeLock } from "./forget-user.sql.ts";
import { keepLock, releaseClick } from "./lock.sql.ts";
import type { ChatTools } from "./tools.ts";

const batch = 500;

/** Deletes everything of a user under the user's lock, so that nothing that runs can store; the lock goes last. */
export function createForgetUser(tools: ChatTools): Pick<Chat, "forgetUser"> {
  const { database, events, node } = tools;

  return {
    async forgetUser(userId, others) {
      const held = { userId, token: uuid() };
      const ended = await database.query<{
        readonly id: string;
        readonly conversation_id: string;
        readonly asked: boolean;
      }>(seizeLock({ ...held, node }));
      const keeper = setInterval(
        () => void database.query(keepLock(held)).catch(() => undefined),
        tools.settings.fixed.lockHold / 3,
      );
      try {
        for (const { id: turnId, conversation_id: conversationId, asked } of ended) {
          events.stopAsked(turnId);
          events.happened({ userId, conversationId }, { type: "turn_ended", turnId, how: "chat_gone", asked });
        }
        // Deleted chats first: no card is left to be told as expired when its confirmation is gone.
        const chats = await database.query<{ readonly id: string }>(deleteAllChats(userId));
        for (const { id } of chats) events.deleted({ userId, conversationId: id });
        await others();
        for (const statement of [deleteMessagesOf, deleteTurnsOf, deleteChatsOf]) {
          while ((await database.query(statement(userId, batch))).length === batch);
        }
        await database.query(releaseClick(held));
      } finally {
        clearInterval(keeper);
      }
    },
  };
}
