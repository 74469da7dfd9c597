import fc from "fast-check";
import { expect, test } from "vitest";
import { createEventReader, toEventText, type StreamEvent } from "./server-sent-events.ts";

function readIn(pieces: readonly Uint8Array[]): readonly StreamEvent[] {
  const reader = createEventReader();
  return [...pieces.flatMap((piece) => reader.push(piece)), ...reader.end()];
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

test("events have a name and data, and comments are dropped", () => {
  const text = ": hello\nevent: ping\ndata: one\ndata:two\n\ndata: three\r\n\r\nid: 4\n\n";
  expect(readIn([bytes(text)])).toEqual([
    { event: "ping", data: "one\ntwo" },
    { event: null, data: "three" },
  ]);
});

test("a line of bare JSON is an event of its own", () => {
  expect(readIn([bytes('data: one\n\n{"message":"throttled"}\n\n')])).toEqual([
    { event: null, data: "one" },
    { event: null, data: '{"message":"throttled"}' },
  ]);
});

test("an event at the end needs no blank line", () => {
  expect(readIn([bytes("data: last")])).toEqual([{ event: null, data: "last" }]);
});

test("wherever the bytes are cut, inside a character too, the same events come", () => {
  const text = "event: a\ndata: Привет 👋\r\n\r\n: comment\ndata: {}\n\ndata: end\n\n";
  const whole = bytes(text);
  fc.assert(
    fc.property(fc.array(fc.nat(whole.length)), (cuts) => {
      const at = [0, ...cuts, whole.length].toSorted((one, other) => one - other);
      const pieces = at.slice(1).map((end, index) => whole.subarray(at[index], end));
      expect(readIn(pieces)).toEqual(readIn([whole]));
    }),
    { numRuns: 300 },
  );
});

test("what is written is read again", () => {
  const event = { event: "delta", data: "one\ntwo" };
  expect(readIn([bytes(toEventText(event))])).toEqual([event]);
});
