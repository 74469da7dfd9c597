import { expect, test } from "vitest";
import { backoff, readRetryAfter } from "./retry-after.ts";

const now = Date.parse("2026-11-30T12:00:00Z");
const read = (headers: Readonly<Record<string, string>>, words = ""): number | null =>
  readRetryAfter({ headers, words }, now);

test("milliseconds, seconds and dates are read", () => {
  expect(read({ "retry-after-ms": "1500", "retry-after": "9" })).toBe(1_500);
  expect(read({ "retry-after": "2" })).toBe(2_000);
  expect(read({ "retry-after": "Mon, 30 Nov 2026 12:00:05 GMT" })).toBe(5_000);
});

test("a date in the past is now, and rubbish is nothing", () => {
  expect(read({ "retry-after": "Mon, 30 Nov 2020 12:00:05 GMT" })).toBe(0);
  expect(read({ "retry-after": "soon" })).toBeNull();
  expect(read({ "retry-after": "-3" })).toBeNull();
  expect(read({})).toBeNull();
});

test("a delay in the body is read, in JSON and in JSON within JSON", () => {
  expect(read({}, '{"details":[{"retryDelay":"34.4s"}]}')).toBe(34_400);
  expect(read({}, '{"message":"{\\"retryDelay\\": \\"2s\\"}"}')).toBe(2_000);
});

test("waits double, with a little by chance", () => {
  expect([0, 1, 2].map((repeats) => backoff(repeats, 500, 0))).toEqual([500, 1_000, 2_000]);
  expect(backoff(0, 500, 1)).toBe(625);
});
