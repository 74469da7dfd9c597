import { afterEach, expect, test } from "vitest";
import { cardOf, closeAll, isLive, startClient, startInChat, until, waitingChat } from "../../test/client-setup.ts";
import { patient } from "../../test/patient.ts";
import { answer, me, toChat, userMessage } from "../../test/fixtures.ts";
import { createClient } from "./client.ts";
import type { Snapshot } from "./snapshot.ts";

afterEach(closeAll);

test("a chat is loaded with its cards, then watched", async () => {
  const { client } = await startClient([waitingChat()]);
  client.openChat("c1");
  const snapshot = await until(client, isLive);
  expect(snapshot.me).toEqual(me);
  expect(snapshot.chat.messages.map(({ seq }) => seq)).toEqual([1, 2]);
  expect(cardOf(snapshot)?.card.state).toBe("waiting");
});

test("a client that lost its stream comes back for what it missed, each message once", async () => {
  const { assistant, client } = await startInChat([toChat("c1", { messages: [userMessage({ seq: 1, text: "Hi" })] })]);
  assistant.cutStreams();
  assistant.chats.get("c1")?.messages.push(answer({ seq: 2, text: "Hello" }), answer({ seq: 3, text: "again" }));
  const { chat } = await until(client, (snapshot) => snapshot.chat.messages.length >= 3);
  expect(chat.messages.map(({ seq }) => seq)).toEqual([1, 2, 3]);
});

test("a client that lost its stream comes back for titles given meanwhile, in its chat and in the list", async () => {
  const { assistant, client } = await startInChat([
    toChat("c1", { title: "Invoices" }),
    toChat("c2", { title: "Tasks" }),
  ]);
  await until(client, ({ chats }) => chats.items.length === 2);
  for (const [id, title] of [
    ["c1", "Bills"],
    ["c2", "Chores"],
  ] as const) {
    const chat = assistant.chats.get(id);
    if (chat) chat.conversation = { ...chat.conversation, title };
  }
  assistant.cutStreams();
  const titles = ({ chats }: Snapshot): readonly (string | null)[] => chats.items.map(({ title }) => title);
  const { chat } = await until(client, (snapshot) =>
    ["Bills", "Chores"].every((title) => titles(snapshot).includes(title)),
  );
  expect(chat.conversation?.title).toBe("Bills");
});

test("nothing is lost while the server is away", async () => {
  const { assistant, served, client } = await startInChat([
    toChat("c1", { messages: [userMessage({ seq: 1, text: "Hi" })] }),
  ]);
  await served.shut();
  await until(client, (snapshot) => snapshot.connection === "reconnecting");
  assistant.chats.get("c1")?.messages.push(answer({ seq: 2, text: "Hello" }));
  await served.open();
  const { chat } = await until(client, (snapshot) => isLive(snapshot) && snapshot.chat.messages.length === 2);
  expect(chat.messages.map(({ seq }) => seq)).toEqual([1, 2]);
});

test("a gap in the numbers is mended by reading the newest page", async () => {
  const { assistant, client } = await startInChat([toChat("c1", { messages: [userMessage({ seq: 1, text: "Hi" })] })]);
  assistant.chats.get("c1")?.messages.push(answer({ seq: 2, text: "one" }));
  assistant.tell("c1", { type: "message", message: answer({ seq: 3, text: "two" }) });
  const { chat } = await until(client, (snapshot) => snapshot.chat.messages.length >= 3);
  expect(chat.messages.map(({ seq }) => seq)).toEqual([1, 2, 3]);
});

test("earlier messages are put before those that are there", async () => {
  const messages = Array.from({ length: 120 }, (_, index) => userMessage({ seq: index + 1, text: `${index + 1}` }));
  const { client } = await startInChat([toChat("c1", { messages })]);
  expect(client.getSnapshot().chat.messages[0]?.seq).toBe(71);
  await client.loadEarlier();
  await client.loadEarlier();
  const { chat } = client.getSnapshot();
  expect(chat.messages.map(({ seq }) => seq)).toEqual(messages.map(({ seq }) => seq));
  expect(chat.hasEarlier).toBe(false);
});

test("a chat that is not there, or not the user's, reads as gone", async () => {
  const { client } = await startClient([]);
  client.openChat("nobody-knows");
  const { chat } = await until(client, (snapshot) => snapshot.chat.status === "gone");
  expect(chat.failure?.code).toBe("not_found");
});

test("a client that everybody left asks nothing more, and comes back when somebody connects", async () => {
  const { assistant, served } = await startClient([toChat("c1")]);
  const client = createClient({ baseUrl: served.baseUrl, retryDelay: () => 1 });
  const [leave, leaveToo] = [client.connect(), client.connect()];
  client.openChat("c1");
  await until(client, isLive);
  leave();
  leave();
  leaveToo();
  await expect.poll(() => assistant.watchers("c1"), patient).toBe(0);
  const leaveLast = client.connect();
  await expect.poll(() => assistant.watchers("c1"), patient).toBe(1);
  leaveLast();
});
