import { parse } from "lossless-json";
import { canonicalHash } from "./canonical-hash.ts";
import { copyJson, type CopyLimits, isJsonObject } from "./json-copy.ts";
import type { Json, JsonObject } from "./tool.ts";

/**
 * Reads the arguments of a call, strictly: what a person approves is what runs. Holding, redeeming, hashing and
 * printing all read through here. Nothing is repaired, completed or dropped; what could be read in two ways is refused.
 */
export type ReadArguments =
  | { readonly ok: true; readonly value: JsonObject }
  | { readonly ok: false; readonly invalidPaths: readonly string[] };

export interface ArgumentLimits {
  readonly argumentsBytes: number;
  readonly argumentsDepth: number;
}

const unreadable: ReadArguments = { ok: false, invalidPaths: ["$"] };

/** Reads arguments from JSON text or from an object: the paths that are wrong, never the values. `$` is the whole. */
export function readArguments(given: unknown, limits: ArgumentLimits): ReadArguments {
  const copyLimits = { depth: limits.argumentsDepth, size: limits.argumentsBytes };
  try {
    return typeof given === "string" ? readText(given, copyLimits) : readObject(given, copyLimits);
  } catch {
    return unreadable;
  }
}

/** SHA-256 over the canonical JSON (RFC 8785) of arguments that were read. */
export function hashArguments(args: JsonObject): string {
  return canonicalHash(args);
}

function readText(text: string, limits: CopyLimits): ReadArguments {
  if (Buffer.byteLength(text) > limits.size) return unreadable;
  const shape = scanJson(text);
  // Judged before the parser sees it: the parser calls itself for every level.
  if (shape.depth > limits.depth) return unreadable;
  const copy = copyJson(parse(text), limits);
  if (!copy.ok) return { ok: false, invalidPaths: copy.paths };
  // The parser lets a key be repeated with an equal value; the text then has more members than what was read.
  if (copy.members !== shape.members) return unreadable;
  return toObject(copy.value);
}

function readObject(given: unknown, limits: CopyLimits): ReadArguments {
  const copy = copyJson(given, limits);
  if (!copy.ok) return { ok: false, invalidPaths: copy.paths };
  if (Buffer.byteLength(JSON.stringify(copy.value)) > limits.size) return unreadable;
  return toObject(copy.value);
}

function toObject(value: Json): ReadArguments {
  return isJsonObject(value) ? { ok: true, value } : unreadable;
}

/** Counts the deepest level and the members of JSON text, without building anything. */
function scanJson(text: string): { readonly depth: number; readonly members: number } {
  let depth = 0;
  let level = 0;
  let members = 0;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (inString) {
      if (char === "\\") at++;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === "{" || char === "[") depth = Math.max(depth, ++level);
    else if (char === "}" || char === "]") level--;
    else if (char === ":") members++;
  }
  return { depth, members };
}
