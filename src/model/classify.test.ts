import { describe, expect, test } from "vitest";
import type { ModelErrorCode } from "../wire/reasons.ts";
import { classify, type Retry } from "./classify.ts";
import { readFailure } from "./read-failure.ts";
import { StreamFault } from "./stream-fault.ts";

/** As the provider's packages throw it. */
function refusal(statusCode: number, responseBody: string, responseHeaders: Record<string, string> = {}): Error {
  return Object.assign(new Error("refused"), { name: "AI_APICallError", statusCode, responseBody, responseHeaders });
}

const says = (message: string): string => JSON.stringify({ error: { message } });

describe("A refusal is told by its words first and by its status second", () => {
  test.each<readonly [number, string, ModelErrorCode, Retry]>([
    [401, "", "auth_failed", "no"],
    [400, says("the API key is not valid"), "auth_failed", "no"],
    [403, says("invalid api key"), "auth_failed", "no"],
    [403, says("no access for this team"), "permission_denied", "no"],
    [403, "<html>Attention required</html>", "permission_denied", "no"],
    [400, says("your region is not supported"), "permission_denied", "no"],
    [402, "", "payment_required", "no"],
    [400, says("the credit balance is too low"), "payment_required", "no"],
    [429, says("insufficient_quota"), "payment_required", "no"],
    [400, says("this model does not support tools"), "tools_not_supported", "changed"],
    [404, says("no endpoints found that support tool use"), "tools_not_supported", "changed"],
    [400, says("the context length of this model is exceeded"), "context_overflow", "changed"],
    [500, says("prompt is too long for n_ctx"), "context_overflow", "changed"],
    [429, says("limit 30000, requested 80000 tokens"), "context_overflow", "changed"],
    [429, says("limit 30000, used 29000, requested 8000 tokens"), "rate_limited", "backoff"],
    [413, "", "request_too_large", "changed"],
    [400, says("messages[1].content: string too long, at most 1000000, got 1200000"), "request_too_large", "changed"],
    [400, says("the image has more pixels than allowed"), "image_rejected", "no"],
    [400, says("unsupported image format, send png or jpeg"), "image_rejected", "no"],
    [400, says("image input is not supported by this model"), "image_not_supported", "no"],
    [400, says("unknown variant `image_url`, expected `text`"), "image_not_supported", "no"],
    [400, says("tool_use_failed: the model wrote no call"), "provider_error", "once"],
    [400, says("unsupported parameter: 'temperature'"), "bad_request", "changed"],
    [400, says("each tool_use needs a tool_result"), "history_rejected", "changed"],
    [500, says("the arguments could not be parsed as JSON"), "history_rejected", "changed"],
    [404, says("the model x does not exist"), "model_not_found", "no"],
    [404, "", "model_not_found", "no"],
    [400, says("flagged by the content filter"), "content_filtered", "no"],
    [429, says("slow down"), "rate_limited", "backoff"],
    [429, says("GenerateRequestsPerDay"), "rate_limited", "no"],
    [408, "", "timeout", "backoff"],
    [409, "", "provider_error", "backoff"],
    [503, "", "provider_overloaded", "backoff"],
    [529, "", "provider_overloaded", "backoff"],
    [502, "<h1>502</h1>", "provider_unreachable", "backoff"],
    [524, "", "provider_unreachable", "backoff"],
    [500, says("something went wrong"), "provider_error", "backoff"],
    [400, says("something is wrong"), "bad_request", "no"],
    [418, "", "api_error", "no"],
    [500, says("Error code: 429 - {'error': {'message': 'slow down'}}"), "rate_limited", "backoff"],
  ])("%i %s is %s", (...told) => {
    const [status, body, code, retry] = told;
    expect(classify(readFailure(refusal(status, body)), { pictures: false })).toEqual({ code, retry });
  });
});

test("a refusal without a reason is about the pictures, where there were any", () => {
  for (const status of [400, 404, 415, 422]) {
    const { code } = classify(readFailure(refusal(status, "{}")), { pictures: true });
    expect(code, String(status)).toBe("image_not_supported");
  }
});

test("a provider that says never to ask again has no room for the prompt", () => {
  const failure = readFailure(refusal(429, says("rate limit"), { "x-should-retry": "false" }));
  expect(classify(failure, { pictures: false })).toEqual({ code: "context_overflow", retry: "changed" });
});

test("an error inside an answer was said by a provider that was reached", () => {
  const failure = readFailure({ message: "upstream stopped", code: 502 });
  expect(failure).toMatchObject({ inside: true, status: 502 });
  expect(classify(failure, { pictures: false })).toEqual({ code: "provider_error", retry: "backoff" });
});

test("a connection that failed is unreachable, and one that never came about cost nothing", () => {
  const lost = (code: string): Error =>
    Object.assign(new Error("Cannot connect"), { cause: Object.assign(new Error(code), { code }) });
  for (const [code, unsent] of [
    ["ECONNREFUSED", true],
    ["ENOTFOUND", true],
    ["CERT_HAS_EXPIRED", true],
    ["ECONNRESET", false],
  ] as const) {
    const failure = readFailure(lost(code));
    expect(failure.unsent, code).toBe(unsent);
    expect(classify(failure, { pictures: false }).code, code).toBe("provider_unreachable");
  }
});

test.each<readonly [StreamFault["fault"], ModelErrorCode]>([
  ["idle", "timeout"],
  ["total", "timeout"],
  ["cut", "stream_interrupted"],
  ["too_large", "stream_malformed"],
  ["address", "provider_unreachable"],
  ["not_a_stream", "provider_error"],
])("our own guard's %s is %s, however deep it lies", (fault, code) => {
  const wrapped = new Error("outer", { cause: new Error("inner", { cause: new StreamFault(fault, "said") }) });
  expect(classify(readFailure(wrapped), { pictures: false }).code).toBe(code);
});

test.each([undefined, null, 7, "broken", {}, [], new Error("x")])(
  "%j as a failure is read without a throw",
  (error) => {
    expect(classify(readFailure(error), { pictures: false }).code).toBe("provider_error");
  },
);
