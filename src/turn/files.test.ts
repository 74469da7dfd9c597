import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { toPage, toPng } from "../../test/attachments/made-files.ts";
import { upload, uploaded, waitingOf } from "../../test/attachments/uploads.ts";
import { sql } from "../database/sql.ts";
import { scriptedModel, type ScriptedModel, type ScriptedRequest } from "../testing/scripted-model.ts";
import { createTestDatabase, type TestDatabase } from "../testing/test-database.ts";
import { createTurnScenes } from "../testing/turn-scene.ts";
import type { TurnScene } from "../testing/turn-scene.ts";

let db: TestDatabase;
const scenes = createTurnScenes(() => db.connectionString);
beforeAll(async () => {
  db = await createTestDatabase();
});
afterEach(() => scenes.close());
afterAll(() => db.drop());

const seeing = { endpoint: { images: true } };

async function ask(scene: TurnScene, text: string, attachmentIds: readonly string[]): Promise<readonly string[]> {
  await scene.start(text, { attachmentIds });
  await scene.node.turns.idle();
  return scene.told();
}

/** Each user message that was sent: its text, and the media types of its pictures. */
function sentOf(
  request: ScriptedRequest | undefined,
): readonly { readonly text: string; readonly pictures: readonly string[] }[] {
  return (request?.options.prompt ?? []).flatMap((message) => {
    if (message.role !== "user") return [];
    const text = message.content.map((part) => (part.type === "text" ? part.text : "")).join("");
    return [{ text, pictures: message.content.flatMap((part) => (part.type === "file" ? [part.mediaType] : [])) }];
  });
}

const lastSent = (model: ScriptedModel, nth = -1) => sentOf(model.requests.at(nth)).at(-1);

async function filesOf(scene: TurnScene): Promise<readonly unknown[]> {
  return db.database.query(
    sql`select text, files from messages where user_id = ${scene.userId} and role = 'user' order by seq`,
  );
}

describe("A message with files", () => {
  test("is stored with them, and a model reads their text by their names", async () => {
    const scene = await scenes.open(["It is 12."]);
    const pdf = await uploaded(scene, toPage("BT /F 12 Tf (Total due: 12) Tj ET"), { name: "bill.pdf" });
    const csv = await uploaded(scene, "id;sum\n1;12\n2;0\n", { name: "sums.csv" });
    expect(await ask(scene, "How much?", [pdf.id, csv.id])).toEqual(["user: How much?", "assistant: It is 12."]);
    const sent = lastSent(scene.model);
    expect(sent?.text).toContain("How much?");
    expect(sent?.text).toContain('File 1 of 2: "bill.pdf" (application/pdf)');
    expect(sent?.text).toContain("Total due: 12");
    expect(sent?.text).toContain("id;sum\n1;12");
    expect(sent?.pictures).toEqual([]);
    expect(await filesOf(scene)).toEqual([
      {
        text: "How much?",
        files: [pdf, csv].map(({ id, name, type, size }) => ({ id, name, type, size, picture: false })),
      },
    ]);
    expect(await waitingOf(scene)).toEqual([]);
  });

  test("may be without text, and gives the chat its name", async () => {
    const scene = await scenes.open(["I see."]);
    const { id } = await uploaded(scene, "words", { name: "list.txt" });
    expect(await ask(scene, "  ", [id])).toEqual(["user:   ", "assistant: I see."]);
    const chats = await scene.node.chat.conversations(scene.ref, {});
    expect(chats).toMatchObject({ conversations: [{ title: "list.txt" }] });
  });

  test("is told to those who watch with what it was sent with", async () => {
    const scene = await scenes.open(["Yes."]);
    const { id } = await uploaded(scene, "words", { name: "list.txt" });
    const events = await scene.watch();
    await ask(scene, "Look", [id]);
    expect(events.find((event) => event.type === "message" && event.message.role === "user")).toMatchObject({
      message: { text: "Look", files: [{ id, name: "list.txt", type: "text/plain", size: 5, picture: false }] },
    });
  });

  test("has its text again in later turns, and all its files together no more than `attachmentChars`", async () => {
    const scene = await scenes.open(["One.", "Two."], { settings: { attachmentChars: 1_000 } });
    const long = await uploaded(scene, "long ".repeat(400), { name: "long.txt" });
    const short = await uploaded(scene, "short words", { name: "short.txt" });
    await ask(scene, "First", [long.id, short.id]);
    await ask(scene, "Second", []);
    const [first, second] = sentOf(scene.model.requests.at(-1));
    expect(first?.text).toContain("short words");
    expect(first?.text).toContain("The file goes on; the rest was left out.");
    expect(first?.text.match(/long /g)?.length).toBeLessThanOrEqual(200);
    expect(second?.text).toBe("Second");
  });

  test("says of a file without text that there is none", async () => {
    const scene = await scenes.open(["Nothing."]);
    const { id } = await uploaded(scene, toPage(""), { name: "scan.pdf" });
    await ask(scene, "Read it", [id]);
    expect(lastSent(scene.model)?.text).toContain("There is no text in this file");
  });
});

describe("A start that names a file which cannot be sent is refused, and stores nothing", () => {
  test.each([
    ["one that failed", "%PDF-1.7 broken", undefined],
    ["one of nobody", null, "00000000-0000-4000-8000-000000000000"],
  ])("%s", async (_what, content, named) => {
    const scene = await scenes.open([]);
    const id = named ?? (await uploaded(scene, content ?? "")).id;
    expect(await scene.tryStart("Hi", { attachmentIds: [id] })).toEqual({ ok: false, reason: "attachment_invalid" });
    expect(await scene.messages()).toEqual([]);
    expect(await scene.node.chat.lockNow(scene.userId)).toBeNull();
  });

  test("one that was sent already, one named twice, more than a message may have", async () => {
    const scene = await scenes.open(["Yes."], { settings: { attachmentsPerMessage: 2 } });
    const first = await uploaded(scene, "1");
    await ask(scene, "Take it", [first.id]);
    const invalid = { ok: false, reason: "attachment_invalid" };
    expect(await scene.tryStart("Again", { attachmentIds: [first.id] })).toEqual(invalid);
    const second = await uploaded(scene, "2");
    expect(await scene.tryStart("Twice", { attachmentIds: [second.id, second.id] })).toEqual(invalid);
    expect(await scene.tryStart("Many", { attachmentIds: [second.id, first.id, first.id] })).toEqual(invalid);
  });

  test("said before the user's own limit is", async () => {
    const scene = await scenes.open(["Yes."], { settings: { turnsPerHour: 1 } });
    const { id } = await uploaded(scene, "words");
    await ask(scene, "First", [id]);
    expect(await scene.tryStart("Second", { attachmentIds: [id] })).toEqual({
      ok: false,
      reason: "attachment_invalid",
    });
    expect(await scene.tryStart("Second")).toMatchObject({ reason: "turn_limit" });
  });

  test("an empty message is one without text and without files", async () => {
    const scene = await scenes.open([]);
    expect(await scene.tryStart(" ", { attachmentIds: [] })).toEqual({ ok: false, reason: "empty_message" });
  });

  test("a file taken away after the start: nothing is stored, and the composer keeps its text", async () => {
    const before = { storeQuestion: async () => scene.node.attachments.remove(scene.ref, { attachmentId: gone.id }) };
    const scene: TurnScene = await scenes.open([], { before });
    const stays = await uploaded(scene, "stays");
    const gone = await uploaded(scene, "goes");
    const events = await scene.watch();
    await ask(scene, "Take both", [stays.id, gone.id]);
    expect(await scene.messages()).toEqual([]);
    expect(await waitingOf(scene)).toMatchObject([{ id: stays.id, state: "ready" }]);
    expect(events.findLast(({ type }) => type === "turn_ended")).toMatchObject({ asked: false });
  });
});

describe("Pictures", () => {
  const picture = (scene: TurnScene, name = "shot.png") => uploaded(scene, toPng(8, 8), { name });

  test("are image parts in every round of their own turn, and a name in the next", async () => {
    const rounds = [{ text: "Wait.", finish: "pause" }, "A square.", "Still."] as const;
    const scene = await scenes.open(rounds, seeing);
    const { id } = await picture(scene);
    await ask(scene, "What is it?", [id]);
    await ask(scene, "Sure?", []);
    const sent = scene.model.requests.map((request) => sentOf(request).map(({ pictures }) => pictures));
    expect(sent[0]).toEqual([["image/png"]]);
    expect(sent[1]?.[0]).toEqual(["image/png"]);
    expect(sent[2]).toEqual([[], []]);
    expect(sentOf(scene.model.requests[2])[0]?.text).toContain('"shot.png" (image/png)');
  });

  test("are never captured into the journal", async () => {
    const scene = await scenes.open(["A square.", "Plain."], { ...seeing, settings: { captureContent: true } });
    const { id } = await picture(scene);
    await ask(scene, "What is it?", [id]);
    await ask(scene, "And?", []);
    const rows = await db.database.query<{ content: unknown }>(
      sql`select content from ai_requests where user_id = ${scene.userId} order by id`,
    );
    expect(rows[0]?.content).toBeNull();
    expect(rows[1]?.content).not.toBeNull();
  });

  test("go back to the composer when the model is not known to see them: it is not called", async () => {
    const scene = await scenes.open([]);
    const text = await uploaded(scene, "words");
    const { id } = await picture(scene);
    expect(await ask(scene, "What is it?", [text.id, id])).toEqual(["user: What is it?", "notice: pictures_not_seen"]);
    expect(scene.model.requests).toEqual([]);
    expect((await waitingOf(scene)).map((file) => file.id)).toEqual([text.id, id]);
    expect(await filesOf(scene)).toEqual([{ text: "What is it?", files: null }]);
  });

  test("alone in such a message leave words in its place", async () => {
    const scene = await scenes.open([]);
    const { id } = await picture(scene);
    expect(await ask(scene, "", [id])).toEqual(["user: (files taken back)", "notice: pictures_not_seen"]);
  });

  test.each([400, 413, 415, 422])("refused with status %i on the first call, the files go back", async (status) => {
    const scene = await scenes.open(
      [{ fail: { status, body: { error: { message: "unknown variant image_url" } } } }],
      seeing,
    );
    const { id } = await picture(scene);
    const events = await scene.watch();
    expect(await ask(scene, "", [id])).toEqual(["user: (files taken back)", "notice: pictures_taken_back"]);
    expect(await waitingOf(scene)).toMatchObject([{ id, state: "ready" }]);
    expect(await filesOf(scene)).toEqual([{ text: "(files taken back)", files: null }]);
    expect(events.find(({ type }) => type === "message_changed")).toMatchObject({
      message: { role: "user", text: "(files taken back)", files: [] },
    });
  });

  test.each([
    [
      "a key that is not accepted",
      400,
      { error: { code: "invalid_api_key", message: "Incorrect API key" } },
      "auth_failed",
    ],
    ["no credit", 400, { error: { message: "credit balance too low" } }, "payment_required"],
    ["an unknown model", 400, { error: { code: "model_not_found", message: "x" } }, "model_not_found"],
    ["a 404", 404, { error: { message: "Cannot POST" } }, "image_not_supported"],
    ["a fault of the provider", 500, { error: { message: "image input is not supported" } }, "image_not_supported"],
  ])("stay with their message after %s", async (...[, status, body, code]) => {
    const scene = await scenes.open({ always: { fail: { status, body } } }, seeing);
    const { id } = await picture(scene);
    expect(await ask(scene, "See", [id])).toEqual(["user: See", `notice: ${code}`]);
    expect(await waitingOf(scene)).toEqual([]);
  });

  test("stay with their message when a later call is refused", async () => {
    const fail = { status: 400, body: { error: { message: "the image could not be processed" } } };
    const scene = await scenes.open([{ text: "Wait.", finish: "pause" }, { fail }], seeing);
    const { id } = await picture(scene);
    const told = await ask(scene, "See", [id]);
    expect(told.at(-1)).toBe("notice: image_rejected");
    expect(await waitingOf(scene)).toEqual([]);
  });

  test("a message without pictures keeps its files when it is refused", async () => {
    const scene = await scenes.open({ always: { fail: { status: 415 } } }, seeing);
    const { id } = await uploaded(scene, "words");
    expect((await ask(scene, "See", [id])).at(-1)).toBe("notice: api_error");
    expect(await waitingOf(scene)).toEqual([]);
  });

  test("that cannot be made are a note in the text", async () => {
    const scene = await scenes.open(["I see one."], seeing);
    const [lost, kept] = [await picture(scene, "lost.png"), await picture(scene, "kept.png")];
    await db.database.query(sql`update attachments set storage_key = gen_random_uuid() where id = ${lost.id}::uuid`);
    await ask(scene, "See", [lost.id, kept.id]);
    expect(lastSent(scene.model)?.pictures).toEqual(["image/png"]);
    expect(lastSent(scene.model)?.text).toContain('(The picture "lost.png" could not be made and is not shown.)');
  });

  test("are a note for a model of a later round that cannot see them", async () => {
    const between = () => scene.node.settings.setSite({ pictureEndpoint: null });
    const eyes = scriptedModel([{ text: "Wait.", finish: "pause", between }]);
    const seeingOther = { name: "eyes", provider: "openai", model: "eyes", images: true, languageModel: eyes } as const;
    const scene: TurnScene = await scenes.open(["Done."], { others: [seeingOther] });
    await scene.node.settings.setSite({ pictureEndpoint: "eyes" });
    const { id } = await picture(scene);
    expect((await ask(scene, "See", [id])).at(-1)).toBe("assistant: Done.");
    expect(lastSent(eyes)?.pictures).toEqual(["image/png"]);
    const [asked] = sentOf(scene.model.requests[0]);
    expect(asked?.pictures).toEqual([]);
    expect(asked?.text).toContain("is not shown: the model that answers now cannot see pictures");
  });
});

test("an upload under way does not hold up a turn", async () => {
  const scene = await scenes.open(["Hello."]);
  const stopped = new AbortController();
  const slow = upload(scene, new ReadableStream<Uint8Array>(), { signal: stopped.signal });
  expect((await ask(scene, "Hi", [])).at(-1)).toBe("assistant: Hello.");
  stopped.abort();
  expect(await slow).toMatchObject({ ok: false });
});
