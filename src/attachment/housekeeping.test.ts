import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { upload, uploaded, waitingOf } from "../../test/attachments/uploads.ts";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { sql } from "../database/sql.ts";
import { createTestDatabase, type TestDatabase } from "../testing/test-database.ts";
import { createTurnScenes, type TurnScene, type TurnScenes } from "../testing/turn-scene.ts";
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

describe("What dies in between", () => {
  const lapse = (scene: TurnScene, state: "uploading" | "reading", stored: boolean) =>
    db.database.query(sql`
update attachments set state = ${state}, type = null, stored = ${stored}, lease = gen_random_uuid(), leased_until = clock_timestamp() - interval '1 second'
where user_id = ${scene.userId}`);

  test("reads as interrupted, and can be read again if it was received whole", async () => {
    const scene = await scenes.open([]);
    const { id: attachmentId } = await uploaded(scene, "read me twice");
    await lapse(scene, "reading", true);
    await scene.node.attachments.sweep();
    expect(await waitingOf(scene)).toMatchObject([{ state: "failed", code: "interrupted", again: true }]);
    expect(await scene.node.attachments.readAgain(scene.ref, { attachmentId })).toMatchObject({ ok: true });
    expect(await scene.node.attachments.readAgain(scene.ref, { attachmentId })).toEqual({
      ok: false,
      reason: "file_not_readable",
    });
    await scene.node.attachments.idle();
    expect(await waitingOf(scene)).toMatchObject([{ state: "ready", type: "text/plain" }]);
  });

  test("cannot be read again if it was not received whole", async () => {
    const scene = await scenes.open([]);
    const { id: attachmentId } = await uploaded(scene, "half");
    await lapse(scene, "uploading", false);
    await scene.node.attachments.sweep();
    expect(await waitingOf(scene)).toMatchObject([{ state: "failed", code: "interrupted", again: false }]);
    expect(await scene.node.attachments.readAgain(scene.ref, { attachmentId })).toEqual({
      ok: false,
      reason: "file_not_readable",
    });
  });

  test("a lease that is kept is left alone", async () => {
    const scene = await scenes.open([]);
    await uploaded(scene, "busy");
    await lapse(scene, "reading", true);
    await db.database.query(
      sql`update attachments set leased_until = clock_timestamp() + interval '1 minute' where user_id = ${scene.userId}`,
    );
    await scene.node.attachments.sweep();
    expect(await waitingOf(scene)).toMatchObject([{ state: "reading" }]);
  });

  test("a server that ends interrupts what it reads", async () => {
    const scene = await scenes.open([]);
    const answer = await upload(scene, "slow".repeat(10));
    expect(answer.ok).toBe(true);
    await lapse(scene, "reading", true);
    await db.database.query(
      sql`update attachments set state = 'failed', code = 'interrupted', lease = null, leased_until = null where user_id = ${scene.userId}`,
    );
    const { attachments } = scene.node;
    const id = answer.ok ? answer.attachment.id : "";
    expect(await attachments.readAgain(scene.ref, { attachmentId: id })).toMatchObject({ ok: true });
    await attachments.close();
    expect(await waitingOf(scene)).toMatchObject([{ state: "failed", code: "interrupted", again: true }]);
  });
});

test("a server that ends breaks off what is still being received, and leaves nothing of it", async () => {
  const scene = await scenes.open([]);
  const answer = upload(scene, new ReadableStream<Uint8Array>({ start: (to) => to.enqueue(new Uint8Array(10)) }));
  await expect.poll(() => rowsOf(scene)).toBe(1);
  await scene.node.attachments.close();
  expect(await answer).toEqual({ ok: false, reason: "upload_broken" });
  expect(await rowsOf(scene)).toBe(0);
});

test("what a server that died left in its folders to work in goes after a day", async () => {
  const scene = await scenes.open([]);
  const [old, fresh, foreign] = await Promise.all(
    ["countersign-file-", "countersign-file-", "countersign-other-"].map((name) => mkdtemp(join(tmpdir(), name))),
  );
  for (const folder of [old, foreign]) {
    await writeFile(join(folder ?? "", "original"), "half of a file");
    await utimes(folder ?? "", 0, 0);
  }
  await scene.node.attachments.sweep();
  expect([old, fresh, foreign].map((folder) => existsSync(folder ?? ""))).toEqual([false, true, true]);
  for (const folder of [fresh, foreign]) await rm(folder ?? "", { recursive: true });
});

describe("What is deleted", () => {
  const filesIn = async (folder: string): Promise<number> => {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).length;
  };

  test("files that were never sent go after a day; those given back begin anew, and those sent stay", async () => {
    const folder = join(tmpdir(), `countersign-test-${randomUUID()}`);
    const scene = await scenes.open([], { storage: { folder } });
    const old = await uploaded(scene, "old");
    const sent = await uploaded(scene, "sent");
    const back = await uploaded(scene, "back");
    const messageId = randomUUID();
    await link(scene, [back.id], messageId);
    await link(scene, [sent.id]);
    await db.database.query(sql`
update attachments set created_at = clock_timestamp() - interval '2 days',
  unlinked_at = unlinked_at - interval '25 hours' where user_id = ${scene.userId}`);
    await scene.node.database.transaction((on) =>
      scene.node.attachments.giveBack(on, { userId: scene.userId, messageId }),
    );
    await scene.node.attachments.sweep();
    expect((await waitingOf(scene)).map(({ id }) => id)).toEqual([back.id]);
    expect(old.id).not.toBe(back.id);
    expect(await rowsOf(scene)).toBe(2);
    expect(await filesIn(folder)).toBe(2);
  });

  test("with a chat that is beyond taking back go its files, and with a user all", async () => {
    const folder = join(tmpdir(), `countersign-test-${randomUUID()}`);
    const scene = await scenes.open([], { storage: { folder } });
    const file = await uploaded(scene, "sent");
    await link(scene, [file.id]);
    await uploaded(scene, toPng(3, 3));
    await scene.node.chat.removeConversation(scene.ref, scene);
    await scene.node.chat.sweepDeleted(scene.node.attachments.forgetChat);
    expect(await rowsOf(scene)).toBe(2);
    await db.database.query(
      sql`update conversations set deleted_at = clock_timestamp() - interval '2 days' where user_id = ${scene.userId}`,
    );
    await scene.node.chat.sweepDeleted(scene.node.attachments.forgetChat);
    expect(await rowsOf(scene)).toBe(0);
    expect(await filesIn(folder)).toBe(0);
    expect(await db.database.query(sql`select from conversations where user_id = ${scene.userId}`)).toEqual([]);

    const other = await scenes.open([], { storage: { folder } });
    await uploaded(other, "more");
    await other.node.attachments.forgetUser(other.userId);
    expect(await rowsOf(other)).toBe(0);
    expect(await filesIn(folder)).toBe(0);
  });
});
