import { z } from "zod";
import { fileKinds } from "./file-types.ts";
import type { Reading, Verdict } from "./reader/reading.ts";

/** A reading, with what its process took at most where it could still say so. */
export type ChildAnswer = (Reading | { readonly ok: false; readonly code: "interrupted" }) & {
  readonly peakBytes?: number;
};

const peakBytes = z.number().nonnegative().optional();
const pixels = z.int().min(1).max(100_000);
const type = z.enum([...Object.values(fileKinds), "text/tab-separated-values"]);
const picture = z.object({ width: pixels, height: pixels });

// A file may have taken its process over: what that says is taken only as far as it can harm nobody.
const answers = z.union([
  z.object({ ok: z.literal(true), type, text: z.string(), cut: z.boolean(), peakBytes }),
  z.object({ ok: z.literal(true), found: type, type: z.enum([fileKinds.png, fileKinds.jpeg]), picture, peakBytes }),
  z.object({
    ok: z.literal(false),
    code: z.enum(["unreadable", "too_large", "encrypted", "unsupported_type", "timeout"]),
    peakBytes,
  }),
]);
const verdicts = z.object({ code: z.enum(["too_large", "timeout"]), peakBytes: z.number() });

/** What a process that read a file answered, unless it is nothing that one could: that is `unreadable`. */
export function toReading(line: string, characters: number): ChildAnswer {
  const answer = answers.safeParse(toJson(line)).data;
  const isTooLong = answer?.ok === true && "text" in answer && answer.text.length > characters;
  if (answer === undefined || isTooLong) return { ok: false, code: "unreadable" };
  const { peakBytes: peak, ...reading } = answer;
  return { ...reading, ...(peak !== undefined && { peakBytes: peak }) };
}

/** Why its watchdog ended it; null for what is no verdict. */
export function toVerdict(line: string): Verdict | null {
  return verdicts.safeParse(toJson(line)).data ?? null;
}

function toJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
