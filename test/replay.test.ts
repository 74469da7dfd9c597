import { describe, expect, test } from "vitest";
import { checkRequest } from "../scripts/replay/check-request.ts";
import { judgeCase, type Judged, type Quirk } from "../scripts/replay/judge-case.ts";
import { replayAll } from "../scripts/replay/replay-cases.ts";

const chat = (message: object, finish = "stop"): object => ({
  choices: [{ index: 0, message, finish_reason: finish }],
});
const weather = { id: "call_1", type: "function", function: { name: "get_weather", arguments: '{"city":"Oslo"}' } };

const base = { protocol: "openai-chat", http_status: 200 } as const;
const cases: readonly Quirk[] = [
  { ...base, id: "a call", body: chat({ tool_calls: [weather] }, "tool_calls"), notice_code: null, retry: "no" },
  { ...base, id: "blanks", body: chat({ content: " \n" }), notice_code: "empty_answer", retry: "same_request_once" },
  {
    ...base,
    id: "a name nobody offered",
    body: chat({ tool_calls: [{ ...weather, function: { name: "$rm -rf", arguments: "{}" } }] }, "tool_calls"),
    notice_code: "unknown_tool",
    retry: "no",
  },
  {
    ...base,
    id: "half a stream",
    sse_chunks: ['data: {"choices":[{"index":0,"delta":{"content":"Half"}}]}\n\n'],
    end: "close",
    notice_code: "stream_interrupted",
    retry: "no",
  },
  { ...base, id: "no key", http_status: 401, body: "", notice_code: "auth_failed", retry: "no" },
  { ...base, id: "too busy", http_status: 503, body: "", notice_code: "provider_overloaded", retry: "backoff" },
  {
    ...base,
    id: "too long",
    http_status: 400,
    body: { error: { message: "the context window is exceeded" } },
    notice_code: "context_overflow",
    retry: "changed_request_once",
  },
  {
    id: "a pause",
    protocol: "anthropic",
    http_status: 200,
    body: {
      type: "message",
      id: "m",
      role: "assistant",
      model: "m",
      content: [{ type: "text", text: "Searching" }],
      stop_reason: "pause_turn",
      usage: { input_tokens: 1, output_tokens: 1 },
    },
    notice_code: null,
    retry: "continue",
  },
];

test("answers of providers pass through whole turns as their cases ask", async () => {
  const judged: Judged[] = [];
  await replayAll(cases, (quirk, observed) => judged.push(judgeCase(quirk, observed)));
  expect(judged.filter(({ pass }) => !pass)).toEqual([]);
  expect(judged.map(({ id }) => id).toSorted()).toEqual(cases.map(({ id }) => id).toSorted());
  expect(judged.find(({ id }) => id === "a call")).toMatchObject({ ended: "answer", stored_calls: 1 });
  expect(judged.find(({ id }) => id === "half a stream")).toMatchObject({ ended: "notice", shown_chars: 4 });
});

test("a case that asks for something else does not pass", async () => {
  const judged: Judged[] = [];
  const wrong = { ...base, id: "wrong", http_status: 401, body: "", notice_code: "rate_limited", retry: "backoff" };
  await replayAll([wrong], (quirk, observed) => judged.push(judgeCase(quirk, observed)));
  expect(judged).toMatchObject([{ pass: false, notice: "auth_failed", retry: "no" }]);
});

describe("The checker of requests knows what providers refuse", () => {
  const asks = { role: "user", content: "Which?" };
  const call = { id: "abcdefgh1", type: "function", function: { name: "find", arguments: "{}" } };
  const result = { role: "tool", tool_call_id: "abcdefgh1", content: "none" };
  const calls = { role: "assistant", content: null, tool_calls: [call] };

  test.each<readonly [string, readonly object[]]>([
    ["a call without a result", [asks, calls, asks]],
    ["a result without a call", [asks, result]],
    ["a blank message", [asks, { role: "assistant", content: " " }, asks]],
    ["an id of another form", [asks, { ...calls, tool_calls: [{ ...call, id: "call_1" }] }]],
    [
      "arguments that are no object",
      [asks, { ...calls, tool_calls: [{ ...call, function: { name: "find", arguments: "[]" } }] }],
    ],
    [
      "a name of other letters",
      [asks, { ...calls, tool_calls: [{ ...call, function: { name: "a b", arguments: "{}" } }] }],
    ],
    ["an answer at the end", [asks, { role: "assistant", content: "None." }]],
  ])("%s", (_what, messages) => {
    expect(checkRequest({ messages }, "openai-chat")).not.toBeNull();
  });

  test("and takes a request in order", () => {
    expect(
      checkRequest({ messages: [{ role: "system", content: "s" }, asks, calls, result] }, "openai-chat"),
    ).toBeNull();
  });

  test("in Anthropic's and Google's words too", () => {
    const use = { role: "assistant", content: [{ type: "tool_use", id: "abcdefgh1", name: "find", input: {} }] };
    const used = { role: "user", content: [{ type: "tool_result", tool_use_id: "abcdefgh1", content: "none" }] };
    const user = { role: "user", content: [{ type: "text", text: "Which?" }] };
    expect(checkRequest({ messages: [user, use, used] }, "anthropic")).toBeNull();
    expect(checkRequest({ messages: [user, use, user] }, "anthropic")).toBe("calls and results do not match");
    const google = [
      { role: "user", parts: [{ text: "Which?" }] },
      { role: "model", parts: [{ functionCall: { name: "find", args: {} } }] },
    ];
    expect(checkRequest({ contents: google }, "google")).toBe("the last call has no result");
  });
});
