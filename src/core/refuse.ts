import { cleanText } from "../database/clean-text.ts";
import type { ToolRefusal } from "./tool.ts";

// Shared by copies of this package in one process: a bundler may load two.
const mark = Symbol.for("countersign.refusal");

/**
 * A tool's own no: answered by a dry run or a read, nothing is held or changed. `code` (lower-case letters, digits,
 * underscores; at most 64) reaches the click and the audit row, `sentence` (at most 500 characters) the person.
 */
export function refuse(code: string, sentence: string): ToolRefusal {
  if (!/^[a-z][a-z0-9_]{0,63}$/.test(code)) {
    throw new Error(
      `countersign: refuse: a code is lower-case letters, digits and underscores, at most 64, got ${JSON.stringify(code)}`,
    );
  }
  const refusal: ToolRefusal = { refusal: { code, sentence: cleanText(sentence.slice(0, 500)) } };
  return Object.defineProperty(refusal, mark, { value: true });
}

/** Whether a tool's answer is its refusal, and not data that happens to look like one. */
export function isRefusal(answer: unknown): answer is ToolRefusal {
  return typeof answer === "object" && answer !== null && mark in answer;
}
