// Keeps a file in a bucket, reads it, deletes it, and prints what it saw. A process of its own: the test runner's way of
// finding packages picks builds of the S3 client that Node cannot load.
import { text } from "node:stream/consumers";
import { createFileStorage, objectNames } from "../../src/attachment/file-storage.ts";

const [endpoint = "", path = ""] = process.argv.slice(2);
const storage = createFileStorage({
  s3: {
    ...{ bucket: "files", region: "auto", endpoint, forcePathStyle: true, supportsACL: false },
    credentials: { accessKeyId: "id", secretAccessKey: "secret" },
  },
});
const key = "0b6cf0a2-95a4-4a52-9b64-3a5e2b3a1c11";
const other = "7c1de1f4-3e2f-4b39-8a3c-5d0f6f1f2a22";
for (const toName of Object.values(objectNames)) await storage.put(toName(key), path, "text/plain");
await storage.put(objectNames.original(other), path, "text/plain");
const stream = await storage.get(objectNames.thumbnail(key));
const read = stream === null ? null : await text(stream);
await storage.removeOne(objectNames.original(key));
const gone = (await storage.get(objectNames.original(key))) === null;
await storage.remove(key);
await storage.remove(key);
console.log(JSON.stringify({ read, gone }));
