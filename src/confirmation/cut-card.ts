import type { CardPreview, Change } from "../wire/cards.ts";

interface Cut<Value> {
  readonly value: Value;
  readonly cut: boolean;
}

/** Cuts a call's arguments for a page; `characters` null leaves them whole. */
export function cutArguments(text: string | null, characters: number | null): Cut<string | null> {
  if (text === null || characters === null || text.length <= characters) return { value: text, cut: false };
  return { value: cutText(text, characters), cut: true };
}

/**
 * Cuts a preview for a page: lines are kept in order until their characters are used up, and a value that does not fit
 * ends where they end. The card says that it was cut, and the whole is one request away.
 */
export function cutPreview(preview: CardPreview | null, characters: number | null): Cut<CardPreview | null> {
  if (preview === null || characters === null) return { value: preview, cut: false };
  let left = characters;
  let cut = false;
  const take = (text: string): string => {
    const kept = text.length <= left ? text : cutText(text, left);
    cut ||= kept !== text;
    left -= kept.length;
    return kept;
  };
  const takeValue = (value: Change["before"]): Change["before"] => (typeof value === "string" ? take(value) : value);
  const title = take(preview.title);
  const warnings: string[] = [];
  for (const warning of preview.warnings) {
    if (left <= 0) cut = true;
    else warnings.push(take(warning));
  }
  const changes: Change[] = [];
  for (const change of preview.changes) {
    if (left <= 0) cut = true;
    else changes.push({ label: take(change.label), before: takeValue(change.before), after: takeValue(change.after) });
  }
  return { value: { title, changes, warnings }, cut };
}

/** Ends a text at a character boundary, visibly. */
function cutText(text: string, characters: number): string {
  const end = Math.max(characters - 1, 0);
  const last = text.charCodeAt(end - 1);
  const splitsPair = last >= 0xd800 && last <= 0xdbff;
  return `${text.slice(0, splitsPair ? end - 1 : end)}…`;
}
