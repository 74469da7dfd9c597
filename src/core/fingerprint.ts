import { canonicalHash } from "./canonical-hash.ts";
import { copyJson } from "./json-copy.ts";
import type { ReadPreview } from "./read-preview.ts";
import type { AnyWriteTool, Json, Preview } from "./tool.ts";

/** What an approved write and a fresh dry run are compared by. */
export interface Compared {
  readonly tool: string;
  readonly argsHash: string;
  /** `toComparable` of the schema's output. */
  readonly input: unknown;
  readonly preview: ReadPreview;
  /** The facts the tool named; undefined when it names none. */
  readonly facts: Json | undefined;
}

/**
 * SHA-256 over the call and what counts of its dry run: the facts the tool names, or the version its preview gave, or
 * all that the person was shown with the preview's data.
 */
export function toFingerprint({ tool, argsHash, input, preview, facts }: Compared): string {
  const { shown, data = null, version } = preview;
  const counts = facts !== undefined ? { facts } : version !== undefined ? { version } : { shown, data };
  return canonicalHash({ tool, argsHash, input, ...counts });
}

/** The facts a tool names of a preview; undefined when it names none. Throws when it should and there are none: missing facts would read as unchanged for ever. */
export function readFacts(tool: AnyWriteTool, preview: ReadPreview): Json | undefined {
  if (tool.fingerprint === undefined) return undefined;
  const { shown, data, version } = preview;
  // The tool's own preview, read back: its data has the type its own preview gave it.
  const facts = tool.fingerprint({ ...shown, data, fingerprint: version } as Preview<never>);
  const copy = copyJson(facts, { depth: 64, size: 262_144 });
  if (!copy.ok) throw new TypeError(`the fingerprint's facts are missing or no plain JSON at ${copy.paths.join(", ")}`);
  if (isNothing(copy.value)) throw new TypeError("the fingerprint names no facts");
  return copy.value;
}

function isNothing(facts: Json): boolean {
  return facts === null || facts === "" || (typeof facts === "object" && Object.keys(facts).length === 0);
}

/** A schema's output as it can be hashed, which may hold more than JSON: dates, big integers, maps, sets, bytes. Throws at what has no value to compare. */
export function toComparable(value: unknown, level = 0): unknown {
  if (level > 200) throw new TypeError("an input too deep to compare");
  const inner = (part: unknown): unknown => toComparable(part, level + 1);
  switch (typeof value) {
    case "string":
      return value.isWellFormed() ? value : { text: Buffer.from(value, "utf16le").toString("base64") };
    case "number":
      return Number.isFinite(value) && !Object.is(value, -0)
        ? value
        : { number: Object.is(value, -0) ? "-0" : `${value}` };
    case "boolean":
      return value;
    case "bigint":
      return { integer: String(value) };
    case "undefined":
      return { nothing: true };
    case "object":
      return value === null ? null : comparableObject(value, inner);
    default:
      throw new TypeError("an input that cannot be compared");
  }
}

function hasToJson(value: object): value is { toJSON(): unknown } {
  return "toJSON" in value && typeof value.toJSON === "function";
}

function comparableObject(value: object, inner: (part: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map(inner);
  if (value instanceof Date) return { date: Number.isNaN(value.getTime()) ? null : value.toISOString() };
  if (value instanceof Map) return { map: [...value].map(([key, part]) => [inner(key), inner(part)]) };
  if (value instanceof Set) return { set: [...value].map(inner) };
  if (ArrayBuffer.isView(value)) {
    return { bytes: Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString("base64") };
  }
  if (hasToJson(value)) return { json: inner(value.toJSON()) };
  // Under a key of its own, so that no object can pass for a marked value above.
  return { object: Object.fromEntries(Object.entries(value).map(([key, part]) => [key, inner(part)])) };
}
