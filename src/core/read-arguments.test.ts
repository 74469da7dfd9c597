import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isExactNumber } from "./exact-number.ts";
import { hashArguments, readArguments } from "./read-arguments.ts";

const limits = { argumentsBytes: 262_144, argumentsDepth: 64 };
const read = (given: unknown) => readArguments(given, limits);
const nested = (levels: number): string => `${'{"a":'.repeat(levels - 1)}{}${"}".repeat(levels - 1)}`;

describe("arguments that could be read in two ways are refused", () => {
  test.each([
    ["no object", "[]", ["$"]],
    ["no object", "null", ["$"]],
    ["no object", '"{}"', ["$"]],
    ["nothing", "", ["$"]],
    ["broken", '{"a":1', ["$"]],
    ["two objects", "{}{}", ["$"]],
    ["a comma too many", '{"a":1,}', ["$"]],
    ["a comment", "{/* a */}", ["$"]],
    ["a byte order mark", "\ufeff{}", ["$"]],
    ["a key twice", '{"a":1,"a":2}', ["$"]],
    ["a key twice with one value", '{"a":1,"a":1}', ["$"]],
    ["a key twice, once escaped", String.raw`{"a":true,"\u0061":true}`, ["$"]],
    ["a key twice further in", '{"a":[{"b":"x","b":"x"}]}', ["$"]],
    ["a big integer", '{"id":12345678901234567890}', ["id"]],
    ["an integer that rounds", '{"id":9007199254740993}', ["id"]],
    ["a fraction that rounds", '{"a":[{"rate":0.1000000000000000055511151231257827}]}', ["a.0.rate"]],
    ["a number too large", '{"a":1e400}', ["a"]],
    ["a number too small", '{"a":1e-400}', ["a"]],
    ["minus zero", '{"a":-0}', ["a"]],
    ["minus zero in other words", '{"a":-0.00e5}', ["a"]],
    ["a prototype", '{"__proto__":{"admin":true}}', ["__proto__"]],
    ["a prototype, escaped", String.raw`{"x":{"__pro\u0074o__":1}}`, ["x.__proto__"]],
    ["a constructor", '{"constructor":{"prototype":{}}}', ["constructor"]],
    ["NUL", String.raw`{"a":"x\u0000y"}`, ["a"]],
    ["a lone surrogate", String.raw`{"a":"\ud800"}`, ["a"]],
    ["NUL in a key", String.raw`{"a\u0000":1}`, ["a"]],
    ["65 levels", nested(65), ["$"]],
    ["brackets without end", "[".repeat(200_000), ["$"]],
    ["more than 256 KiB", JSON.stringify({ a: "x".repeat(262_144) }), ["$"]],
    ["more than 256 KiB of bytes", JSON.stringify({ a: "€".repeat(90_000) }), ["$"]],
  ])("%s", (_what, text, invalidPaths) => {
    expect(read(text)).toEqual({ ok: false, invalidPaths });
  });
});

describe("an object of the host is held to the same", () => {
  const circle: Record<string, unknown> = {};
  circle["self"] = circle;
  const getter = Object.defineProperty({}, "a", { enumerable: true, get: () => expect.fail("read once too often") });
  test.each<[string, unknown, readonly string[]]>([
    ["undefined", undefined, ["$"]],
    ["a list", [], ["$"]],
    ["a function", () => 1, ["$"]],
    ["a member that is undefined", { a: undefined }, ["a"]],
    ["NaN", { a: Number.NaN }, ["a"]],
    ["minus zero", { a: -0 }, ["a"]],
    ["a big integer", { a: 1n }, ["a"]],
    ["a date", { a: new Date() }, ["a"]],
    ["a map", { a: new Map() }, ["a"]],
    ["a hole", { a: Array.from({ length: 2 }) }, ["a.0", "a.1"]],
    ["a circle", circle, [Array.from({ length: 20 }, () => "self").join(".")]],
    ["a getter that throws", getter, ["$"]],
    ["a prototype", JSON.parse('{"__proto__":1}'), ["__proto__"]],
    ["too large", { a: Array.from({ length: 200_000 }, () => "x") }, ["$"]],
  ])("%s", (_what, given, invalidPaths) => {
    expect(read(given)).toEqual({ ok: false, invalidPaths });
  });
});

test("arguments that are plain JSON are read as they are, up to every limit", () => {
  expect(read(' {"a" : [1, "x", true, null, {"b": -1.5}] } ')).toEqual({
    ok: true,
    value: { a: [1, "x", true, null, { b: -1.5 }] },
  });
  expect(read(nested(64)).ok).toBe(true);
  expect(read(JSON.stringify({ a: "x".repeat(262_144 - 8) })).ok).toBe(true);
  expect(read('{"a":1.0,"b":10.50,"c":1E+2,"d":1e21}')).toEqual({
    ok: true,
    value: { a: 1, b: 10.5, c: 100, d: 1e21 },
  });
});

test("an object shares nothing with what was given, and the same arguments have one hash however they are written", () => {
  const given = { b: [1], a: "x" };
  const answer = read(given);
  const text = read('{"a":"\\u0078","b":[1.0]}');
  given.b.push(2);
  expect(answer).toEqual({ ok: true, value: { b: [1], a: "x" } });
  if (!answer.ok || !text.ok) return expect.fail("both are read");
  // SHA-256 of {"a":"x","b":[1]}
  expect(hashArguments(answer.value)).toBe("6c17667416e4e6be6ecc8334b4bf4c09e6763cb51e57a0fc3e2dfe72ec71fa81");
  expect(hashArguments(text.value)).toBe(hashArguments(answer.value));
});

test("a number is taken exactly when its printed form has the same value", () => {
  for (const exact of ["0", "0.0", "0e9", "1", "-1", "100", "1e2", "1.50", "0.1", "123456789012", "1e-7", "5e-324"]) {
    expect([exact, isExactNumber(exact)]).toEqual([exact, true]);
  }
  for (const inexact of ["-0", "-0.0", "1e309", "3e-324", "0.10000000000000001", "9007199254740993"]) {
    expect([inexact, isExactNumber(inexact)]).toEqual([inexact, false]);
  }
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      expect(isExactNumber(String(value))).toBe(true);
    }),
    { numRuns: 500 },
  );
  fc.assert(
    fc.property(fc.bigInt({ min: 2n ** 53n, max: 10n ** 20n }), (value) => {
      expect(isExactNumber(String(value))).toBe(String(Number(value)) === String(value));
    }),
    { numRuns: 500 },
  );
});

test("whatever is read prints back as what was read, and no input throws", () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 5 }), (text) => {
      const answer = read(text);
      if (answer.ok) {
        expect(answer.value).toEqual(JSON.parse(text));
        expect(read(JSON.stringify(answer.value))).toEqual(answer);
      }
    }),
    { numRuns: 500 },
  );
  fc.assert(
    fc.property(fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true }), (given) => {
      const answer = read(given);
      if (answer.ok) expect(read(JSON.stringify(answer.value))).toEqual(answer);
      else expect(answer.invalidPaths.length).toBeGreaterThan(0);
    }),
    { numRuns: 500 },
  );
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 60 }), (noise) => {
      const answer = read(`{"a":${noise}}`);
      if (answer.ok) expect(answer.value).toEqual(JSON.parse(`{"a":${noise}}`));
    }),
    { numRuns: 500 },
  );
});
