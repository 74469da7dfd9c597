import { afterEach, expect, test } from "vitest";
import {
  askedOf,
  cardOf,
  closeAll,
  connectTo,
  isLive,
  settleCard,
  startClient,
  startInChat,
  until,
  waitingChat,
} from "../../test/client-setup.ts";
import { notice, toCard } from "../../test/fixtures.ts";
import { problem } from "../../test/scripted-assistant.ts";

afterEach(closeAll);

test("a click shows at once that it is being done, and then its outcome", async () => {
  const { assistant, client } = await startInChat([waitingChat()]);
  assistant.script(/confirm$/, () => {
    settleCard(assistant, "confirmed");
    return Response.json({ outcome: "confirmed", finished: true });
  });
  const clicked = client.confirm("m2");
  expect(cardOf(client.getSnapshot())?.click).toEqual({ verb: "confirm", phase: "sending" });
  await clicked;
  const after = await until(client, (snapshot) => snapshot.chat.messages.length === 3);
  expect(cardOf(after)).toMatchObject({ click: null, card: { state: "confirmed", finished: true } });
  expect(cardOf(after)?.shown?.title).toBe("Invoice 2041 of Acme GmbH");
});

test("a click whose answer was lost is repeated, and shows what the first one did", async () => {
  const { assistant, client } = await startInChat([waitingChat()]);
  assistant.script(/confirm$/, () => {
    settleCard(assistant, "confirmed");
    return "lost";
  });
  assistant.script(/confirm$/, () => problem(409, "not_waiting", { outcome: "confirmed", finished: true }));
  await client.confirm("m2");
  expect(cardOf(client.getSnapshot())).toMatchObject({ click: null, refusal: null, card: { state: "confirmed" } });
  expect(askedOf(assistant, /confirm$/)).toHaveLength(2);
});

test("two clicks on one card are one", async () => {
  const { assistant, client } = await startInChat([waitingChat()]);
  assistant.script(/confirm$/, () => Response.json({ outcome: "confirmed", finished: true }), 9);
  await Promise.all([client.confirm("m2"), client.confirm("m2"), client.reject("m2")]);
  expect(askedOf(assistant, /(confirm|reject)$/)).toHaveLength(1);
});

test("a click that meets a running turn waits its turn, and is tried again", async () => {
  const { assistant, client } = await startInChat([waitingChat()]);
  assistant.script(/confirm$/, () => problem(409, "turn_running", { retryAfter: 0.01 }), 2);
  assistant.script(/confirm$/, () => Response.json({ outcome: "confirmed", finished: true }));
  const seen = new Set<string | undefined>();
  client.subscribe(() => seen.add(cardOf(client.getSnapshot())?.click?.phase));
  await client.confirm("m2");
  expect([...seen]).toContain("queued");
  expect(cardOf(client.getSnapshot())?.card.state).toBe("confirmed");
});

test("a user need not wait for a queued click, and knows which chat goes first", async () => {
  const { assistant, client } = await startInChat([waitingChat()]);
  assistant.script(/confirm$/, () => problem(409, "click_running", { conversationId: "c9", retryAfter: 600 }));
  const clicked = client.confirm("m2");
  const queued = await until(client, (snapshot) => cardOf(snapshot)?.click?.phase === "queued");
  expect(cardOf(queued)?.click?.holder).toBe("c9");
  client.dontWait("m2");
  await clicked;
  expect(cardOf(client.getSnapshot())).toMatchObject({ click: null, card: { state: "waiting" } });
});

test("a refused click leaves the card waiting, with the reason", async () => {
  const { assistant, client } = await startInChat([waitingChat()]);
  const why = { detailCode: "paid_already", detail: "The invoice was paid this morning." };
  assistant.script(/confirm$/, () => problem(422, "refused", why));
  await client.confirm("m2");
  expect(cardOf(client.getSnapshot())).toMatchObject({
    card: { state: "waiting" },
    refusal: { code: "refused", ...why },
  });
});

test("two tabs agree: what one decided, the other shows", async () => {
  const { assistant, served, client } = await startClient([waitingChat()]);
  const other = connectTo(served);
  for (const tab of [client, other]) tab.openChat("c1");
  await Promise.all([until(client, isLive), until(other, isLive)]);
  const heard: unknown[] = [];
  other.onCardSettled(({ outcome }) => heard.push(outcome));
  assistant.script(/reject$/, () => {
    settleCard(assistant, "rejected");
    return Response.json({ outcome: "rejected", finished: true });
  });
  await client.reject("m2");
  await until(other, (snapshot) => cardOf(snapshot)?.card.state === "rejected");
  expect(heard).toEqual(["rejected"]);
});

test("a card whose time is up by the server's clock is settled and read again", async () => {
  const chat = waitingChat();
  const { assistant, client } = await startClient([chat]);
  // The server's clock is an hour ahead of the browser's.
  assistant.now = () => Date.now() + 3_600_000;
  const card = toCard({ messageId: "m2", confirmationId: "k2" });
  chat.cards["m2"] = { ...card, expiresAt: new Date(assistant.now() + 300).toISOString() };
  client.openChat("c1");
  await until(client, isLive);
  assistant.script(/POST .*open$/, () => {
    chat.cards["m2"] = { ...card, state: "expired", expiresAt: null, preview: null, repeatable: true };
    return null;
  });
  const after = await until(client, (snapshot) => cardOf(snapshot)?.card.state === "expired");
  expect(cardOf(after)?.card.repeatable).toBe(true);
});

test("a card that reads unavailable is settled for once", async () => {
  const chat = waitingChat();
  chat.cards["m2"] = toCard({ messageId: "m2", confirmationId: "k2", state: "unavailable" });
  const { assistant, client } = await startInChat([chat]);
  assistant.tell("c1", { type: "card", messageId: "m2" });
  assistant.tell("c1", { type: "card", messageId: "m2" });
  assistant.tell("c1", { type: "message", message: notice({ seq: 3, code: "stopped" }) });
  await until(client, (snapshot) => snapshot.chat.messages.length === 3);
  // One for the stream that came, one for the card.
  expect(askedOf(assistant, /POST .*open$/).length).toBeLessThanOrEqual(2);
});

test("a card that was fetched whole is not cut again by a page", async () => {
  const chat = waitingChat();
  const whole = toCard({ messageId: "m2", confirmationId: "k2", arguments: '{"id":"2041","note":"all of it"}' });
  chat.cards["m2"] = { ...whole, cut: true, arguments: '{"id":"20' };
  chat.whole["m2"] = whole;
  const { assistant, client } = await startInChat([chat]);
  await client.showWhole("m2");
  expect(cardOf(client.getSnapshot())).toMatchObject({ whole: "yes", card: whole });
  const before = client.getSnapshot();
  assistant.tell("c1", { type: "card", messageId: "m2" });
  const after = await until(client, (snapshot) => snapshot.chat.cards !== before.chat.cards);
  expect(cardOf(after)).toMatchObject({ whole: "yes", card: { cut: false, arguments: whole.arguments } });
});
