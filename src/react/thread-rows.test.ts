import { expect, test } from "vitest";
import { answer, cardMessage, notice, toolMessage, userMessage } from "../../test/fixtures.ts";
import type { Message } from "../wire/messages.ts";
import { toRows } from "./thread-rows.ts";
import type { ThreadContent } from "./thread-rows.ts";

const chatOf = (...messages: readonly Message[]): ThreadContent => ({ messages, rowKeys: {}, liveKey: null });
const kinds = (chat: ThreadContent): readonly string[] => toRows(chat, []).map(({ kind }) => kind);

test("a day, a question, what was looked up, and the answer are rows", () => {
  const chat = chatOf(
    userMessage({ seq: 1, text: "Who owes us money?" }),
    answer({ seq: 2, calls: [{ id: "1", name: "billing.find", title: "Find invoices" }] }),
    toolMessage({ seq: 3 }),
    toolMessage({ seq: 4 }),
    answer({ seq: 5, text: "Acme does." }),
  );
  expect(kinds(chat)).toEqual(["day", "user", "tools", "answer"]);
});

test("a card's outcome right below it is told by the card alone; far from it, by a row of its own", () => {
  const told = notice({ seq: 3, confirmationId: "k1", outcome: "confirmed" });
  expect(kinds(chatOf(cardMessage({ seq: 1, confirmationId: "k1" }), told))).toEqual(["day", "card"]);
  const between = userMessage({ seq: 2, text: "And?" });
  expect(kinds(chatOf(cardMessage({ seq: 1, confirmationId: "k1" }), between, told))).toEqual([
    "day",
    "card",
    "user",
    "told",
  ]);
});

test("only a notice at the very end, with no turn running, offers its question again", () => {
  const rows = toRows(chatOf(userMessage({ seq: 1, text: "Hi" }), notice({ seq: 2, code: "interrupted" })), []);
  expect(rows.at(-1)).toMatchObject({ kind: "notice", question: "Hi" });
  const passed = toRows(
    chatOf(
      userMessage({ seq: 1, text: "Hi" }),
      notice({ seq: 2, code: "interrupted" }),
      userMessage({ seq: 3, text: "Ho" }),
    ),
    [],
  );
  expect(passed[2]).toMatchObject({ kind: "notice", question: null });
});

test("rows that say the same are the same objects", () => {
  const chat = chatOf(userMessage({ seq: 1, text: "Hi" }), toolMessage({ seq: 2 }), answer({ seq: 3, text: "Ho" }));
  const before = toRows(chat, []);
  const after = toRows({ ...chat, messages: [...chat.messages, userMessage({ seq: 4, text: "So" })] }, before);
  expect(after.slice(0, before.length).every((row, index) => row === before[index])).toBe(true);
});

test("each row has a key of its own, also where a day comes twice", () => {
  const at = (seq: number, createdAt: string): Message => ({ ...userMessage({ seq, text: "Hi" }), createdAt });
  const [first, second, third] = ["2026-11-30T12:00:00Z", "2026-12-02T12:00:00Z", "2026-11-30T12:00:01Z"] as const;
  const rows = toRows(chatOf(at(1, first), at(2, second), at(3, third)), []);
  expect(rows.map(({ kind }) => kind)).toEqual(["day", "user", "day", "user", "day", "user"]);
  expect(new Set(rows.map(({ key }) => key)).size).toBe(6);
});

test("a stored answer takes the row it grew in", () => {
  const chat = { ...chatOf(answer({ seq: 2, text: "Ho" })), rowKeys: { m2: "t1:1" } };
  expect(toRows(chat, []).at(-1)).toMatchObject({ kind: "answer", key: "t1:1" });
});
