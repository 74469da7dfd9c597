import type { AttachmentTools } from "./attachment-tools.ts";
import type { Attachments } from "./attachments.ts";
import {
  claimUnsent,
  deleteAttachment,
  readOfChat,
  readOfUser,
  sweepLeases,
  type StoredObject,
} from "./attachments.sql.ts";
import type { Statement } from "../database/sql.ts";
import { removeOldWorkFolders } from "./read-in-child.ts";

const batch = 100;

/** Deletes files: what the storage holds first, their rows after it, so that one that dies in between is done again. */
export function createHousekeeping({
  database,
  settings,
  storage,
}: AttachmentTools): Pick<Attachments, "sweep" | "forgetChat" | "forgetUser"> {
  async function deleteAll(rows: readonly StoredObject[]): Promise<void> {
    for (const row of rows) {
      await storage.remove(row.storage_key);
      await database.query(deleteAttachment(row.user_id, row.id));
    }
  }

  async function inBatches(statement: () => Statement): Promise<void> {
    for (;;) {
      const rows = await database.query<StoredObject>(statement());
      await deleteAll(rows);
      if (rows.length < batch) return;
    }
  }

  return {
    async sweep() {
      while ((await database.query(sweepLeases(batch))).length === batch);
      await removeOldWorkFolders();
      await inBatches(() => claimUnsent(settings.fixed.keepUnsentFor, batch));
    },
    forgetChat: (userId, conversationId) => inBatches(() => readOfChat({ userId, conversationId, limit: batch })),
    forgetUser: (userId) => inBatches(() => readOfUser(userId, batch)),
  };
}
