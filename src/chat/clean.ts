/** Text as the database takes it: without NUL, lone surrogates replaced by U+FFFD. */
export function cleanText(text: string): string {
  return text.replaceAll("\0", "").toWellFormed();
}

/** JSON with every text in it cleaned, keys too. */
export function cleanJson(value: unknown): unknown {
  if (typeof value === "string") return cleanText(value);
  if (Array.isArray(value)) return value.map(cleanJson);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [cleanText(key), cleanJson(item)]));
}
