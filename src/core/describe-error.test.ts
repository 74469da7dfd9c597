import { expect, test } from "vitest";
import { describeError } from "./describe-error.ts";

test("an error is described by its name, code and place, never by its message", () => {
  const error = Object.assign(new TypeError("planted\n    at planted (planted.ts:1:1)"), { code: "ECONNREFUSED" });
  const fields = describeError(error);
  expect(fields).toMatchObject({ name: "TypeError", code: "ECONNREFUSED" });
  expect(fields.at?.[0]).toContain("describe-error.test.ts");
  expect(JSON.stringify(fields)).not.toContain("planted");
});

test.each<[string, unknown]>([
  ["a name that is a sentence", Object.assign(new Error("planted"), { name: "planted by a user" })],
  ["a code that is a sentence", Object.assign(new Error("x"), { code: "planted by a user" })],
  ["a stack that was replaced", Object.assign(new Error("message"), { stack: "planted\n    at planted (a.ts:1:1)" })],
  ["a text", "planted"],
  ["an object", { message: "planted" }],
])("nothing a user typed is in the description of %s", (_what, error) => {
  expect(JSON.stringify(describeError(error))).not.toContain("planted");
});
