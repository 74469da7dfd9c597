import { randomUUID } from "node:crypto";
import { readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text as textOf } from "node:stream/consumers";
import { FSDriver } from "flydrive/drivers/fs";
import { upload, uploaded, waitingOf } from "../../test/attachments/uploads.ts";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { sql } from "../database/sql.ts";
import { silentLogger } from "../logger.ts";
import { createTestDatabase, type TestDatabase } from "../testing/test-database.ts";
import { createTurnScenes, type TurnScene, type TurnScenes } from "../testing/turn-scene.ts";
import { createReadQueue } from "./read-queue.ts";
import { toPng } from "../../test/attachments/made-files.ts";

let db: TestDatabase;
let scenes: TurnScenes;
beforeAll(async () => {
  db = await createTestDatabase();
  scenes = createTurnScenes(() => db.connectionString);
});
afterEach(() => scenes.close());
afterAll(() => db.drop());

function link(scene: TurnScene, ids: readonly string[], messageId: string = randomUUID()): Promise<boolean> {
  const { userId, conversationId } = scene;
  return scene.node.database.transaction((on) =>
    scene.node.attachments.link(on, { userId, conversationId, messageId, ids }),
  );
}

async function rowsOf(scene: TurnScene): Promise<number> {
  return (await db.database.query(sql`select from attachments where user_id = ${scene.userId}`)).length;
}

describe("A file that is uploaded", () => {
  test("is received, read, and waits for its message", async () => {
    const scene = await scenes.open([]);
    const file = await uploaded(scene, "Total: 12", { name: "../notes.txt" });
    expect(file).toMatchObject({
      name: "notes.txt",
      type: "text/plain",
      size: 9,
      state: "ready",
      code: null,
      picture: false,
    });
    const opened = await scene.node.attachments.download(scene.ref, { attachmentId: file.id, thumbnail: false });
    expect(opened).toMatchObject({ ok: true, name: "notes.txt", inline: false });
    expect(opened.ok && (await textOf(opened.stream))).toBe("Total: 12");
  });

  test("as a picture is kept as it was made anew, and its original is gone", async () => {
    const folder = join(tmpdir(), `countersign-test-${randomUUID()}`);
    const scene = await scenes.open([], { storage: { folder } });
    const file = await uploaded(scene, toPng(20, 10), { name: "p.png" });
    expect(file).toMatchObject({ type: "image/png", picture: true, state: "ready" });
    const kept = (await readdir(folder, { recursive: true })).filter((name) => name.includes("."));
    expect(new Set(kept.map((name) => name.split(".").at(-1)))).toEqual(new Set(["picture", "thumbnail"]));
    const small = await scene.node.attachments.download(scene.ref, { attachmentId: file.id, thumbnail: true });
    expect(small).toMatchObject({ ok: true, type: "image/webp", inline: true });
  });

  test("that cannot be read says why, and nothing of it is kept", async () => {
    const folder = join(tmpdir(), `countersign-test-${randomUUID()}`);
    const scene = await scenes.open([], { storage: { folder } });
    const file = await uploaded(scene, "%PDF-1.7 and nothing");
    expect(file).toMatchObject({ state: "failed", code: "unreadable", again: false });
    const kept = await readdir(folder, { recursive: true, withFileTypes: true });
    expect(kept.filter((entry) => entry.isFile())).toEqual([]);
  });

  test("of a type that an admin does not allow is not taken", async () => {
    const scene = await scenes.open([], { settings: { attachmentTypes: "pdf, png" } });
    expect(await uploaded(scene, "plain words")).toMatchObject({ state: "failed", code: "unsupported_type" });
    expect(await uploaded(scene, toPng(2, 2))).toMatchObject({ state: "ready" });
  });

  test("takes its turn fairly: one user's many files let another's through", async () => {
    const order: string[] = [];
    const queue = createReadQueue({ atOnce: 2, logger: silentLogger });
    const gate = Promise.withResolvers<void>();
    const work = (who: string) => queue.add(who, async () => (order.push(who), gate.promise));
    const all = [work("anna"), work("anna"), work("anna"), work("ben")];
    expect(order).toEqual(["anna", "anna"]);
    gate.resolve();
    await Promise.all(all);
    expect(order).toEqual(["anna", "anna", "ben", "anna"]);
  });
});

describe("An upload is refused and leaves nothing", () => {
  test("when it is empty, or larger than it may be: by what it says, or by what comes", async () => {
    const scene = await scenes.open([], { settings: { attachmentBytes: 2_000 } });
    expect(await upload(scene, "")).toEqual({ ok: false, reason: "file_empty" });
    expect(await upload(scene, "x", { size: 2_001 })).toEqual({ ok: false, reason: "file_too_large" });
    let pieces = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        pieces += 1;
        controller.enqueue(new Uint8Array(1_000));
      },
    });
    expect(await upload(scene, endless)).toEqual({ ok: false, reason: "file_too_large" });
    expect(pieces).toBeLessThan(100);
    expect(await rowsOf(scene)).toBe(0);
  });

  test("when it breaks off, or comes shorter or longer than it said", async () => {
    const scene = await scenes.open([]);
    const gone = new AbortController();
    const stuck = new ReadableStream<Uint8Array>({ start: (controller) => controller.enqueue(new Uint8Array(10)) });
    const broken = upload(scene, stuck, { signal: gone.signal });
    gone.abort();
    expect(await broken).toEqual({ ok: false, reason: "upload_broken" });
    expect(await upload(scene, "short", { size: 100 })).toEqual({ ok: false, reason: "upload_broken" });
    expect(await upload(scene, "too long", { size: 3 })).toEqual({ ok: false, reason: "file_too_large" });
    await scene.node.attachments.idle();
    expect(await rowsOf(scene)).toBe(0);
  });

  test("when its sender left before it was answered: sent once more, it would be there twice", async () => {
    const folder = join(tmpdir(), `countersign-test-${randomUUID()}`);
    const gone = new AbortController();
    class LeavesThen extends FSDriver {
      override async putStream(...given: Parameters<FSDriver["putStream"]>): Promise<void> {
        await super.putStream(...given);
        gone.abort();
      }
    }
    const driver = new LeavesThen({ location: folder, visibility: "private" });
    const scene = await scenes.open([], { storage: { driver } });
    expect(await upload(scene, "whole", { signal: gone.signal })).toEqual({ ok: false, reason: "upload_broken" });
    await scene.node.attachments.idle();
    expect(await rowsOf(scene)).toBe(0);
    const kept = await readdir(folder, { recursive: true, withFileTypes: true });
    expect(kept.filter((entry) => entry.isFile())).toEqual([]);
    await rm(folder, { recursive: true });
  });

  test("when as many files wait as a message may have, also of those that come at once", async () => {
    const scene = await scenes.open([], { settings: { attachmentsPerMessage: 2 } });
    const answers = await Promise.all([1, 2, 3, 4].map((n) => upload(scene, `file ${n}`)));
    expect(answers.filter(({ ok }) => ok)).toHaveLength(2);
    expect(answers.filter((answer) => !answer.ok && answer.reason === "too_many_files")).toHaveLength(2);
  });

  test("when the user's waiting files would take too much, over all chats", async () => {
    const scene = await scenes.open([], { settings: { attachmentsWaitingBytes: 2_500 } });
    const other = await scene.node.chat.createConversation(scene.ref);
    const conversationId = other.ok ? other.conversation.id : "";
    const body = "x".repeat(1_000);
    await uploaded(scene, body, { size: 1_000 });
    expect(await upload(scene, body, { size: 1_000, conversationId })).toMatchObject({ ok: true });
    expect(await upload(scene, body, { size: 1_000 })).toEqual({ ok: false, reason: "too_much_waiting" });
    const [first] = await waitingOf(scene);
    await scene.node.attachments.remove(scene.ref, { attachmentId: first?.id ?? "" });
    expect(await upload(scene, body, { size: 1_000 })).toMatchObject({ ok: true });
  });

  test("while the server shuts down, and into another user's chat", async () => {
    const scene = await scenes.open([]);
    const foreign = await scenes.open([], { sessions: scene.sessions });
    expect(await upload(scene, "x", { ref: foreign.ref })).toEqual({ ok: false, reason: "not_found" });
    scene.node.attachments.drain();
    expect(await upload(scene, "x")).toEqual({ ok: false, reason: "shutting_down" });
  });
});

describe("A file is its owner's", () => {
  test("to nobody else it is there", async () => {
    const scene = await scenes.open([]);
    const other = await scenes.open([], { sessions: scene.sessions });
    const { id: attachmentId } = await uploaded(scene, "mine");
    const missing = { ok: false, reason: "not_found" };
    const { attachments } = scene.node;
    expect(await attachments.download(other.ref, { attachmentId, thumbnail: false })).toEqual(missing);
    expect(await attachments.remove(other.ref, { attachmentId })).toEqual(missing);
    expect(await attachments.readAgain(other.ref, { attachmentId })).toEqual(missing);
    expect(await attachments.waiting(other.ref, scene)).toEqual(missing);
    const { userId, conversationId } = other;
    expect(await attachments.findReady(userId, { conversationId, ids: [attachmentId] })).toBeNull();
    const messageId = randomUUID();
    const stolen = scene.node.database.transaction((on) =>
      attachments.link(on, { userId, conversationId, messageId, ids: [attachmentId] }),
    );
    expect(await stolen).toBe(false);
  });

  test("a deleted chat's are gone with it at once", async () => {
    const scene = await scenes.open([]);
    const { id: attachmentId } = await uploaded(scene, "mine");
    await scene.node.chat.removeConversation(scene.ref, scene);
    expect(await scene.node.attachments.download(scene.ref, { attachmentId, thumbnail: false })).toEqual({
      ok: false,
      reason: "not_found",
    });
  });

  test("once sent, it can no longer be taken away; given back, it waits anew", async () => {
    const scene = await scenes.open([]);
    const { id: attachmentId } = await uploaded(scene, "words");
    const messageId = randomUUID();
    expect(await link(scene, [attachmentId], messageId)).toBe(true);
    expect(await link(scene, [attachmentId])).toBe(false);
    expect(await waitingOf(scene)).toEqual([]);
    expect(await scene.node.attachments.remove(scene.ref, { attachmentId })).toEqual({
      ok: false,
      reason: "file_sent",
    });
    const texts = await scene.node.attachments.texts(scene.userId, [messageId]);
    expect(texts.get(messageId)).toMatchObject([{ text: "words", cut: false }]);
    await scene.node.database.transaction((on) =>
      scene.node.attachments.giveBack(on, { userId: scene.userId, messageId }),
    );
    expect(await waitingOf(scene)).toMatchObject([{ id: attachmentId, state: "ready" }]);
  });
});
