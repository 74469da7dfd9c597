import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { FSDriver } from "flydrive/drivers/fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase } from "../testing/test-database.ts";
import { startS3Server } from "../../test/attachments/s3-server.ts";
import { createFileStorage, objectNames } from "./file-storage.ts";

const folder = join(tmpdir(), `countersign-storage-${randomUUID()}`);
const local = join(tmpdir(), `countersign-local-${randomUUID()}.txt`);
beforeAll(() => writeFile(local, "what it says"));
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await rm(local, { force: true });
});

test("in a folder a file is kept under random names, read again, and deleted with all that was made of it", async () => {
  const storage = createFileStorage({ folder });
  const [key, other] = [randomUUID(), randomUUID()];
  for (const toName of Object.values(objectNames)) await storage.put(toName(key), local, "text/plain");
  await storage.put(objectNames.original(other), local, "text/plain");
  const stream = await storage.get(objectNames.thumbnail(key));
  expect(stream && (await text(stream))).toBe("what it says");
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const { name } of entries.filter((one) => one.isFile())) {
    expect(name).toMatch(/^[0-9a-f-]{36}(?:\.picture|\.thumbnail)?$/);
  }
  await storage.removeOne(objectNames.original(key));
  expect(await storage.get(objectNames.original(key))).toBeNull();
  await storage.remove(key);
  await storage.remove(key);
  expect(await storage.get(objectNames.picture(key))).toBeNull();
  expect(await storage.get(objectNames.original(other))).not.toBeNull();
});

test("so it is in a bucket of an S3-compatible service", async () => {
  const s3 = await startS3Server();
  const program = fileURLToPath(new URL("../../test/attachments/s3-round-trip.ts", import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [program, s3.endpoint, local]);
  expect(JSON.parse(stdout)).toEqual({ read: "what it says", gone: true });
  expect([...s3.objects.keys()]).toEqual(["/files/7c/7c1de1f4-3e2f-4b39-8a3c-5d0f6f1f2a22"]);
  await s3.close();
});

test("files in a bucket are received, read, handed out and deleted, and nothing of them stays there", async () => {
  const db = await createTestDatabase();
  const program = fileURLToPath(new URL("../../test/attachments/s3-room.ts", import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [program, db.connectionString]);
  expect(JSON.parse(stdout)).toEqual({
    ...{ said: "what it says", small: "WEBP", picture: "PNG", bad: "unreadable" },
    broken: { ok: false, reason: "upload_broken" },
    afterReading: ["", ".picture", ".thumbnail"],
    afterRemoving: [".picture", ".thumbnail"],
    ...{ afterChat: [], waiting: 0 },
  });
  await db.drop();
});

test("what was never there is nothing", async () => {
  expect(await createFileStorage({ folder }).get(objectNames.picture(randomUUID()))).toBeNull();
});

test("a driver of the host's own is taken as it is", async () => {
  const storage = createFileStorage({ driver: new FSDriver({ location: folder, visibility: "private" }) });
  const name = objectNames.original(randomUUID());
  await storage.put(name, local, "text/plain");
  const stream = await storage.get(name);
  expect(stream && (await text(stream))).toBe("what it says");
});
