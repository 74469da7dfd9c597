import fc from "fast-check";
import { expect, test } from "vitest";
import { createEventParser } from "./event-parser.ts";

function parse(pieces: readonly string[]): readonly string[] {
  const data: string[] = [];
  const feed = createEventParser((line) => data.push(line.trim()));
  for (const piece of pieces) feed(piece);
  return data;
}

test("however a stream is cut into pieces, the same events come out of it", () => {
  const event = fc.record({ seq: fc.nat(), text: fc.string() }).map((value) => JSON.stringify(value));
  fc.assert(
    fc.property(fc.array(event), fc.array(fc.nat(40)), (events, cuts) => {
      let rest = events.map((data, index) => `:\n\nid: ${index}\ndata: ${data}\n\n`).join("");
      const pieces: string[] = [];
      for (const cut of cuts) {
        pieces.push(rest.slice(0, cut));
        rest = rest.slice(cut);
      }
      expect(parse([...pieces, rest])).toEqual(events);
    }),
    { numRuns: 200 },
  );
});

test("comments, ids and half an event are no events", () => {
  expect(parse([": heartbeat\n\n", "id: 4\n", "retry: 100\n\n", 'data: {"a'])).toEqual([]);
});
