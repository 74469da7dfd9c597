import type { Chat } from "./chat.ts";
import { restorableHours } from "./conversations.ts";
import { deleteConversations, deleteMessages } from "./sweep-deleted.sql.ts";
import type { ChatTools } from "./tools.ts";

const batch = 500;
// What one sweep deletes at most; the next goes on, so that no node is busy with it for long.
const batches = 20;

export function createSweepDeleted(tools: Pick<ChatTools, "database">): Pick<Chat, "sweepDeleted"> {
  return {
    async sweepDeleted() {
      for (const statement of [deleteMessages, deleteConversations]) {
        for (let done = 0; done < batches; done++) {
          const rows = await tools.database.query(statement({ afterHours: restorableHours, limit: batch }));
          if (rows.length < batch) break;
        }
      }
    },
  };
}
