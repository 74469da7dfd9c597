import { expect, test } from "vitest";
import { describeFault, isDatabaseUnavailable } from "./fault.ts";

const withCode = (code: string): Error => Object.assign(new Error("secret value"), { code });

test.each(["ECONNREFUSED", "ECONNRESET", "ENOENT", "57P01", "57P03", "57014", "53300", "08006"])(
  "the database is unavailable: %s",
  (code) => expect(isDatabaseUnavailable(withCode(code))).toBe(true),
);

test.each(["23505", "42601", "22P02", "ERR_INVALID_ARG_TYPE"])(
  "our own mistake is no unavailable database: %s",
  (code) => expect(isDatabaseUnavailable(withCode(code))).toBe(false),
);

test("a driver's error without a code is known by its words, and several by all of them", () => {
  expect(isDatabaseUnavailable(new Error("Connection terminated unexpectedly"))).toBe(true);
  expect(isDatabaseUnavailable(new Error("x is not a function"))).toBe(false);
  expect(isDatabaseUnavailable(new AggregateError([withCode("ECONNREFUSED"), withCode("ECONNREFUSED")]))).toBe(true);
  expect(isDatabaseUnavailable(new AggregateError([withCode("ECONNREFUSED"), new Error("x")]))).toBe(false);
  expect(isDatabaseUnavailable("text")).toBe(false);
});

test("a fault is described without its message", () => {
  const fault = describeFault(withCode("23505"));
  expect(fault).toMatchObject({ error: "Error", code: "23505" });
  expect(JSON.stringify(fault)).not.toContain("secret value");
  expect(fault.at.length).toBeGreaterThan(0);
});
