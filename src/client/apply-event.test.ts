import { expect, test } from "vitest";
import { answer, toConversation, userMessage } from "../../test/fixtures.ts";
import type { RunningTurn, ServerEvent } from "../wire/events.ts";
import { applyEvent } from "./apply-event.ts";
import { toBlankChat } from "./snapshot.ts";
import type { ChatView } from "./snapshot.ts";

const running: RunningTurn = {
  turnId: "t1",
  conversationId: "c1",
  activity: "thinking",
  toolTitle: null,
  text: "",
};
const delta = (at: number, text: string): ServerEvent => ({ type: "delta", turnId: "t1", at, text });
const after = (...events: readonly ServerEvent[]): ChatView => events.reduce(applyEvent, toBlankChat("c1", "c1"));

test("text grows by its pieces, and a piece that came twice counts once", () => {
  const chat = after({ type: "turn", turn: running }, delta(0, "Two "), delta(4, "invoices"), delta(4, "invoices"));
  expect(chat.turn).toMatchObject({ activity: "answering", text: "Two invoices" });
});

test("a piece that leaves a gap is not shown", () => {
  expect(after({ type: "turn", turn: running }, delta(0, "Two"), delta(9, "x")).turn?.text).toBe("Two");
});

test("text of no running turn, or of another, is not shown", () => {
  expect(after(delta(0, "ghost")).turn).toBeNull();
  const chat = after({ type: "turn", turn: running }, { type: "delta", turnId: "t0", at: 0, text: "ghost" });
  expect(chat.turn?.text).toBe("");
});

test('text that arrives after "stopping" is not shown, and what was shown is taken back', () => {
  const stopping: ServerEvent = { type: "turn", turn: { ...running, activity: "stopping", text: "Two" } };
  const chat = after({ type: "turn", turn: running }, delta(0, "Two"), stopping, delta(3, " more"));
  expect(chat.turn).toMatchObject({ activity: "stopping", text: "" });
});

test("text that will not be stored is taken back", () => {
  const chat = after({ type: "turn", turn: running }, delta(0, "Two"), { type: "retract", turnId: "t1" });
  expect(chat.turn?.text).toBe("");
});

test("a stored answer keeps the row in which it grew, and the next one has a row of its own", () => {
  const growing = after(
    { type: "message", message: userMessage({ seq: 1, text: "Hi" }) },
    { type: "turn", turn: running },
    delta(0, "Two"),
  );
  const stored = applyEvent(growing, { type: "message", message: answer({ seq: 2, text: "Two" }) });
  expect(stored.rowKeys["m2"]).toBe(growing.turn?.rowKey);
  expect(stored.turn).toMatchObject({ text: "" });
  expect(stored.turn?.rowKey).not.toBe(growing.turn?.rowKey);
});

test("a chat that comes back in mid-turn gives no two rows one key", () => {
  const stored = after(
    { type: "turn", turn: running },
    { type: "message", message: answer({ seq: 1, text: "Let me look." }) },
  );
  const back = applyEvent(
    { ...stored, turn: null },
    {
      ...{ type: "hello", now: "", lastSeq: 1, turn: running },
      conversation: toConversation("c1"),
    },
  );
  expect(Object.values(back.rowKeys)).not.toContain(back.turn?.rowKey);
});

test("a message that was there already changes nothing", () => {
  const chat = after({ type: "message", message: answer({ seq: 1, text: "One" }) });
  expect(applyEvent(chat, { type: "message", message: answer({ seq: 1, text: "One" }) })).toBe(chat);
});

test("a stored message can learn something late", () => {
  const usage = { model: "m", inputTokens: 1, outputTokens: 2, costMicros: 3, latencyMs: 4 };
  const chat = after(
    { type: "message", message: answer({ seq: 1, text: "One" }) },
    { type: "message_changed", message: answer({ seq: 1, text: "One", usage }) },
  );
  expect(chat.messages).toMatchObject([{ usage }]);
});

test("an event of a newer server changes nothing", () => {
  const chat = toBlankChat("c1", "c1");
  expect(applyEvent(chat, JSON.parse('{"type":"fireworks"}') as ServerEvent)).toBe(chat);
});

test("only what changed is a new object", () => {
  const before = after({ type: "message", message: answer({ seq: 1, text: "One" }) }, { type: "turn", turn: running });
  const now = applyEvent(before, delta(0, "x"));
  expect(now.messages).toBe(before.messages);
  expect(now.cards).toBe(before.cards);
});
