import { buffer } from "node:stream/consumers";
import { Readable } from "node:stream";
import { describeError } from "../core/describe-error.ts";
import type { SentFile } from "../wire/messages.ts";
import type { AttachmentTools } from "./attachment-tools.ts";
import type { Attachments, Download } from "./attachments.ts";
import type { AttachmentRow } from "./attachments.sql.ts";
import { objectNames, type FileStorage } from "./file-storage.ts";
import { isPicture } from "./file-types.ts";

/** Opens what a user may have of a file: a picture only as it was made anew. Null when there is nothing. */
export async function openDownload(
  storage: FileStorage,
  row: AttachmentRow,
  { thumbnail }: { readonly thumbnail: boolean },
): Promise<Download | null> {
  if (row.state !== "ready" || row.type === null) return null;
  const isSeen = isPicture(row.type);
  if (thumbnail && !isSeen) return null;
  const toName = thumbnail ? objectNames.thumbnail : isSeen ? objectNames.picture : objectNames.original;
  const stream = await storage.get(toName(row.storage_key));
  if (stream === null) return null;
  return {
    name: row.name,
    type: thumbnail ? "image/webp" : row.type,
    inline: isSeen,
    // The web's stream and Node's are the same at run time.
    stream: Readable.toWeb(stream) as ReadableStream<Uint8Array>,
  };
}

/** Reads pictures whole, one after another; one that is not there, or on a disk of another node, is null. */
export async function readPictures(
  { storage, logger }: Pick<AttachmentTools, "storage" | "logger">,
  files: readonly SentFile[],
  keys: ReadonlyMap<string, string>,
): ReturnType<Attachments["pictures"]> {
  const pictures: { readonly file: SentFile; readonly bytes: Uint8Array | null }[] = [];
  for (const file of files) {
    const key = keys.get(file.id);
    let bytes: Uint8Array | null = null;
    try {
      const stream = key === undefined ? null : await storage.get(objectNames.picture(key));
      bytes = stream === null ? null : await buffer(stream);
    } catch (error) {
      logger.warn({ error: describeError(error) }, "a picture could not be read from the storage");
    }
    pictures.push({ file, bytes });
  }
  return pictures;
}
