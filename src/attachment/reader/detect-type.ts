import { open } from "node:fs/promises";
import { fileTypeFromFile } from "file-type";
import { fileKinds } from "../file-types.ts";
import { ReadFault } from "./reading.ts";

const compoundFile = "application/x-cfb";

/** Kinds of files that are written in words: all others have bytes no text has. */
const wordy: ReadonlySet<string> = new Set([
  fileKinds.pdf,
  "application/rtf",
  "application/postscript",
  "application/eps",
  "application/pgp-encrypted",
]);

/** The media type that the content of a file says, never its name; null for what has no signature and may be text. */
export async function detectType(path: string): Promise<string | null> {
  const found = await fileTypeFromFile(path);
  if (found === undefined) return null;
  if (found.mime === compoundFile && (await isEncryptedOffice(path))) throw new ReadFault("encrypted");
  // Text all the same: what it holds decides there.
  if (found.mime === "application/xml" || found.mime.startsWith("text/")) return null;
  // Some signatures are two letters long, and words begin with them: "BMW".
  if (!wordy.has(found.mime) && (await isPlain(path))) return null;
  // Pictures that move are pictures: their first one is taken.
  return found.mime === "image/apng" ? fileKinds.png : found.mime;
}

async function isPlain(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4_096), 0, 4_096, 0);
    return buffer.subarray(0, bytesRead).every((byte) => byte >= 0x20 || (byte >= 0x09 && byte <= 0x0d));
  } finally {
    await file.close();
  }
}

/**
 * Whether an old Office container holds an encrypted document: a newer one as a whole, by the name of its stream, or an
 * old workbook, by the record that stands right after its beginning.
 */
async function isEncryptedOffice(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4 * 1024 * 1024), 0, 4 * 1024 * 1024, 0);
    const head = buffer.subarray(0, bytesRead);
    if (head.includes(Buffer.from("EncryptedPackage", "utf16le"))) return true;
    for (let at = head.indexOf(workbookBegins); at !== -1; at = head.indexOf(workbookBegins, at + 1)) {
      const next = at + 4 + head.readUInt16LE(at + 2);
      if (next + 2 <= head.length && hasFilePass(head, next)) return true;
    }
    return false;
  } finally {
    await file.close();
  }
}

// The record BOF of BIFF8: its type, its length, its version, "workbook globals".
const workbookBegins = Buffer.from([0x09, 0x08, 0x10, 0x00, 0x00, 0x06, 0x05, 0x00]);
const filePass = 0x2f;

/** FILEPASS is among the first records of a workbook. */
function hasFilePass(head: Buffer, from: number): boolean {
  let at = from;
  for (let record = 0; record < 8 && at + 4 <= head.length; record += 1) {
    if (head.readUInt16LE(at) === filePass) return true;
    at += 4 + head.readUInt16LE(at + 2);
  }
  return false;
}
