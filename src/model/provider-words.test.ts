import { expect, test } from "vitest";
import { toLogWords } from "./provider-words.ts";

test("messages and codes are told, requests and answers are not", () => {
  const body = JSON.stringify({
    error: { message: "bad request", code: "invalid", failed_generation: "the answer", user_id: "user_1" },
    detail: [{ msg: "field required", input: { text: "the question" } }],
  });
  const said = toLogWords([body, 'Type validation failed: Value: {"text":"the answer"}']);
  expect(said).toContain("bad request; invalid; field required");
  expect(said).toContain("Type validation failed");
  expect(said).not.toMatch(/the answer|the question|user_1/);
});

test.each([
  "Incorrect API key provided: sk-proj-abcdef1234567890.",
  "sent Bearer abc.def-ghi",
  "key AIzaSyA1234567890abcdefghijklmnopqrstuv",
  "token 0123456789abcdef0123456789abcdef",
])("%j is told without its key", (words) => {
  expect(toLogWords([words])).toContain("[key]");
  expect(toLogWords([words])).not.toMatch(/abcdef|abc\.def/);
});

test("HTML is told as text, and everything is cut", () => {
  expect(toLogWords(["<html><style>a{}</style><h1>502 Bad Gateway</h1></html>"])).toBe("502 Bad Gateway");
  expect(toLogWords(["long ".repeat(500)]).length).toBeLessThanOrEqual(300);
});
