import type { Chat } from "./chat.ts";
import { restorableHours } from "./conversations.ts";
import {
  deleteChat,
  deleteMessages,
  letGoChats,
  readConfirmationIds,
  readDeadChats,
  type ChatRow,
  type DeadChatRow,
} from "./sweep-deleted.sql.ts";
import type { ChatTools } from "./tools.ts";

// What one sweep does at most; the next goes on, so that no node is busy with it for long.
const chatsAtOnce = 50;
const messagesAtOnce = 500;
const batches = 20;
// Chats grow old by days: they are looked for rarely, as this reads the table from end to end.
const letGoEveryMs = 3_600_000;

export function createSweepDeleted(tools: ChatTools): Pick<Chat, "sweepDeleted"> {
  const { database } = tools;
  let lookedAt = -Infinity;

  async function letGo(keepDays: number): Promise<void> {
    if (performance.now() - lookedAt < letGoEveryMs) return;
    const rows = await database.query<ChatRow>(letGoChats(keepDays, chatsAtOnce));
    for (const row of rows) tools.events.deleted({ userId: row.user_id, conversationId: row.id });
    if (rows.length < chatsAtOnce) lookedAt = performance.now();
  }

  return {
    async sweepDeleted(others) {
      const { keepChatsFor: keepDays } = (await tools.settings.site()).values;
      if (keepDays !== null) await letGo(keepDays);
      const dead = await database.query<DeadChatRow>(
        readDeadChats({ afterHours: restorableHours, keepDays, limit: chatsAtOnce }),
      );
      let left = batches;
      for (const { user_id: userId, id: conversationId, outlived } of dead) {
        if (outlived) {
          // While the messages are there their ids are known: a sweep that dies in between is done again.
          const cards = await database.query<{ readonly confirmation_id: string }>(
            readConfirmationIds(userId, conversationId),
          );
          const ids = cards.map((card) => card.confirmation_id);
          if (ids.length > 0) await tools.core.forgetConfirmations(userId, ids);
        }
        let deleted = messagesAtOnce;
        while (deleted === messagesAtOnce) {
          if (left-- === 0) return;
          const rows = await database.query(deleteMessages({ userId, conversationId, limit: messagesAtOnce }));
          deleted = rows.length;
        }
        await others(userId, conversationId);
        await database.query(deleteChat(userId, conversationId));
      }
    },
  };
}
