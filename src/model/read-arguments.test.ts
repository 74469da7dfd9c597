import { expect, test } from "vitest";
import { readArguments } from "./read-arguments.ts";

test.each([
  ["absent", undefined],
  ["null", null],
  ["empty", ""],
  ["blank", " \n"],
  ["the word null", "null"],
  ["null encoded twice", '"null"'],
])("arguments that are %s are an empty object", (_what, sent) => {
  expect(readArguments(sent)).toBe("{}");
});

test("an object comes back letter for letter", () => {
  expect(readArguments(' {"amount":1.10,"amount":2} ')).toBe('{"amount":1.10,"amount":2}');
});

test("an object that was not encoded is encoded", () => {
  expect(readArguments({ number: "INV-7" })).toBe('{"number":"INV-7"}');
});

test("an object encoded twice is decoded once more, and no further", () => {
  const object = '{"number":"INV-7"}';
  expect(readArguments(JSON.stringify(object))).toBe(object);
  const thrice = JSON.stringify(JSON.stringify(object));
  expect(readArguments(thrice)).toBe(thrice);
});

test.each(['{"number":"INV-', "{'number': 'INV-7'}", '{"a":1}{"b":2}', "[1]", "7", '{"note":"a\nb"}'])(
  "%j is never completed or guessed",
  (sent) => {
    expect(readArguments(sent)).toBe(sent);
  },
);
