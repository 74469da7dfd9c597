import { describe, expect, test } from "vitest";
import { answer, cardMessage, notice, toCard, toolMessage, userMessage } from "../../test/fixtures.ts";
import type { LiveTurn } from "../client/snapshot.ts";
import { toLanguage } from "../react/language/language.ts";
import type { Message } from "../wire/messages.ts";
import { emptyDraft } from "../client/snapshot.ts";
import { cardTool, noticeTool, toShownMessages, toStoredMessages } from "./to-messages.ts";

const tools = { language: toLanguage("en"), thumbnailOf: ({ id }: { readonly id: string }) => `/thumbnail/${id}` };
const stored = (messages: readonly Message[]) => toStoredMessages({ messages, cards: {} }, tools);
const ids = (messages: readonly { readonly id?: string | undefined }[]) => messages.map(({ id }) => id);
const names = (content: unknown) =>
  (content as readonly { readonly type: string; readonly toolName?: string; readonly text?: string }[]).map(
    (part) => part.toolName ?? part.text,
  );
const call = (id: string, name: string) => ({ id, name, title: name });

describe("A chat as messages of assistant-ui", () => {
  test("all that a turn answered is one message: text, reads, cards and its notice, in order", () => {
    const [question, turn, ...rest] = stored([
      userMessage({ seq: 1, turnId: "t1", text: "Do it" }),
      answer({ seq: 2, turnId: "t1", text: "Looking.", calls: [call("x1", "billing.find")] }),
      toolMessage({ seq: 3, turnId: "t1", callId: "x1", tool: "billing.find", title: "Find" }),
      answer({ seq: 4, turnId: "t1", text: "Here.", calls: [call("x2", "billing.void")] }),
      cardMessage({ seq: 5, turnId: "t1", callId: "x2", tool: "billing.void" }),
      notice({ seq: 6, turnId: "t1", code: "stopped" }),
    ]);
    expect(rest).toEqual([]);
    expect(question).toMatchObject({ role: "user", content: [{ type: "text", text: "Do it" }] });
    expect(turn?.id).toBe("turn:t1");
    expect(names(turn?.content)).toEqual(["Looking.", "billing.find", "Here.", cardTool, noticeTool]);
  });

  test("no two messages have one id, also when something stands between the parts of a turn", () => {
    const messages = stored([
      answer({ seq: 1, turnId: "t1", text: "One." }),
      notice({ seq: 2, turnId: null, confirmationId: "gone", outcome: "confirmed", title: "Void", finished: true }),
      answer({ seq: 3, turnId: "t1", text: "Two." }),
    ]);
    expect(new Set(ids(messages)).size).toBe(3);
    const turn: LiveTurn = {
      turnId: "t1",
      conversationId: "c1",
      activity: "answering",
      toolTitle: null,
      text: "Three",
      rowKey: "r",
      stopAsked: false,
    };
    const shown = toShownMessages(messages, { turn, sending: "no", draft: emptyDraft }, []);
    expect(new Set(ids(shown)).size).toBe(shown.length);
    expect(shown.at(-1)).toMatchObject({ status: { type: "running" }, content: [{ type: "text", text: "Three" }] });
  });

  test("what is written now is the end of what the turn has stored", () => {
    const messages = stored([answer({ seq: 1, turnId: "t1", text: "One." })]);
    const turn: LiveTurn = {
      turnId: "t1",
      conversationId: "c1",
      activity: "answering",
      toolTitle: null,
      text: "Two",
      rowKey: "r",
      stopAsked: false,
    };
    const shown = toShownMessages(messages, { turn, sending: "no", draft: emptyDraft }, []);
    expect(ids(shown)).toEqual(["turn:t1"]);
    expect(names(shown[0]?.content)).toEqual(["One.", "Two"]);
  });

  test("a card's notice is told beside it only where the card itself is not among the messages", () => {
    const told = notice({ seq: 2, confirmationId: "k1", outcome: "confirmed", title: "Void", finished: true });
    const card = cardMessage({ seq: 1, confirmationId: "k1" });
    expect(stored([told])).toHaveLength(1);
    expect(stored([card, told]).flatMap(({ content }) => names(content))).toEqual([cardTool]);
  });

  test("a card's part names its message and its state, and nothing that a model wrote", () => {
    const card = cardMessage({ seq: 1, confirmationId: "k1" });
    const view = {
      card: toCard({ messageId: card.id, confirmationId: "k1" }),
      shown: null,
      click: null,
      refusal: null,
      whole: "no",
    } as const;
    const [message] = toStoredMessages({ messages: [card], cards: { [card.id]: view } }, tools);
    expect(message?.content).toEqual([
      { type: "tool-call", toolName: cardTool, toolCallId: card.id, args: {}, result: { state: "waiting" } },
    ]);
  });

  test.each([cardTool, noticeTool])("a call of the name %s is shown under another", (name) => {
    const [message] = stored([answer({ seq: 1, text: "", calls: [call("x1", name)] })]);
    expect(names(message?.content)).toEqual([`tool:${name}`]);
  });
});
