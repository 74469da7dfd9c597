// What an operator wants to know of the files' place before users send any.
import { randomUUID } from "node:crypto";
import { mkdtemp, rm, rmdir, writeFile } from "node:fs/promises";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { buffer } from "node:stream/consumers";
import type { Outcome } from "../outcome.ts";
import { createFileStorage, objectNames, type FileStorageOptions } from "./file-storage.ts";

/** Writes a small file, reads it back and deletes it; what it made on the way is gone after it. `code` is the system's or the service's. */
export async function tryStorage(
  options: FileStorageOptions,
): Promise<Outcome<object, "write" | "read" | "delete"> & { readonly code?: string }> {
  const storage = createFileStorage(options);
  const name = objectNames.original(randomUUID());
  const made = "folder" in options ? foldersToMake(join(resolve(options.folder), name)) : [];
  const folder = await mkdtemp(join(tmpdir(), "countersign-doctor-"));
  const content = Buffer.from(`countersign ${name}`);
  let reason: "write" | "read" | "delete" = "write";
  try {
    const file = join(folder, "small");
    await writeFile(file, content);
    await storage.put(name, file, "application/octet-stream");
    reason = "read";
    const there = await storage.get(name);
    if (there === null || !content.equals(await buffer(there))) return { ok: false, reason };
    reason = "delete";
    await storage.removeOne(name);
    return (await storage.get(name)) === null ? { ok: true } : { ok: false, reason };
  } catch (error) {
    return { ok: false, reason, code: codeOf(error) };
  } finally {
    await rm(folder, { recursive: true, force: true });
    // Made by whoever looks, the node's own user could not write there.
    for (const path of made) await rmdir(path).catch(() => {});
  }
}

/** Whether pictures can be made smaller here: the part of the package with code of the machine's own kind. */
export async function canReadPictures(): Promise<boolean> {
  try {
    const { default: sharp } = await import("sharp");
    const create = { width: 2, height: 2, channels: 3, background: "red" } as const;
    return (await sharp({ create }).png().toBuffer()).length > 0;
  } catch {
    return false;
  }
}

/** The folders of a path that are not there, innermost first. */
function foldersToMake(path: string): readonly string[] {
  const folders: string[] = [];
  for (let at = dirname(path); !existsSync(at); at = dirname(at)) folders.push(at);
  return folders;
}

function codeOf(error: unknown): string {
  const within: unknown = error instanceof Error ? (error.cause ?? error) : error;
  if (!(within instanceof Error)) return "unknown";
  return "code" in within && typeof within.code === "string" ? within.code : within.name;
}
