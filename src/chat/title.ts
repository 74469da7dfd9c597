const longestMade = 60;
const longestGiven = 200;

/** A chat's title out of its first message: the first line that says something, cut at a word near 60 characters; null when there is none. */
export function titleFromText(text: string): string | null {
  const line = text
    .split(/[\r\n\u2028\u2029]+/u)
    .map(toOneLine)
    .find((candidate) => candidate !== "");
  if (line === undefined || line.length <= longestMade) return line ?? null;
  const letters = firstGraphemes(line, longestMade + 1);
  const head = letters.slice(0, longestMade).join("");
  if (head.length === line.length) return line;
  // A title of one long word, or of a script that writes without spaces, is cut within it.
  const word = /\s/u.test(letters[longestMade] ?? "") ? head.length : head.search(/\s\S*$/u);
  return `${(word >= head.length / 2 ? head.slice(0, word) : head).trimEnd()}…`;
}

/** A chat's title where its first message is files alone: their names. */
export function titleFromFiles(files: readonly { readonly name: string }[]): string | null {
  return titleFromText(files.map(({ name }) => name).join(", "));
}

/** A title a user gave, on one line and without control characters; null when nothing is left or it is longer than 200 characters. */
export function toTitle(text: string): string | null {
  const title = toOneLine(text);
  return title === "" || [...title].length > longestGiven ? null : title;
}

function toOneLine(text: string): string {
  return (
    text
      .toWellFormed()
      // Controls of text direction could make a title read as another.
      .replaceAll(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, "")
      .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ")
      .trim()
  );
}

/** What a reader takes for the first characters: a letter with its accents, an emoji with its parts. */
function firstGraphemes(text: string, count: number): readonly string[] {
  const graphemes: string[] = [];
  // A grapheme can be of any length (accents upon accents); a title is not.
  for (const { segment } of new Intl.Segmenter().segment(text.slice(0, 1_000))) {
    graphemes.push(segment);
    if (graphemes.length === count) break;
  }
  return graphemes;
}
