import type { Failure } from "../client/snapshot.ts";
import type { NoticeMessage } from "../wire/messages.ts";
import type { NoticeCode } from "../wire/reasons.ts";
import type { Language } from "./language/language.ts";

/** The sentence for a failure; codes of a newer server read like an answer that cannot be read. */
export function sayFailure({ code }: Failure, { refusals }: Language): string {
  return has(refusals, code) ? refusals[code] : refusals.unreadable;
}

/** The sentence for a click that did nothing: the tool's own when it wrote one. */
export function sayRefusedClick(failure: Failure, language: Language): string {
  if (failure.code !== "refused") return sayFailure(failure, language);
  if (failure.detail) return failure.detail;
  const { refused } = language;
  return has(refused, failure.detailCode) ? refused[failure.detailCode] : refused.other;
}

/** Why a file cannot be sent. */
export function sayFile(code: string, language: Language): string {
  const { codes } = language.files;
  return has(codes, code) ? codes[code] : sayFailure({ code, status: 0 }, language);
}

/** The sentence of a turn's notice. */
export function sayNotice({ code }: NoticeMessage, { notices }: Language): string {
  return has(notices, code) ? notices[code] : notices.interrupted;
}

/** What became of a card, in the words of the card. */
export function sayOutcome({ outcome, finished }: NoticeMessage, { card }: Language): string {
  if (outcome === null) return "";
  return outcome === "confirmed" && finished === false ? card.unfinished : card.states[outcome];
}

const passing: ReadonlySet<NoticeCode> = new Set<NoticeCode>([
  "session_unavailable",
  "deadline",
  "interrupted",
  "empty_answer",
  "rate_limited",
  "provider_malformed_call",
  "provider_overloaded",
  "provider_error",
  "provider_unreachable",
  "stream_interrupted",
  "stream_malformed",
  "timeout",
  "api_error",
]);

/** Whether asking the same again may well work. */
export function isWorthAsking({ code }: NoticeMessage): boolean {
  return code !== null && passing.has(code);
}

function has<Key extends string>(
  sentences: Readonly<Record<Key, string>>,
  code: string | null | undefined,
): code is Key {
  return typeof code === "string" && Object.hasOwn(sentences, code);
}
