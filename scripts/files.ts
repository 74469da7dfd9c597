// npm run files -- <folder>: uploads every file of a folder as a user would, one after another, and prints a line of JSON
// for each: what it was found to be and how it ended. Where the folder's parent has a MANIFEST.tsv, each end is judged by
// its row's "expected:"; the summary is the last line, and the exit code says whether all passed.
import { createReadStream } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { Readable } from "node:stream";
import { createTurnScene } from "../src/testing/turn-scene.ts";
import { createTestDatabase } from "../src/testing/test-database.ts";
import { expectationsOf, isAsExpected, type FileEnd } from "./file-expectations.ts";

const folder = resolve(process.argv[2] ?? ".");
const expected = await expectationsOf(folder);
const read = new Map<string, { readonly ms: number; readonly peakBytes: number | null }>();
const base = await createTestDatabase();
const silent = (): void => {};
const debug = (fields: object): void => {
  const { attachmentId, ms, peakBytes } = fields as { attachmentId?: string; ms: number; peakBytes: number | null };
  if (attachmentId !== undefined) read.set(attachmentId, { ms, peakBytes });
};
const scene = await createTurnScene(base.connectionString, [], {
  logger: { debug, info: silent, warn: silent, error: silent },
});
const { attachments } = scene.node;

let passed = 0;
let failed = 0;
for (const file of (await readdir(folder)).toSorted()) {
  const path = join(folder, file);
  if (!(await stat(path)).isFile()) continue;
  const end = await uploadOne(path);
  const expectation = expected?.get(file);
  const isRight = expected === null || (expectation !== undefined && isAsExpected(end, expectation));
  if (isRight) passed += 1;
  else failed += 1;
  const { text, ...shown } = end;
  console.log(
    JSON.stringify({
      file,
      ...shown,
      text_chars: text?.length ?? null,
      ...(!isRight && { expected: expectation ?? "no row" }),
    }),
  );
}
await scene.close();
await base.drop();
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

async function uploadOne(path: string): Promise<FileEnd> {
  const began = performance.now();
  const answer = await attachments.upload(scene.ref, {
    conversationId: scene.conversationId,
    name: basename(path),
    size: (await stat(path)).size,
    // The web's stream and Node's are the same at run time.
    body: Readable.toWeb(createReadStream(path)) as ReadableStream<Uint8Array>,
    signal: new AbortController().signal,
  });
  await attachments.idle();
  const ms = Math.round(performance.now() - began);
  if (!answer.ok) return { type: null, state: "refused", code: answer.reason, ms, peak_mb: null, text: null };
  const { id } = answer.attachment;
  const waiting = await attachments.waiting(scene.ref, scene);
  const found = waiting.ok ? waiting.attachments.find((one) => one.id === id) : undefined;
  const peak = read.get(id)?.peakBytes ?? null;
  const text = await textOf(id);
  await attachments.remove(scene.ref, { attachmentId: id });
  return {
    type: found?.type ?? null,
    state: found?.state ?? "gone",
    code: found?.code ?? null,
    ms,
    peak_mb: peak === null ? null : Math.round(peak / 1_048_576),
    text,
  };
}

/** What a model would be told of it: links it to a message that is none, for as long as it is looked at. */
async function textOf(id: string): Promise<string | null> {
  const messageId = crypto.randomUUID();
  const { database } = scene.node;
  const { userId, conversationId } = scene;
  await database.transaction((on) => attachments.link(on, { userId, conversationId, messageId, ids: [id] }));
  const texts = await attachments.texts(userId, [messageId]);
  await database.transaction((on) => attachments.giveBack(on, { userId, messageId }));
  return texts.get(messageId)?.[0]?.text ?? null;
}
