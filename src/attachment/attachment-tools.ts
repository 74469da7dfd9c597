import type { Chat } from "../chat/chat.ts";
import type { Database } from "../database/database.ts";
import type { Logger } from "../logger.ts";
import type { Settings } from "../settings/settings.ts";
import type { Attachment } from "../wire/api.ts";
import type { SentFile } from "../wire/messages.ts";
import type { AttachmentRow, Lease } from "./attachments.sql.ts";
import { keepLease } from "./attachments.sql.ts";
import type { FileStorage } from "./file-storage.ts";
import { isPicture } from "./file-types.ts";

/** What the parts of this room work with. */
export interface AttachmentTools {
  readonly database: Database;
  readonly chat: Pick<Chat, "authorize">;
  readonly settings: Settings;
  readonly storage: FileStorage;
  readonly logger: Logger;
  /** Runs an upload's statements a few at once: of a hundred uploads none keeps a turn waiting for a connection. */
  readonly fewAtOnce: <Value>(work: () => Promise<Value>) => Promise<Value>;
}

/** A waiting file as its owner's browser gets it. */
export function toAttachment(row: AttachmentRow): Attachment {
  return {
    id: row.id,
    conversationId: row.conversation_id,
    name: row.name,
    type: row.type,
    size: row.size,
    picture: isPicture(row.type),
    state: row.state,
    code: row.code,
    again: row.code === "interrupted" && row.stored,
    createdAt: row.created_at.toISOString(),
  };
}

export function toSentFile(row: AttachmentRow): SentFile {
  const { id, name, size } = row;
  return { id, name, type: row.type ?? "application/octet-stream", size, picture: isPicture(row.type) };
}

/** Keeps a lease until it is stopped; `signal` fires once it is lost, or the file deleted. */
export function holdLease(
  { database, settings }: AttachmentTools,
  lease: Lease,
): { readonly signal: AbortSignal; stop(): void } {
  const leaseMs = settings.fixed.attachmentLease;
  const lost = new AbortController();
  const timer = setInterval(() => {
    // A keep that the database refuses is tried again at the next beat.
    database.query(keepLease(lease, leaseMs)).then(
      (rows) => rows.length === 0 && lost.abort(),
      () => undefined,
    );
  }, leaseMs / 4);
  timer.unref();
  return { signal: lost.signal, stop: () => clearInterval(timer) };
}
