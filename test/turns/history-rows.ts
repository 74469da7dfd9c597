import { expect } from "vitest";
import type { StoredCall, StoredMessage } from "../../src/chat/stored-message.ts";
import type { PromptMessage } from "../../src/model/model.ts";
import { type History, type HistoryRoom, toHistory } from "../../src/turn/history.ts";

let made = 0;

export function row(role: StoredMessage["role"], given: Partial<StoredMessage> = {}): StoredMessage {
  return {
    id: `row-${++made}`,
    seq: 0,
    role,
    text: null,
    calls: [],
    callId: null,
    tool: null,
    status: null,
    result: null,
    confirmationId: null,
    followsId: null,
    assistantMessageId: null,
    code: null,
    outcome: null,
    finished: null,
    turnId: null,
    files: [],
    ...given,
  };
}

export const user = (text: string) => row("user", { text });
export const call = (id: string, given: Partial<StoredCall> = {}): StoredCall => ({
  id,
  providerId: null,
  name: "bills.find",
  arguments: "{}",
  ...given,
});
export const answer = (text: string, ...calls: readonly StoredCall[]) => row("assistant", { text, calls });
export const result = (of: StoredMessage, callId: string, text: string) =>
  row("tool", { assistantMessageId: of.id, callId, tool: "bills.find", status: "ok", result: text });
export const card = (of: StoredMessage, confirmationId: string, followsId: string | null = null) =>
  row("tool", {
    assistantMessageId: of.id,
    callId: of.calls[0]?.id ?? "",
    tool: "bills.pay",
    status: "needs_confirmation",
    confirmationId,
    followsId,
  });
export const notice = (confirmationId: string, outcome: StoredMessage["outcome"], finished = true) =>
  row("notice", { confirmationId, outcome, finished, tool: "bills.pay" });

export const everything = { characters: 60_000, toolsVisible: true };

/** Rows in the order of their chat. */
export function read(rows: readonly StoredMessage[], room: HistoryRoom = everything): History {
  return toHistory(
    rows.map((one, index) => ({ ...one, seq: index + 1 })),
    room,
  );
}

export function resultsOf(history: History): readonly string[] {
  return history.messages.flatMap((message) =>
    message.role === "results" ? message.results.map(({ text }) => text) : [],
  );
}

export const textsOf = (history: History) =>
  history.messages.flatMap((message) => (message.role === "results" ? [] : [`${message.role}: ${message.text}`]));

/** Everything that is sent, in UTF-16 units. */
export function sizeOf(messages: readonly PromptMessage[]): number {
  return messages.reduce((sum, message) => {
    if (message.role === "user") return sum + message.text.length;
    if (message.role === "results") {
      return sum + message.results.reduce((size, { callId, text }) => size + callId.length + text.length, 0);
    }
    const calls = message.calls.reduce(
      (size, { id, name, arguments: args }) => size + id.length + name.length + JSON.stringify(args).length,
      0,
    );
    return sum + message.text.length + calls;
  }, 0);
}

/** Begins with a user, alternates, one result a call in the order of the calls, valid unique ids, well-formed text. */
export function expectSendable({ messages, remarks }: History): void {
  const ids: string[] = [];
  for (const [index, message] of messages.entries()) {
    const next = messages[index + 1];
    const calls = message.role === "assistant" ? message.calls : [];
    if (message.role === "user") expect(next?.role).toBe("assistant");
    else if (message.role === "results") expect(next?.role).toBe("assistant");
    else expect(next?.role).toBe(calls.length > 0 ? "results" : next === undefined ? undefined : "user");
    if (next?.role === "results") {
      expect(next.results.map(({ callId, name }) => [callId, name])).toEqual(calls.map(({ id, name }) => [id, name]));
    }
    if (message.role !== "results" && calls.length === 0) expect(message.text.trim()).not.toBe("");
    for (const { id, name, arguments: args } of calls) {
      ids.push(id);
      expect(id).toMatch(/^[a-zA-Z0-9]{9}$/);
      expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
      expect(Object.prototype.toString.call(args)).toBe("[object Object]");
    }
  }
  expect(messages[0]?.role).toBe(messages.length === 0 ? undefined : "user");
  expect(new Set(ids).size).toBe(ids.length);
  const seen = JSON.stringify([messages, remarks]);
  expect(seen).not.toMatch(/\\ud[89a-f]|\\u0000/i);
}
