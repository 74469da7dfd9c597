import type { CardPreview } from "../wire/cards.ts";

/** What a card shows of a held preview: never its data. */
export function cardPreview(stored: unknown): CardPreview | null {
  if (stored === null || stored === undefined) return null;
  // Written by this room alone, from a preview that was read.
  const { title, changes, warnings } = stored as CardPreview;
  return { title, changes, warnings };
}
