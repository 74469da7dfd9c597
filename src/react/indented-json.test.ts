import fc from "fast-check";
import { expect, test } from "vitest";
import { toIndentedJson } from "./indented-json.ts";

test("arguments are set out over lines", () => {
  expect(toIndentedJson('{"id":"2041","lines":[1.50,{}],"note":"a, b: {c}"}')).toBe(
    '{\n  "id": "2041",\n  "lines": [\n    1.50,\n    {}\n  ],\n  "note": "a, b: {c}"\n}',
  );
});

test("it means the same, and no token is written otherwise", () => {
  fc.assert(
    fc.property(fc.json(), (json) => {
      expect(JSON.parse(toIndentedJson(json))).toEqual(JSON.parse(json));
      expect(toIndentedJson(json).replace(/\s/g, "")).toBe(json.replace(/\s/g, ""));
    }),
    { numRuns: 300 },
  );
});

test("text that was cut off loses nothing", () => {
  expect(toIndentedJson('{"id":"20').replace(/\s/g, "")).toBe('{"id":"20');
});
