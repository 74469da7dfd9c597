import { afterEach, expect, test } from "vitest";
import { closeAll, connectTo, serve, startClient, startInChat, until, waitingChat } from "../../test/client-setup.ts";
import { me, toChat } from "../../test/fixtures.ts";
import { createScriptedAssistant, problem } from "../../test/scripted-assistant.ts";

afterEach(closeAll);

test("chats are found, renamed, removed and taken back", async () => {
  const { client } = await startClient([toChat("c1", { title: "Invoices" }), toChat("c2", { title: "Tasks" })]);
  await until(client, (snapshot) => snapshot.chats.items.length === 2);
  const titles = (): readonly (string | null)[] => client.getSnapshot().chats.items.map(({ title }) => title);
  await client.searchChats("task");
  expect(titles()).toEqual(["Tasks"]);
  await client.searchChats("");
  await client.renameChat("c2", "Chores");
  expect(titles()).toContain("Chores");
  client.openChat("c2");
  await client.removeChat("c2");
  expect(titles()).toEqual(["Invoices"]);
  expect(client.getSnapshot().chat.id).toBeNull();
  await client.undoRemoveChat();
  expect(titles()).toContain("Chores");
  expect(client.getSnapshot().chats.removed).toBeNull();
});

test("a removal that failed puts the chat back", async () => {
  const { assistant, client } = await startClient([toChat("c1", { title: "Invoices" })]);
  await until(client, (snapshot) => snapshot.chats.items.length === 1);
  assistant.script(/DELETE/, () => problem(503, "unavailable"));
  expect(await client.removeChat("c1")).toMatchObject({ code: "unavailable" });
  expect(client.getSnapshot().chats).toMatchObject({ removed: null, items: [{ id: "c1" }] });
});

test("a session that may not use the assistant is told so, until it may", async () => {
  const assistant = createScriptedAssistant({ me: null, chats: [toChat("c1")] });
  const served = await serve(assistant);
  const client = connectTo(served);
  await until(client, (snapshot) => snapshot.blocked?.code === "session_invalid");
  assistant.me = me;
  client.retry();
  const snapshot = await until(client, ({ blocked, chats }) => blocked === null && chats.items.length === 1);
  expect(snapshot.me).toEqual(me);
});

test("every request that changes something carries the header no foreign page can set", async () => {
  const { assistant, client } = await startInChat([waitingChat()]);
  client.setDraft("Hello");
  await client.send();
  await client.reject("m2");
  await client.renameChat("c1", "Invoices");
  await client.saveSettings({ instructions: "Be brief." });
  const changes = assistant.asked.filter(({ method }) => method !== "GET");
  expect(changes.length).toBeGreaterThan(3);
  for (const { headers } of changes) {
    expect(headers.get("x-countersign")).toBe("1");
    expect(headers.get("content-type")).toBe("application/json");
  }
  expect(client.getSnapshot().settings).toMatchObject({ status: "saved", value: { instructions: "Be brief." } });
});
