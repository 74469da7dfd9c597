import { describe, expect, test } from "vitest";
import { toToolResult } from "./tool-result.ts";

const done = (result: unknown) => toToolResult({ ok: true, status: "done", result }, 500);

describe("A tool's result", () => {
  test.each([
    ["an object is JSON", { a: [1, "b"] }, '{"a":[1,"b"]}'],
    ["a text is itself", "plain words", "plain words"],
    ["an empty text can be told from none", "", '""'],
    ["nothing is null", undefined, "null"],
    ["null is null", null, "null"],
    ["a number is JSON", 4.5, "4.5"],
  ])("%s", (_rule, result, text) => {
    expect(done(result)).toEqual({ status: "ok", text });
  });

  test("is cut at a character boundary, with a note how much is missing, all within the limit", () => {
    const { text } = done("😀".repeat(400));
    expect(text.length).toBeLessThanOrEqual(500);
    expect(text.isWellFormed()).toBe(true);
    expect(text).toMatch(/^(?:😀)+\n\[\d+ more characters were left out\]$/u);
  });

  test("loses NUL and lone surrogates before it is stored", () => {
    expect(done("a\0b\ud800c")).toEqual({ status: "ok", text: "ab\ufffdc" });
  });

  test("that cannot be written as JSON is an error, not a broken turn", () => {
    const circle: Record<string, unknown> = {};
    circle["self"] = circle;
    expect(done(circle).status).toBe("error");
    expect(done({ big: 1n }).status).toBe("error");
  });
});

describe("A call that failed", () => {
  test("tells the model core's code in words", () => {
    expect(toToolResult({ ok: false, reason: "forbidden" }, 500)).toEqual({
      status: "error",
      text: "Not run (forbidden): the user has no right to this.",
    });
  });

  test("names the paths that are wrong and never their values", () => {
    const { text } = toToolResult({ ok: false, reason: "invalid_input", invalidPaths: ["id", "lines.0"] }, 500);
    expect(text).toBe("Not run (invalid_input): the arguments are not what the tool takes. Wrong: id, lines.0.");
  });

  test("hands on a tool's own refusal with its sentence", () => {
    const answer = { ok: false, reason: "refused_by_tool", code: "paid", sentence: "It is paid already." } as const;
    expect(toToolResult(answer, 500).text).toBe("Refused (paid): It is paid already.");
  });

  test("says when it is possible again", () => {
    const { text } = toToolResult({ ok: false, reason: "rate_limited", retryAfter: 12 }, 500);
    expect(text).toContain("Possible again in 12 seconds.");
  });
});
