import { refused } from "../outcome.ts";
import type { SettingValues } from "../settings/schema.ts";
import { toAttachment, toSentFile, type AttachmentTools } from "./attachment-tools.ts";
import type { Attachments } from "./attachments.ts";
import {
  claimWaiting,
  deleteAttachment,
  linkAttachments,
  readAttachment,
  readReady,
  readStorageKeys,
  readTexts,
  readWaiting,
  startReadingAgain,
  touchWaiting,
  unlinkAttachments,
  type AttachmentRow,
  type StoredObject,
  type TextRow,
} from "./attachments.sql.ts";
import { createHousekeeping } from "./housekeeping.ts";
import { createFewAtOnce } from "./few-at-once.ts";
import { openDownload, readPictures } from "./open-file.ts";
import { createFileStorage, type FileStorageOptions } from "./file-storage.ts";
import { inWorkFolder } from "./read-in-child.ts";
import { createReadQueue, toReadsAtOnce } from "./read-queue.ts";
import { readStored } from "./read-stored.ts";
import { receiveFile, type Received } from "./receive-file.ts";
import { randomUUID } from "node:crypto";
import { availableParallelism } from "node:os";
import { setTimeout as wait } from "node:timers/promises";

export interface AttachmentsOptions extends Omit<AttachmentTools, "storage" | "fewAtOnce"> {
  readonly storage: FileStorageOptions;
}

/** Most files are read by then: their sender is told at once. */
const answerAfterMs = 1_500;

/** A file that trickles in takes its user's room for no longer than this. */
const longestUploadMs = 600_000;

/** Uploads that talk to the database at the same time; their bytes come in beside each other. */
const uploadsStoredAtOnce = 2;

/** Makes the attachment room of one node. */
export function createAttachments(options: AttachmentsOptions): Attachments {
  const fewAtOnce = createFewAtOnce(uploadsStoredAtOnce);
  const tools: AttachmentTools = { ...options, storage: createFileStorage(options.storage), fewAtOnce };
  const { database, chat, settings, logger } = tools;
  const queue = createReadQueue({ atOnce: toReadsAtOnce(settings.fixed.readsAtOnce, availableParallelism()), logger });
  const closing = new AbortController();
  const receiving = new Set<Promise<unknown>>();
  let draining = false;

  /** A file of the session's user in a chat that is not deleted. */
  async function find(sessionRef: string, attachmentId: string, whileOff = true) {
    const allowed = await chat.authorize(sessionRef, { whileOff });
    if (!allowed.ok) return allowed;
    const { userId } = allowed.session;
    const [row] = await database.query<AttachmentRow>(readAttachment(userId, attachmentId));
    if (row === undefined) return refused("not_found");
    const inChat = await chat.authorize(sessionRef, { conversationId: row.conversation_id, whileOff });
    return inChat.ok ? { ok: true as const, userId, row } : inChat;
  }

  async function reread(userId: string, id: string): Promise<AttachmentRow | undefined> {
    const [row] = await database.query<AttachmentRow>(readAttachment(userId, id));
    return row;
  }

  /** Takes a file away that no message has; false: one has it. What the storage holds goes before its row. */
  async function takeAway(userId: string, id: string): Promise<boolean> {
    const [claimed] = await database.query<StoredObject>(claimWaiting({ userId, id, lease: randomUUID() }));
    if (claimed === undefined) return false;
    await tools.storage.remove(claimed.storage_key);
    await database.query(deleteAttachment(userId, id));
    return true;
  }

  function read(received: Received, values: SettingValues, folder: string): Promise<void> {
    const of = { values, folder, signal: closing.signal };
    return queue.add(received.lease.userId, () => readStored(tools, received, of));
  }

  /** Answers once the file was received; its folder stays until it was read. */
  function receive(upload: Parameters<Attachments["upload"]>[1], userId: string, values: SettingValues) {
    const { promise, resolve, reject } = Promise.withResolvers<
      Awaited<ReturnType<typeof receiveFile>> & { readonly read?: Promise<void> }
    >();
    const work = inWorkFolder(async (folder) => {
      const signal = AbortSignal.any([upload.signal, closing.signal, AbortSignal.timeout(longestUploadMs)]);
      const received = await receiveFile(tools, { ...upload, signal }, { userId, values, folder });
      if (!received.ok) return resolve(received);
      const reading = read(received, values, folder);
      resolve({ ...received, read: reading });
      await reading;
    }).catch(reject);
    receiving.add(work);
    void work.finally(() => receiving.delete(work));
    return promise;
  }

  return {
    async upload(sessionRef, upload) {
      const allowed = await chat.authorize(sessionRef, { conversationId: upload.conversationId });
      if (!allowed.ok) return allowed;
      if (draining) return refused("shutting_down");
      const { userId } = allowed.session;
      const { values } = await settings.forUser(userId);
      const received = await receive(upload, userId, values);
      if (!received.ok) return received;
      const timer = new AbortController();
      await Promise.race([received.read, wait(answerAfterMs, undefined, { signal: timer.signal }).catch(() => {})]);
      timer.abort();
      const row = await fewAtOnce(() => reread(userId, received.lease.id));
      // Nobody was told of it: sent once more, it would be there twice.
      if (upload.signal.aborted && (await takeAway(userId, received.lease.id))) return refused("upload_broken");
      return row === undefined ? refused("upload_broken") : { ok: true, attachment: toAttachment(row) };
    },

    async waiting(sessionRef, { conversationId }) {
      const allowed = await chat.authorize(sessionRef, { conversationId, whileOff: true });
      if (!allowed.ok) return allowed;
      const rows = await database.query<AttachmentRow>(readWaiting(allowed.session.userId, conversationId));
      return { ok: true, attachments: rows.map(toAttachment) };
    },

    async remove(sessionRef, { attachmentId }) {
      const found = await find(sessionRef, attachmentId);
      if (!found.ok) return found;
      const { userId } = found;
      if (await takeAway(userId, attachmentId)) return { ok: true };
      return (await reread(userId, attachmentId)) ? refused("file_sent") : refused("not_found");
    },

    async readAgain(sessionRef, { attachmentId }) {
      const found = await find(sessionRef, attachmentId, false);
      if (!found.ok) return found;
      if (draining) return refused("shutting_down");
      const { userId } = found;
      const { values } = await settings.forUser(userId);
      const lease = { userId, id: attachmentId, lease: randomUUID() };
      const [row] = await database.query<AttachmentRow>(startReadingAgain(lease, settings.fixed.attachmentLease));
      if (row === undefined) return refused("file_not_readable");
      const work = inWorkFolder((folder) => read({ lease, storageKey: row.storage_key }, values, folder));
      receiving.add(work);
      void work.catch(() => {}).finally(() => receiving.delete(work));
      return { ok: true, attachment: toAttachment(row) };
    },

    async download(sessionRef, { attachmentId, thumbnail }) {
      const found = await find(sessionRef, attachmentId);
      if (!found.ok) return found;
      const opened = await openDownload(tools.storage, found.row, { thumbnail });
      return opened === null ? refused("not_found") : { ok: true, ...opened };
    },

    async findReady(userId, { conversationId, ids }) {
      const rows = await database.query<AttachmentRow>(readReady(userId, conversationId, ids));
      const byId = new Map(rows.map((row) => [row.id, toSentFile(row)]));
      const files = ids.flatMap((id) => byId.get(id) ?? []);
      return files.length === ids.length && byId.size === ids.length ? files : null;
    },

    async link(on, link) {
      return (await on.query(linkAttachments(link))).length === link.ids.length;
    },

    async giveBack(on, { userId, messageId }) {
      await on.query(unlinkAttachments(userId, messageId));
    },

    async keepWaiting(userId, ids) {
      await database.query(touchWaiting(userId, ids));
    },

    async texts(userId, messageIds) {
      if (messageIds.length === 0) return new Map();
      const rows = await database.query<TextRow>(readTexts(userId, messageIds));
      const toText = ({ id, name, type, text, text_cut: cut }: TextRow) => ({ id, name, type, text: text ?? "", cut });
      const grouped = Map.groupBy(rows, (row) => row.message_id);
      return new Map([...grouped].map(([messageId, of]) => [messageId, of.map(toText)]));
    },

    async pictures(userId, { files }) {
      const keys = await database.query<StoredObject>(
        readStorageKeys(
          userId,
          files.map(({ id }) => id),
        ),
      );
      return readPictures(tools, files, new Map(keys.map((row) => [row.id, row.storage_key])));
    },

    ...createHousekeeping(tools),

    async idle() {
      while (receiving.size > 0) await Promise.allSettled(receiving);
    },
    drain() {
      draining = true;
    },
    async close() {
      draining = true;
      closing.abort();
      while (receiving.size > 0) await Promise.allSettled(receiving);
    },
  };
}
