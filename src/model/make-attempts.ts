import { setTimeout as wait } from "node:timers/promises";
import type { ModelErrorCode } from "../wire/reasons.ts";
import { cleanPrompt } from "./clean-prompt.ts";
import { attempt } from "./attempt.ts";
import type { Attempt } from "./hear-answer.ts";
import { classify, type Retry } from "./classify.ts";
import type { OpenEndpoint } from "./endpoints.ts";
import type { CompleteRequest, Endpoint } from "./model.ts";
import { readFailure } from "./read-failure.ts";
import { changeShape, hasPictures, withCallsAsText, type Omission, type RequestShape } from "./request-shape.ts";
import { backoff, readRetryAfter } from "./retry-after.ts";
import { StreamFault } from "./stream-fault.ts";
import { toCallOptions } from "./to-call-options.ts";

/** A wait the provider asks for beyond this ends the call instead. */
const longestWaitMs = 60_000;

/** Why an attempt failed. */
export interface AttemptFailure {
  readonly code: ModelErrorCode | "aborted";
  readonly status: number | null;
  readonly retry: Retry;
  readonly retryAfterMs: number | null;
  /** The provider refused or was never reached, so nothing is charged. */
  readonly free: boolean;
  /** The provider's own words, for the log alone. */
  readonly words: string;
  readonly pieces: readonly string[];
}

export interface Attempts {
  readonly last: Attempt;
  /** Null when the last attempt did not fail. */
  readonly failure: AttemptFailure | null;
  readonly count: number;
  readonly shown: boolean;
}

export interface AttemptLimits {
  readonly retries: number;
  readonly totalMs: number;
  /** The first wait between two attempts; it doubles. */
  readonly backoffMs: number;
  now(): number;
  random(): number;
}

/** Parameters a server has refused: left out from then on, as long as the endpoint stays as it is. */
const refusedBefore = new WeakMap<Endpoint, ReadonlySet<Omission>>();

/**
 * Sends one request as often as it is worth it: again only while nothing was shown, no stop was asked for and time is
 * left; once in another form where the refusal says which.
 */
export async function makeAttempts(
  open: OpenEndpoint,
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
  let shape: RequestShape = toShape(open.endpoint, request);
  let changed = false;
  let repeats = 0;
  try {
    for (let count = 1; ; count += 1) {
      const last = await attempt(open.model, toCallOptions(open.endpoint, shape, signal), { onText, signal, now });
      const failure = failureOf(last, request, now());
      const made = { last, failure, count, shown };
      if (failure === null) {
        if (shape.omissions.size > 0) refusedBefore.set(open.endpoint, shape.omissions);
        return made;
      }
      const next = changed || failure.retry !== "changed" ? null : changeShape(shape, failure);
      const again = next !== null || (repeats < limits.retries && isWorthRepeating(failure, repeats));
      if (!again || shown || request.stopRequested()) return made;
      const pause = next !== null ? 0 : pauseBefore(failure, repeats, limits);
      if (pause > longestWaitMs || now() + pause >= request.deadline) return made;
      if (!(await waitFor(pause, request, signal))) return made;
      if (next === null) repeats += 1;
      else {
        shape = next;
        changed = true;
      }
    }
  } finally {
    clearTimeout(timer);
  }
}

/** How soon a stop is seen while nothing is under way. */
const lookMs = 200;

/** Waits, and answers whether there is still somebody who wants the next attempt. */
async function waitFor(ms: number, request: CompleteRequest, signal: AbortSignal): Promise<boolean> {
  for (let left = ms; left > 0 && !request.stopRequested(); left -= lookMs) {
    await wait(Math.min(left, lookMs), undefined, { signal }).catch(() => {});
    if (signal.aborted) return false;
  }
  return !signal.aborted && !request.stopRequested();
}

function toShape(endpoint: Endpoint, request: CompleteRequest): RequestShape {
  const tools = endpoint.tools === false ? [] : request.tools;
  const prompt = cleanPrompt(request.prompt);
  return {
    // calls in a history mean nothing to a provider that is offered no tools, and some refuse them
    prompt: tools.length === 0 ? withCallsAsText(prompt) : prompt,
    tools,
    omissions: refusedBefore.get(endpoint) ?? new Set(),
  };
}

function isWorthRepeating({ retry }: AttemptFailure, repeats: number): boolean {
  return retry === "backoff" || (retry === "once" && repeats === 0);
}

function pauseBefore(failure: AttemptFailure, repeats: number, { backoffMs, random }: AttemptLimits): number {
  return failure.retryAfterMs ?? (failure.retry === "once" ? 0 : backoff(repeats, backoffMs, random()));
}

const plain = { status: null, retryAfterMs: null, free: false, words: "", pieces: [] } as const;

function failureOf(made: Attempt, request: CompleteRequest, now: number): AttemptFailure | null {
  const whole = made.end === "text" || made.end === "calls" || made.end === "cut";
  if (request.signal.aborted && !whole) return { ...plain, code: "aborted", retry: "no" };
  switch (made.end) {
    case "error": {
      const failure = readFailure(made.failure);
      const { code, retry } = classify(failure, { pictures: hasPictures(request.prompt) });
      const stubborn = failure.headers["x-should-retry"] === "false" && retry === "backoff";
      return {
        code,
        retry: stubborn ? "no" : retry,
        status: failure.status,
        retryAfterMs: readRetryAfter(failure, now),
        free: made.firstTokenAt === null && (failure.unsent || failure.status !== null),
        words: failure.words,
        pieces: failure.pieces,
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
