import type { LanguageModelV4CallOptions } from "@ai-sdk/provider";
import { setTimeout as wait } from "node:timers/promises";
import type { ModelErrorCode } from "../wire/reasons.ts";
import { attempt, type Attempt } from "./attempt.ts";
import { classify, type Retry } from "./classify.ts";
import type { CompleteRequest } from "./model.ts";
import type { OpenEndpoint } from "./endpoints.ts";
import { readFailure } from "./read-failure.ts";
import { defaultMaxOutputTokens } from "./reserve.ts";
import { backoff, readRetryAfter } from "./retry-after.ts";
import { StreamFault } from "./stream-fault.ts";
import { toProviderPrompt } from "./to-provider-prompt.ts";

/** A wait the provider asks for beyond this ends the call instead. */
const longestWaitMs = 60_000;

/** Why an attempt failed; null when it did not. */
export interface AttemptFailure {
  readonly code: ModelErrorCode | "aborted";
  readonly status: number | null;
  readonly retry: Retry;
  readonly retryAfterMs: number | null;
  /** The provider refused or was never reached: nothing was answered, so nothing is charged. */
  readonly free: boolean;
  /** The provider's own words, for the log alone. */
  readonly words: string;
}

export interface Attempts {
  readonly last: Attempt;
  readonly failure: AttemptFailure | null;
  readonly count: number;
  readonly shown: boolean;
  readonly firstTokenAt: number | null;
}

export interface AttemptLimits {
  readonly retries: number;
  readonly totalMs: number;
  now(): number;
  random(): number;
}

/** Sends one request as often as it is worth it: again only while nothing was shown, no stop was asked for and time is left. */
export async function makeAttempts(
  endpoint: OpenEndpoint,
  request: CompleteRequest,
  limits: AttemptLimits,
): Promise<Attempts> {
  const { now } = limits;
  const total = new AbortController();
  const timer = setTimeout(() => total.abort(new StreamFault("total", "the call took too long")), limits.totalMs);
  const signal = AbortSignal.any([request.signal, total.signal]);
  let shown = false;
  const onText = (delta: string): void => {
    shown = true;
    request.onText(delta);
  };
  try {
    for (let count = 1; ; count += 1) {
      const options = toOptions(endpoint, request, signal);
      const last = await attempt(endpoint.model, options, { onText, signal, now });
      const failure = failureOf(last, request, now());
      const made = { last, failure, count, shown, firstTokenAt: last.firstTokenAt };
      if (failure === null || shown || count > limits.retries || !isRepeatable(failure)) return made;
      const pause = failure.retryAfterMs ?? (failure.retry === "once" ? 0 : backoff(count + 1, limits.random));
      if (failure.retry === "once" && count > 1) return made;
      if (pause > longestWaitMs || now() + pause >= request.deadline || request.stopRequested()) return made;
      await wait(pause, undefined, { signal }).catch(() => {});
      if (signal.aborted || request.stopRequested()) return made;
    }
  } finally {
    clearTimeout(timer);
  }
}

function isRepeatable(failure: AttemptFailure): boolean {
  return failure.retry === "backoff" || failure.retry === "once";
}

function failureOf(made: Attempt, request: CompleteRequest, now: number): AttemptFailure | null {
  const plain = { status: null, retryAfterMs: null, free: false, words: "" };
  if (request.signal.aborted && made.end !== "text" && made.end !== "calls") {
    return { ...plain, code: "aborted", retry: "no" };
  }
  switch (made.end) {
    case "error": {
      const failure = readFailure(made.failure);
      const verdict = classify(failure);
      const asked = readRetryAfter(failure, now);
      const stubborn = failure.headers["x-should-retry"] === "false" ? ({ retry: "no" } as const) : {};
      return {
        ...verdict,
        ...stubborn,
        status: failure.status,
        retryAfterMs: asked,
        free: failure.unanswered || failure.status !== null,
        words: failure.words,
      };
    }
    case "interrupted":
      return { ...plain, code: "stream_interrupted", retry: "backoff" };
    case "filtered":
      return { ...plain, code: "content_filtered", retry: "no" };
    case "refused":
      return { ...plain, code: "answer_refused", retry: "no" };
    case "malformed_call":
      return { ...plain, code: "provider_malformed_call", retry: "no" };
    default:
      return null;
  }
}

function toOptions(
  { endpoint }: OpenEndpoint,
  request: CompleteRequest,
  abortSignal: AbortSignal,
): LanguageModelV4CallOptions {
  const tools = endpoint.tools === false ? [] : request.tools;
  return {
    prompt: toProviderPrompt(request.prompt),
    ...(tools.length > 0 && {
      tools: tools.map(({ name, description, inputSchema }) => ({
        type: "function" as const,
        name,
        description,
        inputSchema,
      })),
      toolChoice: { type: "auto" as const },
    }),
    maxOutputTokens: endpoint.maxOutputTokens ?? defaultMaxOutputTokens,
    ...(endpoint.temperature !== undefined && { temperature: endpoint.temperature }),
    ...(endpoint.reasoning !== undefined && { reasoning: endpoint.reasoning }),
    abortSignal,
    // no copy of calls at OpenAI; no streaming of arguments, which some gateways refuse and nobody here reads
    providerOptions: { openai: { store: false }, anthropic: { toolStreaming: false } },
  };
}
