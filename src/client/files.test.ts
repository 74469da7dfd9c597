import { afterEach, expect, test } from "vitest";
import { askedOf, closeAll, startClient, startInChat, until } from "../../test/client-setup.ts";
import { patient } from "../../test/patient.ts";
import type { Attachment } from "../wire/api.ts";
import { me, notice, toChat } from "../../test/fixtures.ts";
import { problem } from "../../test/scripted-assistant.ts";
import { createFiles } from "./files.ts";
import type { Files, FileView } from "./files.ts";

const stops: (() => void)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) stop();
  await closeAll();
});

function follow(files: Files): Files {
  stops.push(files.follow());
  return files;
}

const here = (files: Files, key = "c1"): readonly FileView[] => files.of(key);
const states = (files: Files, key = "c1"): readonly string[] => here(files, key).map(({ state }) => state);
const text = (name: string): File => new File([`what ${name} says`], name, { type: "text/plain" });

// No XMLHttpRequest here: the client is given a `fetch` of its own.
const options = { fetch: (input: string | URL | Request, init?: RequestInit) => fetch(input, init) };

test("files are sent as they are chosen, read, and sent along with the message", async () => {
  const { assistant, client } = await startInChat([toChat("c1")], options);
  const files = follow(createFiles(client));
  files.add([text("terms.txt"), text("prices.csv")]);
  expect(states(files)).toEqual(["uploading", "uploading"]);
  await expect.poll(() => states(files), patient).toEqual(["ready", "ready"]);
  client.setDraft("What changed?");
  await client.send(here(files).flatMap(({ id }) => (id === null ? [] : [id])));
  const { chat } = await until(client, (snapshot) => snapshot.chat.messages.length === 1);
  expect(chat.messages).toMatchObject([{ files: [{ name: "terms.txt" }, { name: "prices.csv" }] }]);
  await expect.poll(() => here(files), patient).toEqual([]);
  expect(askedOf(assistant, /POST .*attachments/)).toHaveLength(2);
});

test("a message may be files alone", async () => {
  const { client } = await startInChat([toChat("c1")], options);
  const files = follow(createFiles(client));
  files.add([text("terms.txt")]);
  await expect.poll(() => states(files), patient).toEqual(["ready"]);
  await client.send(["file-terms.txt"]);
  const { chat } = await until(client, (snapshot) => snapshot.chat.messages.length === 1);
  expect(chat).toMatchObject({ sending: "no", messages: [{ text: "" }] });
});

test("a file makes the row of a new chat, in which it waits", async () => {
  const { assistant, client } = await startClient([], options);
  const files = follow(createFiles(client));
  const { key } = client.getSnapshot().chat;
  files.add([text("terms.txt")]);
  await expect.poll(() => states(files, key), patient).toEqual(["ready"]);
  expect(client.getSnapshot().chat).toMatchObject({ key, id: "made-1" });
  expect(assistant.chats.size).toBe(1);
});

test("several files at once make one row of a new chat, and each is shown once", async () => {
  const { assistant, client } = await startClient([], options);
  const files = follow(createFiles(client));
  const { key } = client.getSnapshot().chat;
  // The second is still on its way when the first is looked at: the server knows of it already.
  const gate = Promise.withResolvers<null>();
  assistant.script(/POST .*attachments\?name=second/, () => gate.promise);
  files.add([text("first.txt"), text("second.txt")]);
  await expect.poll(() => states(files, key), patient).toEqual(["ready", "uploading"]);
  const early = { ...assistant.chats.get("made-1")?.files[0], id: "file-second.txt", name: "second.txt" };
  assistant.chats.get("made-1")?.files.push(early as Attachment);
  client.openChat(null);
  client.openChat("made-1");
  await expect.poll(() => askedOf(assistant, /GET .*attachments/).length, patient).toBeGreaterThan(1);
  expect(here(files, key).map(({ name }) => name)).toEqual(["first.txt", "second.txt"]);
  assistant.chats.get("made-1")?.files.pop();
  gate.resolve(null);
  await expect.poll(() => states(files, key), patient).toEqual(["ready", "ready"]);
  expect(assistant.chats.size).toBe(1);
});

test("what the limits do not allow is not sent at all", async () => {
  const { assistant, client } = await startInChat([toChat("c1")], options);
  const limits = { ...me.limits, attachmentBytes: 20, attachmentsPerMessage: 2, attachmentAccept: [] };
  if (assistant.me) assistant.me = { ...assistant.me, limits };
  client.retry();
  await until(client, (snapshot) => snapshot.me?.limits.attachmentBytes === 20);
  const files = follow(createFiles(client));
  files.add([new File([], "empty"), new File(["x".repeat(21)], "large"), text("third.txt")]);
  expect(here(files).map(({ code }) => code)).toEqual(["file_empty", "file_too_large", "too_many_files"]);
  expect(askedOf(assistant, /POST .*attachments/)).toEqual([]);
});

test("a file that did not arrive stays with its reason, and can be tried again", async () => {
  const { assistant, client } = await startInChat([toChat("c1")], options);
  assistant.script(/POST .*attachments/, () => problem(413, "file_too_large"));
  const files = follow(createFiles(client));
  files.add([text("terms.txt")]);
  await expect
    .poll(() => here(files), patient)
    .toMatchObject([{ state: "failed", code: "file_too_large", again: true }]);
  files.again(here(files)[0]?.key ?? "");
  await expect.poll(() => states(files), patient).toEqual(["ready"]);
});

test("a file is taken out of the composer, and out of the server", async () => {
  const { assistant, client } = await startInChat([toChat("c1")], options);
  const files = follow(createFiles(client));
  files.add([text("terms.txt")]);
  await expect.poll(() => states(files), patient).toEqual(["ready"]);
  files.remove(here(files)[0]?.key ?? "");
  expect(here(files)).toEqual([]);
  await expect.poll(() => assistant.chats.get("c1")?.files, patient).toEqual([]);
});

test("files that a model could not take are back in the composer", async () => {
  const { assistant, client } = await startInChat([toChat("c1")], options);
  const files = follow(createFiles(client));
  const chat = assistant.chats.get("c1");
  files.add([text("photo.png")]);
  await expect.poll(() => states(files), patient).toEqual(["ready"]);
  const back = chat?.files ?? [];
  await client.send(["file-photo.png"]);
  await expect.poll(() => here(files), patient).toEqual([]);
  if (chat) chat.files = [...back];
  assistant.tell("c1", { type: "message", message: notice({ seq: 2, code: "pictures_taken_back" }) });
  await expect.poll(() => here(files), patient).toMatchObject([{ name: "photo.png", state: "ready" }]);
});
