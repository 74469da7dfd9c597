import { afterEach, expect, test } from "vitest";
import { askedOf, closeAll, startClient, startInChat, until } from "../../test/client-setup.ts";
import { toChat, userMessage } from "../../test/fixtures.ts";
import { problem } from "../../test/scripted-assistant.ts";

afterEach(closeAll);

test("the composer keeps its text until the stored message comes back", async () => {
  const { assistant, client } = await startInChat([toChat("c1")]);
  let release: (() => void) | undefined;
  assistant.script(/POST .*turns$/, ({ body }) => {
    release = () =>
      assistant.tell("c1", {
        type: "message",
        message: userMessage({ seq: 1, text: String(body["text"]), turnId: "t1" }),
      });
    return Response.json({ turnId: "t1" }, { status: 202 });
  });
  client.setDraft("Who owes us money?");
  await client.send();
  const sending = client.getSnapshot().chat;
  expect(sending).toMatchObject({ sending: "sending", draft: { text: "Who owes us money?" } });
  release?.();
  const { chat } = await until(client, (snapshot) => snapshot.chat.sending === "no");
  expect(chat.draft.text).toBe("");
  expect(chat.messages).toMatchObject([{ role: "user", text: "Who owes us money?" }]);
});

test("a start whose answer was lost is repeated as the same message, and sends once", async () => {
  const { assistant, client } = await startInChat([toChat("c1")]);
  assistant.script(/POST .*turns$/, () => "lost");
  client.setDraft("Hello");
  await client.send();
  const { chat } = await until(client, (snapshot) => snapshot.chat.sending === "no");
  const [first, second] = askedOf(assistant, /POST .*turns$/);
  expect(second?.["clientId"]).toBe(first?.["clientId"]);
  expect(chat.messages.filter(({ role }) => role === "user")).toHaveLength(1);
});

test("the first message of a new chat makes the chat", async () => {
  const { assistant, client } = await startClient([]);
  client.setDraft("Hello");
  await client.send();
  const { chat } = await until(client, (snapshot) => snapshot.chat.messages.length === 1);
  expect(chat).toMatchObject({ id: "made-1", sending: "no", draft: { text: "" } });
  expect(assistant.chats.size).toBe(1);
  expect(client.getSnapshot().chats.items.map(({ id }) => id)).toEqual(["made-1"]);
});

test("a refused send keeps the text, with the reason", async () => {
  const { assistant, client } = await startInChat([toChat("c1")]);
  assistant.script(/POST .*turns$/, () => problem(409, "turn_running", { conversationId: "c9", retryAfter: 3 }));
  client.setDraft("Hello");
  await client.send();
  expect(client.getSnapshot().chat).toMatchObject({
    sending: "no",
    draft: { text: "Hello" },
    refusal: { code: "turn_running", conversationId: "c9" },
  });
});

test("a turn that ended before its message was stored gives the text back, and sent again it is a new message", async () => {
  const { assistant, client } = await startInChat([toChat("c1")]);
  assistant.script(/POST .*turns$/, () => {
    assistant.tell("c1", { type: "turn_ended", turnId: "t1", how: "interrupted", asked: false });
    return Response.json({ turnId: "t1" }, { status: 202 });
  });
  client.setDraft("Hello");
  await client.send();
  const { chat } = await until(client, (snapshot) => snapshot.chat.refusal !== null);
  expect(chat).toMatchObject({ sending: "no", draft: { text: "Hello" }, refusal: { code: "not_asked" } });
  await client.send();
  await until(client, (snapshot) => snapshot.chat.messages.length === 1);
  const [first, second] = askedOf(assistant, /POST .*turns$/);
  expect(second?.["clientId"]).not.toBe(first?.["clientId"]);
});

test("a send without a connection can be given up, and sent again it is the same message", async () => {
  const { assistant, served, client } = await startInChat([toChat("c1")]);
  await served.shut();
  client.setDraft("Hello");
  const sent = client.send();
  await until(client, (snapshot) => snapshot.chat.sending === "retrying");
  client.keepEditing();
  await sent;
  const { draft, sending } = client.getSnapshot().chat;
  expect({ text: draft.text, sending }).toEqual({ text: "Hello", sending: "no" });
  await served.open();
  await client.send();
  await until(client, (snapshot) => snapshot.chat.messages.length === 1);
  expect(askedOf(assistant, /POST .*turns$/)).toMatchObject([{ text: "Hello", clientId: draft.clientId }]);
});
