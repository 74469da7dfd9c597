// Receives, reads, hands out and deletes files that are kept in a bucket, and prints what it saw. A process of its own,
// for the reason that s3-round-trip.ts has.
import { randomUUID } from "node:crypto";
import { buffer, text } from "node:stream/consumers";
import { createTurnScene } from "../../src/testing/turn-scene.ts";
import { toPng } from "./made-files.ts";
import { startS3Server } from "./s3-server.ts";
import { upload, uploaded, waitingOf } from "./uploads.ts";

const [connectionString = ""] = process.argv.slice(2);
const s3 = await startS3Server();
const scene = await createTurnScene(connectionString, [], {
  storage: {
    s3: {
      ...{ bucket: "files", region: "auto", endpoint: s3.endpoint, forcePathStyle: true, supportsACL: false },
      credentials: { accessKeyId: "id", secretAccessKey: "secret" },
    },
  },
});
const { attachments, database } = scene.node;
const { ref, userId, conversationId } = scene;
const kept = (): readonly string[] =>
  [...s3.objects.keys()].map((name) => name.replace(/^.*[0-9a-f]{12}/, "")).toSorted();
async function read(attachmentId: string, thumbnail = false): Promise<ReadableStream<Uint8Array>> {
  const answer = await attachments.download(ref, { attachmentId, thumbnail });
  if (!answer.ok) throw new Error(answer.reason);
  return answer.stream;
}

const words = await uploaded(scene, "what it says", { name: "words.txt" });
const picture = await uploaded(scene, toPng(40, 20), { name: "p.png" });
const bad = await uploaded(scene, "%PDF-1.7 and nothing");
const afterReading = kept();
const said = await text(await read(words.id));
const small = (await buffer(await read(picture.id, true))).subarray(8, 12).toString();
const [made] = await attachments.pictures(userId, {
  files: [{ id: picture.id, name: "p.png", type: "image/png", size: 1, picture: true }],
});
const gone = new AbortController();
const broken = upload(scene, new ReadableStream({ start: (to) => to.enqueue(new Uint8Array(9)) }), {
  signal: gone.signal,
});
gone.abort();
const brokenAnswer = await broken;
await attachments.remove(ref, { attachmentId: words.id });
const afterRemoving = kept();
await database.transaction((on) =>
  attachments.link(on, { userId, conversationId, messageId: randomUUID(), ids: [picture.id] }),
);
await attachments.forgetChat(userId, conversationId);
const waiting = (await waitingOf(scene)).length;
const afterChat = kept();
await scene.close();
await s3.close();
console.log(
  JSON.stringify({
    ...{ said, small, picture: made?.bytes?.subarray(1, 4).toString(), bad: bad.code, broken: brokenAnswer },
    ...{ afterReading, afterRemoving, afterChat, waiting },
  }),
);
process.exit(0);
