import { callStreams, find, textStreams, toSse, type Chunk } from "./provider-streams.ts";
import type { ProviderAnswer } from "./replay-server.ts";

const body = (
  id: string,
  [status, sent]: readonly [status: number, sent: unknown],
  right: Pick<ProviderAnswer, "ends"> & Partial<ProviderAnswer>,
): ProviderAnswer => ({ id, protocol: "openai-chat", http_status: status, body: sent, ...right });

const bodies: readonly ProviderAnswer[] = [
  body(
    "a whole answer though a stream was asked",
    [200, { choices: [{ message: { content: "Hello" }, finish_reason: "stop" }] }],
    { ends: "ok:text", text: "Hello" },
  ),
  body(
    "two calls under one id in a whole answer",
    [
      200,
      {
        choices: [
          {
            message: {
              tool_calls: [
                { id: "x", function: { name: "invoices_find", arguments: '{"customer":"Acme"}' } },
                { id: "x", function: { name: "tasks_find", arguments: "{}" } },
              ],
            },
            finish_reason: "tool_calls",
          },
        ],
      },
    ],
    { ends: "ok:calls", calls: [find, ["tasks_find", "{}"]] },
  ),
  body("a page at status 200", [200, "<html><body>Sign in</body></html>"], { ends: "provider_error", requests: 3 }),
  body("an error at status 200", [200, { error: { code: 401, message: "no" } }], { ends: "auth_failed" }),
  body(
    "an answer of another protocol",
    [200, { output: { message: { content: [{ toolUse: { name: "tasks_find" } }] } } }],
    { ends: "provider_error" },
  ),
  body("nothing at status 401", [401, ""], { ends: "auth_failed" }),
  body("a page at status 413", [413, "<h1>413</h1>"], { ends: "request_too_large", requests: 2 }),
  body("no more quota", [429, { error: { code: "insufficient_quota", message: "quota" } }], {
    ends: "payment_required",
  }),
  body(
    "a prompt larger than the limit, as a rate limit",
    [429, { error: { message: "Limit 30000, Requested 90000 tokens" } }],
    { ends: "context_overflow" },
  ),
  body("a short rate limit", [429, { error: { message: "slow down" } }], {
    ends: "rate_limited",
    requests: 3,
    headers: { "retry-after": "0" },
  }),
  body("a page of a proxy", [502, "<h1>502 Bad Gateway</h1>"], { ends: "provider_unreachable", requests: 3 }),
  body("an unknown model", [404, { error: { message: "The model `m` does not exist" } }], { ends: "model_not_found" }),
  body("a status of no meaning here", [418, { error: { message: "teapot" } }], { ends: "api_error" }),
  body("a redirect", [307, ""], { ends: "provider_unreachable", headers: { location: "http://169.254.169.254/" } }),
];

const anthropic = (type: string, more: Chunk = {}): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`;
const begun = anthropic("message_start", {
  message: {
    id: "m",
    type: "message",
    role: "assistant",
    model: "m",
    content: [],
    stop_reason: null,
    usage: { input_tokens: 9, output_tokens: 1 },
  },
});
const ended = (reason: string): readonly string[] => [
  anthropic("message_delta", { delta: { stop_reason: reason }, usage: { output_tokens: 4 } }),
  anthropic("message_stop"),
];

const others: readonly ProviderAnswer[] = [
  {
    id: "anthropic: an unknown event first",
    protocol: "anthropic",
    http_status: 200,
    end: "hang",
    ends: "ok:text",
    text: "Hello",
    sse_chunks: [
      anthropic("content_vibe"),
      begun,
      anthropic("content_block_start", { index: 0, content_block: { type: "text", text: "" } }),
      anthropic("content_block_delta", { index: 0, delta: { type: "text_delta", text: "Hello" } }),
      anthropic("content_block_stop", { index: 0 }),
      ...ended("end_turn"),
    ],
  },
  {
    id: "anthropic: arguments of a block that never began",
    protocol: "anthropic",
    http_status: 200,
    end: "close",
    ends: "ok:empty",
    sse_chunks: [
      begun,
      anthropic("content_block_delta", { index: 0, delta: { type: "input_json_delta", partial_json: "{}" } }),
      anthropic("content_block_stop", { index: 0 }),
      ...ended("tool_use"),
    ],
  },
  {
    id: "anthropic: a refusal",
    protocol: "anthropic",
    http_status: 200,
    end: "close",
    ends: "answer_refused",
    sse_chunks: [begun, ...ended("refusal")],
  },
  {
    id: "anthropic: a pause, in a whole answer",
    protocol: "anthropic",
    http_status: 200,
    ends: "ok:continue",
    text: "Searching",
    body: {
      type: "message",
      id: "m",
      role: "assistant",
      model: "m",
      content: [{ type: "text", text: "Searching" }],
      stop_reason: "pause_turn",
      usage: { input_tokens: 1, output_tokens: 1 },
    },
  },
  {
    id: "anthropic: overloaded before a word",
    protocol: "anthropic",
    http_status: 200,
    end: "close",
    ends: "provider_overloaded",
    requests: 3,
    sse_chunks: [anthropic("error", { error: { type: "overloaded_error", message: "Overloaded" } })],
  },
  {
    id: "google: a blocked prompt",
    protocol: "google",
    http_status: 200,
    ends: "content_filtered",
    body: { promptFeedback: { blockReason: "SAFETY" } },
  },
  {
    id: "google: kept open after its finish",
    protocol: "google",
    http_status: 200,
    end: "hang",
    ends: "ok:text",
    text: "Hello",
    sse_chunks: toSse([{ candidates: [{ content: { parts: [{ text: "Hello" }] }, finishReason: "STOP" }] }]),
  },
  {
    id: "google: a key that is not valid",
    protocol: "google",
    http_status: 400,
    ends: "auth_failed",
    body: { error: { code: 400, status: "INVALID_ARGUMENT", details: [{ reason: "API_KEY_INVALID" }] } },
  },
  {
    id: "responses: a call without an item id",
    protocol: "openai-responses",
    http_status: 200,
    ends: "ok:calls",
    calls: [find],
    body: {
      object: "response",
      id: "r",
      status: "completed",
      model: "m",
      created_at: 1,
      output: [{ type: "function_call", call_id: "c", name: "invoices_find", arguments: '{"customer":"Acme"}' }],
      usage: { input_tokens: 1, output_tokens: 1 },
    },
  },
];

/** Hand-made answers of every kind that has met a client, each with how a call of it must end. */
export const providerAnswers: readonly ProviderAnswer[] = [...callStreams, ...textStreams, ...bodies, ...others];
