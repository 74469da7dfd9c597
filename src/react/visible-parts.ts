/** Why a character would not be seen for what it is. */
export type MarkKind = "direction" | "invisible" | "control" | "space" | "broken";

/** A piece of a value: text as it is, or a character that would not be seen, named. */
export type VisiblePart =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "mark"; readonly mark: MarkKind; readonly label: string; readonly count: number };

const suspect = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u;
const direction = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;
const picture = /[\p{Extended_Pictographic}\p{Emoji_Modifier}\u20e3\ufe0f]$/u;
const keycap = /[0-9#*]$/u;
// Scripts in which a joiner changes how letters are drawn, so that it is seen.
const joining =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gujarati}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Tamil}\p{Script=Telugu}]/u;
// Format characters that are drawn: number signs of Arabic, Syriac and Kaithi.
const drawn = /[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}]/u;

const names: Readonly<Record<number, string>> = {
  0x00: "NUL",
  0x08: "BS",
  0x09: "TAB",
  0x0b: "VT",
  0x0c: "FF",
  0x0d: "CR",
  0x1b: "ESC",
  0x20: "SPACE",
  0x7f: "DEL",
  0xa0: "NBSP",
  0xad: "SHY",
  0x34f: "CGJ",
  0x61c: "ALM",
  0x200b: "ZWSP",
  0x200c: "ZWNJ",
  0x200d: "ZWJ",
  0x200e: "LRM",
  0x200f: "RLM",
  0x2028: "LS",
  0x2029: "PS",
  0x202a: "LRE",
  0x202b: "RLE",
  0x202c: "PDF",
  0x202d: "LRO",
  0x202e: "RLO",
  0x2060: "WJ",
  0x2066: "LRI",
  0x2067: "RLI",
  0x2068: "FSI",
  0x2069: "PDI",
  0xfeff: "BOM",
};

/** More marks in a row than this are told as one. */
const longestRow = 8;

/**
 * Takes a value apart so that nothing in it stays unseen: characters that turn the direction of text, have no width,
 * control a terminal or only look like a space become marks. What is drawn, emoji and line ends stay text.
 */
export function toVisibleParts(value: string): readonly VisiblePart[] {
  const parts: VisiblePart[] = [];
  const characters = Array.from(value);
  const ink = { first: characters.findIndex(isInk), last: characters.findLastIndex(isInk) };
  let text = "";
  let row: { readonly mark: MarkKind; readonly label: string }[] = [];

  function endRow(): void {
    const first = row[0];
    if (first && row.length > longestRow) parts.push({ kind: "mark", ...first, label: "", count: row.length });
    else for (const mark of row) parts.push({ kind: "mark", ...mark, count: 1 });
    row = [];
  }

  for (const [index, character] of characters.entries()) {
    const mark = suspect.test(character) ? toMark(characters, index, ink) : null;
    if (mark === null) {
      endRow();
      text += character;
      continue;
    }
    if (text !== "") parts.push({ kind: "text", text });
    text = "";
    row.push({ mark, label: toLabel(character) });
  }
  endRow();
  if (text !== "") parts.push({ kind: "text", text });
  return parts;
}

/** What kind of mark the character at `index` becomes; null for one that is seen where it stands. */
function toMark(
  characters: readonly string[],
  index: number,
  ink: { readonly first: number; readonly last: number },
): MarkKind | null {
  const character = characters[index] ?? "";
  const before = characters[index - 1] ?? "";
  const after = characters[index + 1] ?? "";
  if (character === "\n" || (character === "\r" && after === "\n") || drawn.test(character)) return null;
  if (direction.test(character)) return "direction";
  if (/\p{Cs}/u.test(character)) return "broken";
  if (/\p{Cc}/u.test(character)) return "control";
  // At the ends a space is not seen; between words it is.
  if (character === " ") return index > ink.first && index < ink.last && ink.first !== -1 ? null : "space";
  if (/\p{Zs}/u.test(character)) {
    // Groups of digits, and a number from its unit.
    const groups = /[\u00a0\u2009\u202f]/.test(character) && /\p{Nd}/u.test(before) && after !== "";
    return groups ? null : "space";
  }
  if (character === "\ufe0f" && (picture.test(before) || keycap.test(before))) return null;
  if (character === "\u200d" && picture.test(before) && picture.test(after)) return null;
  if ((character === "\u200d" || character === "\u200c") && joining.test(before) && joining.test(after)) return null;
  return "invisible";
}

function isInk(character: string): boolean {
  return !/^\s$/u.test(character);
}

function toLabel(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return names[code] ?? `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
}
