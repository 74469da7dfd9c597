const note = (missing: number): string => `\n[${missing} more characters were left out]`;

/** Cuts a text to at most `most` UTF-16 units, the note of how much is missing included; never inside a character. */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text;
  const room = most - note(text.length).length;
  if (room <= 0) return sliceText(text, most);
  const kept = sliceText(text, room);
  return kept + note(text.length - kept.length);
}

/** The beginning of a text, at most `most` UTF-16 units; never half of a surrogate pair. */
export function sliceText(text: string, most: number): string {
  if (text.length <= most) return text;
  const end = Math.max(0, most);
  return text.slice(0, end > 0 && isHighSurrogate(text.charCodeAt(end - 1)) ? end - 1 : end);
}

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
