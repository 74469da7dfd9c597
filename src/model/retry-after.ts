import type { Failure } from "./read-failure.ts";

/** How long the provider asks to be left alone, in milliseconds; null when it does not say, or in no form we know. */
export function readRetryAfter({ headers, words }: Pick<Failure, "headers" | "words">, now: number): number | null {
  const exact = Number(headers["retry-after-ms"] ?? Number.NaN);
  if (Number.isFinite(exact) && exact >= 0) return exact;
  const plain = headers["retry-after"];
  if (plain !== undefined && plain.trim() !== "") {
    const seconds = Number(plain);
    if (Number.isFinite(seconds)) return seconds >= 0 ? seconds * 1_000 : null;
    const date = Date.parse(plain);
    if (Number.isFinite(date)) return Math.max(0, date - now);
  }
  const said = /retry_?delay\\*"?\s*:\s*\\*"?(\d+(?:\.\d+)?)s/i.exec(words)?.[1];
  return said === undefined ? null : Number(said) * 1_000;
}

/** The wait after so many repeats: it doubles from the first, with up to a quarter of it more by chance. */
export function backoff(repeats: number, firstMs: number, chance: number): number {
  return firstMs * 2 ** repeats * (1 + chance / 4);
}
