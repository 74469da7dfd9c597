import type { ModelErrorCode } from "../wire/reasons.ts";
import type { Failure } from "./read-failure.ts";
import { noChoices } from "./repair-chat.ts";

/**
 * Whether the same request may be sent again: `backoff` as often as `modelRetries` says, `once` at once, `changed`
 * once in another form (shorter, without tools, without a parameter), `no` never.
 */
export type Retry = "no" | "backoff" | "once" | "changed";

export interface Verdict {
  readonly code: ModelErrorCode;
  readonly retry: Retry;
}

/** What is known of the request beside the failure. */
export interface Asked {
  /** Whether it carried pictures. */
  readonly pictures: boolean;
}

interface Sign extends Verdict {
  /** The statuses it counts at; absent means any. */
  readonly at?: readonly (number | null)[];
  readonly words?: RegExp;
  readonly if?: (failure: Failure, asked: Asked) => boolean;
}

const badRequest = [400, 422, null];
const refusedRequest = [400, 404, 413, 415, 422, 500, null];
const imageWords = /\bimages?\b|image_url|\bpictures?\b|vision|multi-?modal|mmproj|\bmedia\b/i;

/** The first sign that fits names the code. Words come before the status: providers put many truths behind one status. */
const signs: readonly Sign[] = [
  {
    code: "auth_failed",
    retry: "no",
    at: [400, 401, 403, null],
    words:
      /API_KEY_INVALID|invalid_api_key|(?:api|access).?key.{0,40}(?:invalid|not valid|incorrect|missing|expired|wrong|revoked|required)|(?:invalid|incorrect|wrong|missing|expired|no).{0,20}(?:api.?key|x-api-key|credentials)|authentication_error/i,
  },
  { code: "auth_failed", retry: "no", at: [401] },
  {
    code: "payment_required",
    retry: "no",
    words:
      /insufficient.{0,10}(?:quota|balance|credit|fund)|credit balance|out of credits?|(?:no|more|buy|add|purchase).{0,12}credits\b|only afford|billing_hard_limit|payment required/i,
  },
  { code: "payment_required", retry: "no", at: [402] },
  {
    code: "permission_denied",
    retry: "no",
    words:
      /unsupported_country|(?:country|region|territory|location).{0,60}(?:not|un)\W{0,2}.{0,12}(?:support|serv|avail|allow)|(?:not|un)\W{0,2}(?:support|serv|avail|allow)\w*.{0,40}(?:country|region|territory|location)/i,
  },
  // the model failed at a call, not the request
  { code: "provider_error", retry: "once", words: /tool_use_failed|failed_generation/ },
  {
    code: "tools_not_supported",
    retry: "changed",
    at: refusedRequest,
    words:
      /(?:tools?|function.?call\w*|tool.?choice)\W.{0,60}(?:not|n't|un)\W?.{0,12}(?:support|enabled|available|accept)|(?:not|n't|no endpoints.{0,20}) support\w*.{0,20}(?:tools?\b|tool.?(?:use|call)|function)|tool.?choice.{0,60}(?:requires?|needs?|flag)|enable-auto-tool|tool-call-parser/i,
  },
  { code: "request_too_large", retry: "changed", at: badRequest, words: /above_max_length|string too long/i },
  {
    code: "context_overflow",
    retry: "changed",
    words:
      /context.{0,4}(?:length|window|size|limit)|maximum context|(?:prompt|input|request|messages?|conversation).{0,24}too (?:long|many tokens)|too many (?:input |prompt )?tokens|token (?:count|limit).{0,40}(?:exceed|reached)|exceed\w*.{0,40}(?:tokens?|context|n_ctx)|n_ctx|reduce the length|tokens?.{0,60}(?:exceed|window|than the m)|max_prompt_tokens/i,
  },
  { code: "context_overflow", retry: "changed", at: [400, 413, 429, 500, null], if: ({ words }) => asksForMore(words) },
  { code: "context_overflow", retry: "changed", at: [413, 429], words: /request too large/i },
  { code: "context_overflow", retry: "changed", at: [429], if: ({ headers }) => headers["x-should-retry"] === "false" },
  {
    code: "image_rejected",
    retry: "no",
    at: refusedRequest,
    if: ({ words }) => imageWords.test(words) && saysBadPicture(words),
  },
  { code: "request_too_large", retry: "changed", at: [413] },
  {
    code: "request_too_large",
    retry: "changed",
    at: badRequest,
    words:
      /(?:message|content|payload|body|request).{0,30}(?:too (?:long|large|big)|maximum (?:length|size)|over the limit)/i,
  },
  { code: "image_not_supported", retry: "no", at: refusedRequest, words: imageWords },
  {
    code: "bad_request",
    retry: "changed",
    at: badRequest,
    words:
      /unsupported_(?:parameter|value)|(?:parameter|value|field|argument)s?\W.{0,60}(?:not|un)\W?.{0,10}(?:support|permitted|allowed|recogni)|(?:not support|unsupport|unrecogni|unknown|unexpected)\w*.{0,20}(?:parameter|field|keyword|argument)|max_completion_tokens/i,
  },
  {
    code: "history_rejected",
    retry: "changed",
    at: [400, 422, 500, null],
    words:
      /tool[_ ]?(?:call|use|result|message|response)|function[_ ](?:call|response)|signature|reasoning[_ ](?:content|item)|without its required|following item|not the same number|\broles?\b.{0,60}(?:alternat|order|expect|unexpect|must|after)|(?:text|content|message).{0,40}(?:empty|blank|white.?space)|arguments.{0,60}(?:json|pars|object|dict)|valid dictionary|unterminated string/i,
  },
  {
    code: "model_not_found",
    retry: "no",
    at: [400, 403, 404, null],
    words:
      /model_not_found|DeploymentNotFound|models?\b.{0,80}(?:not exist|not found|not available|no longer|deprecated|decommission|retired|unknown)|(?:unknown|invalid|no such|find|not a valid).{0,20}model\b|not_found_error/i,
  },
  {
    code: "content_filtered",
    retry: "no",
    at: [400, 403, null],
    words:
      /content.?(?:filter|policy|management)|ResponsibleAI|PROHIBITED_CONTENT|blockReason|moderation|flagged|safety/i,
  },
  { code: "permission_denied", retry: "no", at: [403] },
  // a day's quota does not come back within a turn
  { code: "rate_limited", retry: "no", at: [429], words: /PerDay|per day|daily/i },
  { code: "rate_limited", retry: "backoff", at: [429] },
  {
    code: "provider_overloaded",
    retry: "backoff",
    at: [503, 529, null],
    words: /overloaded|"UNAVAILABLE"|at capacity/i,
  },
  {
    code: "rate_limited",
    retry: "backoff",
    at: [500, null],
    words: /rate.?limit|RESOURCE_EXHAUSTED|too many requests/i,
  },
  { code: "image_not_supported", retry: "no", at: [400, 404, 415, 422], if: (_failure, asked) => asked.pictures },
  { code: "model_not_found", retry: "no", at: [404] },
  { code: "timeout", retry: "backoff", at: [408] },
  { code: "provider_overloaded", retry: "backoff", at: [503, 529] },
  {
    code: "provider_unreachable",
    retry: "backoff",
    at: [502, 504, 520, 521, 522, 523, 524, 525, 526, 530],
    if: ({ inside }) => !inside,
  },
  { code: "provider_error", retry: "backoff", at: [409] },
  { code: "provider_error", retry: "once", at: [null], words: new RegExp(noChoices) },
  { code: "provider_error", retry: "backoff", at: [null], words: /server_error|internal|api_error|try again/i },
];

/** What a failed request means and whether it may be sent again. */
export function classify(failure: Failure, asked: Asked): Verdict {
  switch (failure.fault) {
    case "idle":
    case "total":
      return { code: "timeout", retry: "backoff" };
    case "cut":
      return { code: "stream_interrupted", retry: "backoff" };
    case "too_large":
      return { code: "stream_malformed", retry: "no" };
    case "address":
      return { code: "provider_unreachable", retry: "no" };
    case "not_a_stream":
      return { code: "provider_error", retry: "backoff" };
    case null:
  }
  if (failure.unanswered) return { code: "provider_unreachable", retry: "backoff" };
  const sign = signs.find((one) => fits(one, failure, asked));
  if (sign !== undefined) return { code: sign.code, retry: sign.retry };
  const { status } = failure;
  if (status === null) return { code: "provider_error", retry: "no" };
  if (status >= 500) return { code: "provider_error", retry: "backoff" };
  return { code: status === 400 || status === 422 ? "bad_request" : "api_error", retry: "no" };
}

function fits(sign: Sign, failure: Failure, asked: Asked): boolean {
  if (sign.at !== undefined && !sign.at.includes(failure.status)) return false;
  if (sign.words !== undefined && !sign.words.test(failure.words)) return false;
  return sign.if === undefined || sign.if(failure, asked);
}

/** Whether the words say a limit and a larger figure asked for: waiting never helps then. */
function asksForMore(words: string): boolean {
  const limits = figures(words, /(?:limit|max\w*|window|up to|at most|allow\w*|context)\D{0,24}?([\d,_]{4,})/gi);
  const asked = [
    ...figures(words, /(?:request\w*|asked|has|have|got|contains?|sent|needs?|resulted in)\D{0,24}?([\d,_]{4,})/gi),
    ...figures(words, /([\d,_]{4,})\s*(?:tokens?)\D{0,12}(?:requested|asked|sent|given|>)/gi),
  ];
  return limits.length > 0 && asked.length > 0 && Math.max(...asked) > Math.min(...limits);
}

function figures(words: string, pattern: RegExp): readonly number[] {
  return [...words.matchAll(pattern)].map((found) => Number((found[1] ?? "").replace(/[,_]/g, "")));
}

/** This picture is refused, rather than pictures as such. */
function saysBadPicture(words: string): boolean {
  if (/unknown variant|text.?only|only text|image input|mmproj/i.test(words)) return false;
  const ofKind =
    /(?:format|mime|media.?type|extension)|declared|looks? like|appears?|mismatch|does not match|robots|download|fetch|reach/i;
  const ofShape =
    /dimension|pixel|\bsides?\b|too (?:large|big|long|small)|larger|longer|exceed|\bMB\b|\bbytes\b|process|corrupt|broken|truncated|decode|invalid (?:base64|image)|could not|cannot be|unreadable/i;
  if (ofKind.test(words) && !/does ?n.t support|not support(?:ed)? (?:by|for)|no support/i.test(words)) return true;
  return ofShape.test(words) && !/support/i.test(words);
}
