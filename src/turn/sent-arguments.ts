import { cleanText } from "../database/clean-text.ts";

/** Arguments as providers take them back: always an object, whatever is stored. */
export type SentArguments = Readonly<Record<string, unknown>>;

const deepest = 64;

/** Reads stored arguments; broken, foreign or bottomless ones are sent as none. */
export function toSentArguments(stored: string): SentArguments {
  try {
    const value = copy(JSON.parse(stored), deepest);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

function isObject(value: unknown): value is SentArguments {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Well-formed text throughout; throws where there are more levels. */
function copy(value: unknown, levels: number): unknown {
  if (typeof value === "string") return cleanText(value);
  if (typeof value !== "object" || value === null) return value;
  if (levels === 0) throw new RangeError("too deep");
  if (Array.isArray(value)) return value.map((item) => copy(item, levels - 1));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [cleanText(key), copy(item, levels - 1)]));
}
