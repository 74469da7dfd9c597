import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  answer,
  call,
  expectSendable,
  read,
  result,
  resultsOf,
  sizeOf,
  textsOf,
  user,
} from "../../test/turns/history-rows.ts";
import type { StoredMessage } from "../chat/stored-message.ts";
import { cardOutcomes } from "../wire/reasons.ts";
import { toHistory } from "./history.ts";

describe("Whatever is stored", () => {
  test.each(["\n", "", "\u200b", "  "])("a blank answer is not sent: %j", (text) => {
    const history = read([user("q"), answer(text), answer("real")]);
    expect(textsOf(history)).toEqual(["user: q", "assistant: real"]);
  });

  test("a blank message counts as much as the words that are sent in its place", () => {
    const history = toHistory([user("")], { characters: 33, toolsVisible: true });
    expect(sizeOf(history.messages)).toBeLessThanOrEqual(33);
  });

  test("what is sent has a shape every provider takes", () => {
    fc.assert(
      fc.property(anyRows(), fc.integer({ min: 0, max: 3_000 }), fc.boolean(), (rows, characters, toolsVisible) => {
        const history = toHistory(rows, { characters, toolsVisible });
        expectSendable(history);
        const remarks = history.remarks.join("\n").length;
        expect(sizeOf(history.messages) + remarks).toBeLessThanOrEqual(characters);
        if (!toolsVisible) expect(resultsOf(history)).toEqual([]);
      }),
      { numRuns: 1_500 },
    );
  });
});

test("Whatever the room, what is sent of whole turns is the newest of them, in their order, none with a gap", () => {
  const turn = fc.record({
    question: fc.string({ unit: "grapheme", minLength: 1, maxLength: 200 }),
    answers: fc.array(fc.record({ text: fc.string({ maxLength: 200 }), calls: fc.integer({ min: 0, max: 3 }) }), {
      maxLength: 4,
    }),
  });
  fc.assert(
    fc.property(
      fc.array(turn, { minLength: 1, maxLength: 12 }),
      fc.integer({ min: 3_000, max: 9_000 }),
      (turns, room) => {
        const rows = turns.flatMap(({ question, answers }, n) => [
          user(`${n} ${question}`),
          ...answers.flatMap(({ text, calls }, m) => {
            const ids = Array.from({ length: calls }, (_, c) => `t${n}a${m}c${c}`.padEnd(9, "0"));
            const said = answer(`${n}.${m} ${text}`, ...ids.map((id) => call(id)));
            return [said, ...ids.map((id) => result(said, id, `result ${id} ${text}`))];
          }),
        ]);
        const whole = read(rows, { characters: 10_000_000, toolsVisible: true }).messages;
        const part = read(rows, { characters: room, toolsVisible: true }).messages;
        const starts = part.flatMap(({ role }, index) => (role === "user" ? [index] : []));
        expect(starts.length).toBeGreaterThan(0);
        // The oldest turn that is sent may be sent in part: its question, and the end of its answer.
        const uncut = part.slice(starts[1] ?? part.length);
        expect(uncut).toEqual(whole.slice(whole.length - uncut.length));
        expect(whole).toContainEqual(part[0]);
        expect(part.at(-1)).toEqual(whole.at(-1));
        if (sizeOf(whole) <= room / 3) expect(part).toEqual(whole);
      },
    ),
    { numRuns: 500 },
  );
});

function anyRows(): fc.Arbitrary<readonly StoredMessage[]> {
  const id = fc.constantFrom("a", "b", "c", "d", "e", "f", "g", "h", "i", "j");
  const text = fc.oneof(
    { weight: 3, arbitrary: fc.string({ unit: "binary", maxLength: 30 }) },
    { weight: 1, arbitrary: fc.constantFrom("", " \n", "\u200b", "\ud83d", "\ude00x", "a\0b", "😀".repeat(700)) },
    { weight: 1, arbitrary: fc.integer({ min: 0, max: 2_500 }).map((length) => "x".repeat(length)) },
  );
  const callId = fc.constantFrom("abcdefgh1", "abcdefgh2", "call_1", "", "same");
  const args = fc.oneof(fc.constantFrom("{}", '{"a":', "[]", "null", '{"__proto__":{"x":1}}', '{"k":"\\ud800"}'), text);
  const storedCall = fc.record({
    id: callId,
    providerId: fc.option(callId),
    name: fc.oneof(fc.constantFrom("bills.find", "bills.pay", "", "$x y"), text),
    arguments: args,
  });
  const broken = fc.constantFrom(null, "x", 7, {}, { id: 4, name: "n" }) as fc.Arbitrary<never>;
  const confirmationId = fc.option(fc.constantFrom("c1", "c2", "c3"), { freq: 2 });
  const stored = fc.record<StoredMessage>({
    id,
    seq: fc.integer({ min: 1, max: 12 }),
    role: fc.oneof(
      { weight: 20, arbitrary: fc.constantFrom("user", "assistant", "tool", "notice") },
      { weight: 1, arbitrary: fc.constant("system" as never) },
    ),
    text: fc.option(text, { freq: 6 }),
    calls: fc.oneof(
      {
        weight: 8,
        arbitrary: fc.array(fc.oneof({ weight: 9, arbitrary: storedCall }, { weight: 1, arbitrary: broken }), {
          maxLength: 4,
        }),
      },
      { weight: 1, arbitrary: broken },
    ),
    callId: fc.option(callId),
    tool: fc.option(text),
    status: fc.option(fc.constantFrom("ok", "error", "denied", "needs_confirmation")),
    result: fc.option(text),
    confirmationId,
    followsId: confirmationId,
    assistantMessageId: fc.option(id),
    code: fc.constant(null),
    outcome: fc.option(fc.constantFrom(...cardOutcomes)),
    finished: fc.option(fc.boolean()),
    turnId: fc.constant(null),
    files: fc.constant([]),
  });
  return fc
    .array(stored, { maxLength: 24 })
    .map((rows) => rows.map((one, n) => ({ ...one, id: n % 5 === 0 ? one.id : `r${n}` })));
}
