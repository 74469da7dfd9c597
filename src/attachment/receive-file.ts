import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { v7 as newId } from "uuid";
import { refused, type Outcome, type Refusal } from "../outcome.ts";
import type { SettingValues } from "../settings/schema.ts";
import type { AttachmentRefusal } from "../wire/reasons.ts";
import { holdLease, type AttachmentTools } from "./attachment-tools.ts";
import type { Upload } from "./attachments.ts";
import {
  countWaiting,
  deleteAttachment,
  insertAttachment,
  lockWaiting,
  startReading,
  type Lease,
  type WaitingCount,
} from "./attachments.sql.ts";
import { toFileName } from "./file-name.ts";
import { objectNames } from "./file-storage.ts";

/** A file that is in the storage, with its lease, its local copy, and how it is read. */
export interface Received {
  readonly lease: Lease;
  readonly storageKey: string;
}

type UploadRefused = Refusal<Exclude<AttachmentRefusal, "not_found">>;

/** Receives one file as it comes, never more of it than is allowed, and puts it into the storage. What was refused or broke off leaves nothing. */
export async function receiveFile(
  tools: AttachmentTools,
  upload: Upload,
  of: { readonly userId: string; readonly values: SettingValues; readonly folder: string },
): Promise<Outcome<Received, UploadRefused["reason"]>> {
  const { database, storage, settings, fewAtOnce } = tools;
  const { userId, values, folder } = of;
  const most = values.attachmentBytes;
  if (upload.body === null || upload.size === 0) return refused("file_empty");
  if ((upload.size ?? 0) > most) return refused("file_too_large");
  const lease: Lease = { userId, id: newId(), lease: randomUUID() };
  const storageKey = randomUUID();
  const room = { lease, storageKey, values, size: upload.size ?? most, leaseMs: settings.fixed.attachmentLease };
  const taken = await fewAtOnce(() => takeRoom(tools, upload, room));
  if (taken !== null) return refused(taken);
  const held = holdLease(tools, lease);
  let isIn = false;
  try {
    const path = join(folder, "original");
    const written = await writeBody(upload, { path, most: upload.size ?? most, signal: held.signal });
    if (!written.ok) return written;
    await storage.put(objectNames.original(storageKey), path, "application/octet-stream");
    isIn = (await fewAtOnce(() => database.query(startReading(lease, written.size)))).length > 0;
    return isIn ? { ok: true, lease, storageKey } : refused("upload_broken");
  } finally {
    held.stop();
    if (!isIn) {
      await storage.remove(storageKey);
      await database.query(deleteAttachment(userId, lease.id));
    }
  }
}

/** Makes the row, unless too much of the user waits already. What is not known to be smaller counts as the largest file. */
async function takeRoom(
  { database }: AttachmentTools,
  upload: Upload,
  file: {
    readonly lease: Lease;
    readonly storageKey: string;
    readonly values: SettingValues;
    readonly size: number;
    readonly leaseMs: number;
  },
): Promise<"too_many_files" | "too_much_waiting" | null> {
  const { lease, values, size, storageKey, leaseMs } = file;
  const { conversationId } = upload;
  return database.transaction(async (on) => {
    await on.query(lockWaiting(lease.userId));
    const [waiting] = await on.query<WaitingCount>(countWaiting(lease.userId, conversationId));
    if ((waiting?.files ?? 0) >= values.attachmentsPerMessage) return "too_many_files";
    if ((waiting?.bytes ?? 0) + size > values.attachmentsWaitingBytes) return "too_much_waiting";
    const name = toFileName(upload.name);
    await on.query(insertAttachment({ ...lease, conversationId, name, size, storageKey, leaseMs }));
    return null;
  });
}

class TooLarge extends Error {}

/** Writes what comes to a file of its own, piece by piece. */
async function writeBody(
  upload: Upload,
  to: { readonly path: string; readonly most: number; readonly signal: AbortSignal },
): Promise<Outcome<{ readonly size: number }, "file_empty" | "file_too_large" | "upload_broken">> {
  let size = 0;
  const count = new Transform({
    transform(piece: Uint8Array, _encoding, done) {
      size += piece.byteLength;
      if (size > to.most) done(new TooLarge());
      else done(null, piece);
    },
  });
  const signal = AbortSignal.any([upload.signal, to.signal]);
  try {
    // The web's stream and Node's are the same at run time.
    const body = Readable.fromWeb(upload.body as Parameters<typeof Readable.fromWeb>[0]);
    await pipeline(body, count, createWriteStream(to.path, { flags: "wx", mode: 0o600 }), { signal });
  } catch (error) {
    if (error instanceof TooLarge) return refused("file_too_large");
    if (signal.aborted || !(error instanceof Error && "code" in error && isOfDisk(error.code)))
      return refused("upload_broken");
    throw error;
  }
  if (size === 0) return refused("file_empty");
  return upload.size !== null && size < upload.size ? refused("upload_broken") : { ok: true, size };
}

function isOfDisk(code: unknown): boolean {
  return ["ENOSPC", "EACCES", "EROFS", "EIO", "EMFILE"].includes(String(code));
}
