import { expect, test } from "vitest";
import { toReading, toVerdict } from "./child-answer.ts";

const text = { ok: true, type: "text/plain", text: "words", cut: false, peakBytes: 9 };
const picture = { ok: true, found: "image/gif", type: "image/png", picture: { width: 2, height: 3 } };

test.each([text, picture, { ok: false, code: "encrypted" }])(
  "what a process answers of a file is taken: %j",
  (answer) => {
    expect(toReading(JSON.stringify(answer), 5)).toEqual(answer);
  },
);

test.each([
  "",
  "null",
  "[]",
  "{",
  { ...text, type: "text/html" },
  { ...text, text: "more than was asked for" },
  { ...text, text: ["words"] },
  { ...picture, type: "image/svg+xml" },
  { ...picture, type: "text/html" },
  { ...picture, picture: { width: -1, height: 1e9 } },
  { ok: false, code: "interrupted" },
  { ok: "yes" },
])("what a process says that a file took over is worth nothing: %j", (said) => {
  const line = typeof said === "string" ? said : JSON.stringify(said);
  expect(toReading(line, 5)).toEqual({ ok: false, code: "unreadable" });
});

test("so it is with why it was ended", () => {
  expect(toVerdict(`{"code":"timeout","peakBytes":1}`)).toEqual({ code: "timeout", peakBytes: 1 });
  for (const line of ["", "{", `{"code":"ready"}`, `{"code":"timeout"}`]) expect(toVerdict(line)).toBeNull();
});
