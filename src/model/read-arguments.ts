/**
 * The arguments a provider sent, as JSON text of an object where they mean one: absent, null and blank are `{}`, an
 * object encoded twice is decoded once more. Anything else comes back as it was: a cut command can be a valid and
 * dangerous one, so nothing is ever completed or guessed.
 */
export function readArguments(sent: unknown): string {
  if (sent === undefined || sent === null) return "{}";
  if (typeof sent !== "string") return JSON.stringify(sent) ?? "{}";
  return fromText(sent, 2) ?? sent;
}

function fromText(text: string, decodes: number): string | null {
  const trimmed = text.trim();
  if (trimmed === "") return "{}";
  let value: unknown;
  try {
    value = JSON.parse(trimmed);
  } catch {
    return null;
  }
  if (value === null) return "{}";
  if (typeof value === "string") return decodes > 1 ? fromText(value, decodes - 1) : null;
  return typeof value === "object" && !Array.isArray(value) ? trimmed : null;
}
