import { cleanText } from "../database/clean-text.ts";
import type { CardPreview, Change } from "../wire/cards.ts";
import { copyJson } from "./json-copy.ts";
import type { Json } from "./tool.ts";

/** A dry run's answer as it is held: what the card shows, what the handler gets, and the version it gave itself. */
export interface ReadPreview {
  readonly shown: CardPreview;
  readonly data: Json | undefined;
  readonly version: string | undefined;
}

export type PreviewVerdict =
  | { readonly ok: true; readonly preview: ReadPreview }
  /** Where the answer is wrong, without its values. */
  | { readonly ok: false; readonly at: string };

/**
 * Reads what a dry run answered, of any shape: texts are cleaned for the card, everything else must be plain JSON and
 * all of it together within the bytes a card may have. Throws what a getter of the answer throws.
 */
export function readPreview(answer: unknown, mostBytes: number): PreviewVerdict {
  if (typeof answer !== "object" || answer === null) return wrong("$");
  const loose: Loose = answer;
  const { title, data, fingerprint: version } = loose;
  if (typeof title !== "string" || title.trim() === "") return wrong("title");
  const changes = readChanges(loose.changes, mostBytes);
  if (!changes.ok) return changes;
  const warnings = readWarnings(loose.warnings, mostBytes);
  if (!warnings.ok) return warnings;
  if (version !== undefined && (typeof version !== "string" || version === "")) return wrong("fingerprint");
  const copy = data === undefined ? undefined : copyJson(data, { depth: 64, size: mostBytes });
  // Its keys may be values too: where in it is not told.
  if (copy?.ok === false) return wrong("data");
  const shown = { title: cleanText(title), changes: changes.value, warnings: warnings.value };
  const preview = { shown, data: copy?.value, version };
  return Buffer.byteLength(JSON.stringify(preview)) > mostBytes ? wrong("size") : { ok: true, preview };
}

interface Loose {
  readonly title?: unknown;
  readonly changes?: unknown;
  readonly warnings?: unknown;
  readonly data?: unknown;
  readonly fingerprint?: unknown;
}

type Part<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly at: string };

function readChanges(changes: unknown, most: number): Part<readonly Change[]> {
  if (!Array.isArray(changes) || changes.length > most) return wrong("changes");
  const read: Change[] = [];
  for (const [index, change] of changes.entries()) {
    const line: unknown = change;
    const at = `changes.${index}`;
    if (typeof line !== "object" || line === null) return wrong(at);
    const { label, before, after }: { label?: unknown; before?: unknown; after?: unknown } = line;
    if (typeof label !== "string") return wrong(`${at}.label`);
    const was = readValue(before);
    const willBe = readValue(after);
    if (was === undefined) return wrong(`${at}.before`);
    if (willBe === undefined) return wrong(`${at}.after`);
    read.push({ label: cleanText(label), before: was, after: willBe });
  }
  return { ok: true, value: read };
}

function readValue(value: unknown): Change["before"] | undefined {
  if (typeof value === "string") return cleanText(value);
  if (typeof value === "number") return Number.isFinite(value) ? value : undefined;
  return value === null || typeof value === "boolean" ? value : undefined;
}

function readWarnings(warnings: unknown, most: number): Part<readonly string[]> {
  if (warnings === undefined) return { ok: true, value: [] };
  if (!Array.isArray(warnings) || warnings.length > most) return wrong("warnings");
  const read: string[] = [];
  for (const warning of warnings) {
    if (typeof warning !== "string") return wrong("warnings");
    read.push(cleanText(warning));
  }
  return { ok: true, value: read };
}

function wrong(at: string): { readonly ok: false; readonly at: string } {
  return { ok: false, at };
}
