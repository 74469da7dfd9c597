/** Text as PostgreSQL and a browser take it: without NUL, each lone surrogate replaced by U+FFFD. */
export function cleanText(text: string): string {
  return text.replaceAll("\0", "").toWellFormed();
}
