import type { ModelErrorCode } from "../wire/reasons.ts";
import type { Failure } from "./read-failure.ts";

/**
 * Whether the same request may be sent again: `backoff` as often as `modelRetries` says, `once` at once, `changed`
 * once in another form (shorter, without tools, without a parameter), `no` never.
 */
export type Retry = "no" | "backoff" | "once" | "changed";

export interface Verdict {
  readonly code: ModelErrorCode;
  readonly retry: Retry;
}

interface Sign extends Verdict {
  /** Statuses it is looked for at; absent means any, an empty list none at all. */
  readonly at?: readonly (number | null)[];
  readonly words?: RegExp;
  readonly unless?: RegExp;
  readonly header?: readonly [name: string, value: RegExp];
}

const refusedAt = [400, 404, 413, 415, 422, 500];

/** The first sign that fits names the code. Inner words come before the status: providers put many truths behind one status. */
const signs: readonly Sign[] = [
  { code: "auth_failed", retry: "no", words: /API_KEY_INVALID|invalid_api_key|API key not valid|invalid x-api-key/i },
  { code: "auth_failed", retry: "no", at: [401] },
  { code: "auth_failed", retry: "no", at: [403], words: /authentication_error|invalid.{0,20}api.?key|unauthorized/i },
  {
    code: "payment_required",
    retry: "no",
    words: /insufficient_quota|credit balance|insufficient.{0,3}(?:balance|credits|funds)|billing_(?:hard|not)/i,
  },
  { code: "payment_required", retry: "no", at: [402] },
  {
    code: "tools_not_supported",
    retry: "changed",
    words:
      /(?:does not|doesn't|do not|not) support (?:tools?|function|tool.?(?:use|calling|choice))|enable-auto-tool-choice|tool-call-parser|no endpoints found that support tool|(?:tools?|function.?calling)\W{1,3}(?:is|are) not supported/i,
  },
  {
    code: "context_overflow",
    retry: "changed",
    words:
      /context.{0,3}(?:length|window|size)|maximum context|prompt is too long|input is too long|too many (?:input )?tokens|token count.{0,40}exceed|exceeds?.{0,30}(?:maximum|max).{0,20}tokens|n_ctx|exceed_context|reduce the length of (?:the|your) (?:messages|prompt)|context_length_exceeded|max_prompt_tokens|larger than the (?:maximum|model)/i,
  },
  { code: "context_overflow", retry: "changed", at: [413, 429], words: /request too large/i },
  { code: "context_overflow", retry: "changed", at: [429], header: ["x-should-retry", /^false$/] },
  {
    code: "request_too_large",
    retry: "changed",
    words: /string_above_max_length|string too long|request_too_large|payload too large/i,
  },
  { code: "request_too_large", retry: "changed", at: [413] },
  {
    code: "image_rejected",
    retry: "no",
    at: refusedAt,
    words:
      /could not process image|image.{0,60}(?:dimension|exceed|too (?:large|big|long)|pixels|corrupt|invalid|format|size)|(?:invalid|unsupported|unable to (?:process|download|decode)).{0,30}image|media.?type.{0,60}(?:appears|does not match|mismatch)|(?:failed|unable|error).{0,30}(?:download|fetch).{0,30}(?:image|file|url)|robots\.txt/i,
    unless: /image input|support.{0,20}image|image_url.{0,40}(?:unknown|expected)|unknown variant/i,
  },
  {
    code: "image_not_supported",
    retry: "no",
    at: refusedAt,
    words: /\bimages?\b|image_url|vision|multi-?modal|mmproj|\bmedia\b/i,
  },
  { code: "provider_error", retry: "once", words: /tool_use_failed/ },
  {
    code: "history_rejected",
    retry: "changed",
    at: [400, 422, 500],
    words:
      /tool_call_id|tool_use_id|tool_result|tool_use\b|tool call id|function (?:response|call).{0,40}(?:parts|turn)|number of function|thought_?signature|reasoning_content|without its required|following item|not the same number|unexpected role|expected last role|text content blocks must be non-empty|(?:unterminated|expecting|parse error|failed to parse).{0,80}|Input should be a valid dictionary|input: .{0,30}(?:dict|object)|insufficient tool messages|invalid.{0,20}tool.{0,10}name/i,
  },
  {
    code: "permission_denied",
    retry: "no",
    words:
      /unsupported_country|location is not supported|region.{0,30}not.{0,10}(?:supported|available)|not available in your (?:country|region)/i,
  },
  {
    code: "model_not_found",
    retry: "no",
    words:
      /model_not_found|DeploymentNotFound|model.{0,80}(?:does not exist|not found)|(?:unknown|invalid|no such) model|not_found_error/i,
  },
  {
    code: "bad_request",
    retry: "changed",
    at: [400, 422],
    words: /unsupported_parameter|unsupported_value|unsupported parameter|unsupported value/i,
  },
  {
    code: "content_filtered",
    retry: "no",
    words: /content_filter|content_policy|ResponsibleAIPolicy|PROHIBITED_CONTENT|blockReason/i,
  },
  { code: "permission_denied", retry: "no", at: [403] },
  { code: "provider_overloaded", retry: "backoff", words: /overloaded_error|"UNAVAILABLE"/ },
  { code: "rate_limited", retry: "backoff", at: [429] },
  { code: "rate_limited", retry: "backoff", at: [null], words: /rate_limit|RESOURCE_EXHAUSTED|too many requests/i },
  { code: "model_not_found", retry: "no", at: [404] },
  { code: "timeout", retry: "backoff", at: [408] },
  { code: "provider_overloaded", retry: "backoff", at: [503, 529] },
  { code: "provider_unreachable", retry: "backoff", at: [502, 504, 520, 521, 522, 523, 524, 525, 526, 530] },
  { code: "provider_error", retry: "backoff", at: [409] },
];

/** What a failed request means and whether it may be sent again. */
export function classify(failure: Failure): Verdict {
  if (failure.fault === "idle" || failure.fault === "total") return { code: "timeout", retry: "backoff" };
  if (failure.fault === "too_large") return { code: "stream_malformed", retry: "no" };
  if (failure.fault === "address") return { code: "provider_unreachable", retry: "no" };
  if (failure.fault === "not_a_stream") return { code: "provider_error", retry: "backoff" };
  const sign = signs.find((one) => fits(one, failure));
  if (sign !== undefined) return { code: sign.code, retry: sign.retry };
  if (failure.status === null)
    return failure.unanswered ? { code: "provider_unreachable", retry: "backoff" } : byWords(failure);
  if (failure.status >= 500) return { code: "provider_error", retry: "backoff" };
  return { code: failure.status === 400 || failure.status === 422 ? "bad_request" : "api_error", retry: "no" };
}

function fits(sign: Sign, { status, words, headers }: Failure): boolean {
  if (sign.at !== undefined && !sign.at.includes(status)) return false;
  if (sign.words !== undefined && !sign.words.test(words)) return false;
  if (sign.unless !== undefined && sign.unless.test(words)) return false;
  return sign.header === undefined || sign.header[1].test(headers[sign.header[0]] ?? "");
}

function byWords({ words }: Failure): Verdict {
  if (/terminated|socket|ECONN|network|fetch failed|aborted/i.test(words)) {
    return { code: "stream_interrupted", retry: "backoff" };
  }
  return { code: "provider_error", retry: "no" };
}
