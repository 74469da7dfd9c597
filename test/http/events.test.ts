import { afterAll, beforeAll, expect, test } from "vitest";
import type { ServerEvent } from "../../src/wire/events.ts";
import type { SignIn } from "../desk.ts";
import { serveDesk, type Served } from "./served.ts";

let served: Served;
let owner: SignIn;

beforeAll(async () => {
  served = await serveDesk(
    [
      { text: ["One", " and", " two."] },
      "Three.",
      "Four.",
      { text: "I ask.", calls: [{ name: "desk__rename", arguments: { name: "Bea" } }] },
      ...Array.from({ length: 8 }, () => "x".repeat(20_000)),
    ],
    { settings: { watchBacklog: 65_536, turnsPerHour: 1_000, watchRecheck: 100 } },
  );
  owner = served.desk.signIn("owner");
});

afterAll(() => served.close());

async function newChat(): Promise<string> {
  const made = await served.ask("POST", "/conversations", { as: owner });
  return (made.body as { conversation: { id: string } }).conversation.id;
}

interface Frame {
  readonly id: string | null;
  readonly event: ServerEvent;
}

/** Reads a chat's events until one is the last that is wanted. */
async function watch(
  chatId: string,
  how: { readonly headers?: Record<string, string>; readonly query?: string; until(frame: Frame): boolean },
): Promise<readonly Frame[]> {
  const answer = await fetch(`${served.origin}/assistant/conversations/${chatId}/events${how.query ?? ""}`, {
    headers: { "x-desk-session": owner.ref, ...how.headers },
  });
  expect(answer.headers.get("content-type")).toBe("text/event-stream");
  expect(answer.headers.get("cache-control")).toBe("no-store");
  const frames: Frame[] = [];
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of answer.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    for (let end = text.indexOf("\n\n"); end !== -1; end = text.indexOf("\n\n")) {
      const lines = text.slice(0, end).split("\n");
      text = text.slice(end + 2);
      const data = lines.find((line) => line.startsWith("data: "));
      if (data === undefined) continue;
      const id = lines.find((line) => line.startsWith("id: "))?.slice(4) ?? null;
      frames.push({ id, event: JSON.parse(data.slice(6)) as ServerEvent });
      if (how.until(frames.at(-1) as Frame)) return frames;
    }
  }
  return frames;
}

const ofType = (type: ServerEvent["type"]) => (frame: Frame) => frame.event.type === type;
const seqsOf = (frames: readonly Frame[]): readonly string[] =>
  frames.flatMap(({ id, event }) => (event.type === "message" ? [`${id}:${event.message.seq}`] : []));

test("a watcher gets what is said as it is said, each stored message under its seq", async () => {
  const chatId = await newChat();
  const watching = watch(chatId, { until: ofType("turn_ended") });
  await served.turn(owner, chatId, "Count");
  const frames = await watching;
  expect(frames[0]?.event).toMatchObject({ type: "hello", lastSeq: 0, turn: null });
  expect(seqsOf(frames)).toEqual(["1:1", "2:2"]);
  const deltas = frames.flatMap(({ event }) => (event.type === "delta" ? [event.text] : []));
  expect(deltas.join("")).toBe("One and two.");
  expect(frames.filter(({ id, event }) => id !== null && event.type !== "message")).toEqual([]);
});

test("a watcher that comes back misses no stored message, by the header or by the query", async () => {
  const chatId = await newChat();
  await served.turn(owner, chatId, "Go on");
  const first = await watch(chatId, { query: "?after=0", until: ({ id }) => id === "2" });
  expect(seqsOf(first)).toEqual(["1:1", "2:2"]);

  await served.turn(owner, chatId, "And on");
  const missed = await watch(chatId, { headers: { "last-event-id": "2" }, until: ({ id }) => id === "4" });
  expect(missed[0]?.event).toMatchObject({ type: "hello", lastSeq: 4 });
  expect(seqsOf(missed)).toEqual(["3:3", "4:4"]);

  const both = { query: "?after=0", headers: { "last-event-id": "3" } };
  expect(seqsOf(await watch(chatId, { ...both, until: ({ id }) => id === "4" }))).toEqual(["4:4"]);
});

test("a click is told to whoever watches, with its outcome", async () => {
  const chatId = await newChat();
  await served.turn(owner, chatId, "Rename me");
  const waiting = await served.ask("GET", `/conversations/${chatId}/cards`, { as: owner });
  const [cardId] = Object.keys(waiting.body["cards"] as object);
  const watching = watch(chatId, {
    query: "?after=0",
    until: ({ event }) => event.type === "message" && event.message.role === "notice",
  });
  await served.ask("POST", `/conversations/${chatId}/cards/${cardId}/confirm`, { as: owner });
  expect((await watching).at(-1)?.event).toMatchObject({ message: { outcome: "confirmed", finished: true } });
  expect(served.desk.nameOf("owner")).toBe("Bea");
});

test("a stream ends, and says so, once its session is no more", async () => {
  const chatId = await newChat();
  const leaving = served.desk.signIn("owner");
  const watching = watch(chatId, {
    headers: { "x-desk-session": leaving.ref },
    until: ({ event }) => {
      if (event.type === "hello") leaving.live = false;
      return false;
    },
  });
  expect((await watching).at(-1)?.event).toEqual({ type: "bye", reason: "session_ended" });
});

test("a stream of a chat that is deleted ends, and says so", async () => {
  const chatId = await newChat();
  const watching = watch(chatId, {
    until: ({ event }) => {
      if (event.type === "hello") void served.ask("DELETE", `/conversations/${chatId}`, { as: owner });
      return event.type === "bye";
    },
  });
  expect((await watching).at(-1)?.event).toEqual({ type: "bye", reason: "deleted" });
});

test("who does not read is cut off, and whoever reads misses nothing by it", async () => {
  const chatId = await newChat();
  const url = `${served.origin}/assistant/conversations/${chatId}/events`;
  // Asked of the assistant itself, so that no socket's buffers stand between: nothing is read until the end.
  const stuck = await served.assistant.fetch(new Request(url, { headers: { "x-desk-session": owner.ref } }));
  const turns = 8;
  const watching = watch(chatId, { until: ({ id }) => id === String(turns * 2) });
  for (let turn = 0; turn < turns; turn++) await served.turn(owner, chatId, "More");
  expect(seqsOf(await watching)).toHaveLength(turns * 2);
  await expect(stuck.text()).rejects.toMatchObject({ code: "ERR_STREAM_PREMATURE_CLOSE" });
});
