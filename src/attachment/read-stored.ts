import { createWriteStream } from "node:fs";
import { access } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { cleanText } from "../database/clean-text.ts";
import type { SettingValues } from "../settings/schema.ts";
import { holdLease, type AttachmentTools } from "./attachment-tools.ts";
import { storeFailure, storeReading } from "./attachments.sql.ts";
import { objectNames } from "./file-storage.ts";
import { isTaken } from "./file-types.ts";
import type { ChildAnswer } from "./child-answer.ts";
import { readInChild } from "./read-in-child.ts";
import type { Received } from "./receive-file.ts";

/** Reads a file that is in the storage, and stores what came of it under its lease: a file that was deleted meanwhile stays deleted. */
export async function readStored(
  tools: AttachmentTools,
  received: Received,
  of: { readonly values: SettingValues; readonly folder: string; readonly signal: AbortSignal },
): Promise<void> {
  const { database, storage, logger } = tools;
  const { lease, storageKey } = received;
  const held = holdLease(tools, lease);
  try {
    const signal = AbortSignal.any([of.signal, held.signal]);
    const began = performance.now();
    const reading = await read(tools, storageKey, { ...of, signal });
    const ms = Math.round(performance.now() - began);
    const code = reading.ok ? null : reading.code;
    logger.debug({ attachmentId: lease.id, code, ms, peakBytes: reading.peakBytes ?? null }, "a file was read");
    // Another holds it now, or it is gone.
    if (held.signal.aborted) return;
    if (!reading.ok) {
      if (reading.code !== "interrupted") await storage.remove(storageKey);
      await database.query(storeFailure(lease, reading.code));
      return;
    }
    const text = "text" in reading ? cleanText(reading.text) : null;
    const cut = "text" in reading && reading.cut;
    const { type } = reading;
    if ("picture" in reading) {
      await storage.put(objectNames.picture(storageKey), join(of.folder, "picture"), type);
      await storage.put(objectNames.thumbnail(storageKey), join(of.folder, "thumbnail"), "image/webp");
    }
    const stored = await database.query(storeReading({ ...lease, type, text, cut }));
    if (stored.length === 0 && "picture" in reading) await storage.remove(storageKey);
    // What a camera wrote beside the pixels stays nowhere.
    else if ("picture" in reading) await storage.removeOne(objectNames.original(storageKey));
  } catch (error) {
    await database.query(storeFailure(lease, "interrupted"));
    throw error;
  } finally {
    held.stop();
  }
}

async function read(
  { storage }: AttachmentTools,
  storageKey: string,
  of: { readonly values: SettingValues; readonly folder: string; readonly signal: AbortSignal },
): Promise<ChildAnswer> {
  const { values, folder, signal } = of;
  const path = join(folder, "original");
  if (!(await isThere(path))) {
    const stream = await storage.get(objectNames.original(storageKey));
    if (stream === null) return { ok: false, code: "unreadable" };
    await pipeline(stream, createWriteStream(path, { flags: "wx", mode: 0o600 }));
  }
  const reading = await readInChild(
    { path, folder, picturePath: join(folder, "picture"), thumbnailPath: join(folder, "thumbnail") },
    {
      characters: values.attachmentChars,
      timeMs: values.readTime * 1_000,
      memoryBytes: values.readMemory * 1_048_576,
    },
    signal,
  );
  if (!reading.ok) return reading;
  // A picture is made anew in another type than it was sent in: the one that counts is the one that was found.
  const found = "found" in reading ? reading.found : reading.type;
  if (isTaken(found, values.attachmentTypes)) return reading;
  return {
    ok: false,
    code: "unsupported_type",
    ...(reading.peakBytes !== undefined && { peakBytes: reading.peakBytes }),
  };
}

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
