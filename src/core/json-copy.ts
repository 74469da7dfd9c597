import { isLosslessNumber } from "lossless-json";
import { cleanText } from "../database/clean-text.ts";
import { isExactNumber } from "./exact-number.ts";
import type { Json, JsonObject } from "./tool.ts";

export interface CopyLimits {
  /** Levels of objects and arrays; the outermost is the first. */
  readonly depth: number;
  /** Characters and members after which it is too large to go on. */
  readonly size: number;
}

/** A fresh copy that shares nothing with the value, or the paths of what is not plain JSON in it. `$` is the whole. */
export type JsonCopy =
  | { readonly ok: true; readonly value: Json; readonly members: number }
  | { readonly ok: false; readonly paths: readonly string[] };

/**
 * Copies a value that came from outside as plain JSON. Taken: null, booleans, well-formed text without NUL, numbers
 * that print back as they are, arrays, plain objects. Not taken: anything else, `undefined` included, and the keys
 * `__proto__` and `constructor`. Throws only what a getter of the value throws.
 */
export function copyJson(value: unknown, limits: CopyLimits): JsonCopy {
  const walk: Walk = { ...limits, wrong: new Set(), members: 0, left: limits.size };
  const copy = copyValue(value, null, walk);
  if (walk.left < 0) walk.wrong.add("$");
  return walk.wrong.size > 0 ? { ok: false, paths: [...walk.wrong] } : { ok: true, value: copy, members: walk.members };
}

/** Prints a path for people and models: cleaned and cut, as its keys came from outside. */
export function printPath(keys: readonly PropertyKey[]): string {
  if (keys.length === 0) return "$";
  return keys
    .slice(0, 20)
    .map((key) => cleanText(String(key)).slice(0, 64))
    .join(".")
    .slice(0, 300)
    .toWellFormed();
}

export const mostPaths = 20;

/** Whether plain JSON is an object. */
export function isJsonObject(value: Json): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

interface Step {
  readonly key: string | number;
  readonly from: Step | null;
  readonly level: number;
}

interface Walk extends CopyLimits {
  readonly wrong: Set<string>;
  members: number;
  left: number;
}

function copyValue(value: unknown, at: Step | null, walk: Walk): Json {
  walk.left -= typeof value === "string" ? value.length + 1 : 1;
  if (walk.left < 0) return null;
  if (value === null || typeof value === "boolean") return value;
  if (typeof value === "string") return isCleanText(value) ? value : wrong(at, walk);
  if (typeof value === "number") return Number.isFinite(value) && !Object.is(value, -0) ? value : wrong(at, walk);
  if (typeof value !== "object") return wrong(at, walk);
  if (isLosslessNumber(value)) return isExactNumber(value.value) ? Number(value.value) : wrong(at, walk);
  if ((at?.level ?? 0) >= walk.depth) return wrong(at, walk);
  if (Array.isArray(value)) return copyArray(value, at, walk);
  return isPlainObject(value) ? copyObject(value, at, walk) : wrong(at, walk);
}

function copyArray(value: readonly unknown[], at: Step | null, walk: Walk): Json {
  const copy: Json[] = [];
  for (let index = 0; index < value.length && walk.left >= 0; index++) {
    copy.push(copyValue(value[index], step(at, index), walk));
  }
  return copy;
}

function copyObject(value: Readonly<Record<string, unknown>>, at: Step | null, walk: Walk): Json {
  const copy: Record<string, Json> = {};
  for (const key of Object.keys(value)) {
    walk.members += 1;
    walk.left -= key.length;
    if (walk.left < 0) break;
    const here = step(at, key);
    // The key is judged before its value is read: `__proto__` is never assigned.
    if (isHostileKey(key)) wrong(here, walk);
    else copy[key] = copyValue(value[key], here, walk);
  }
  return copy;
}

function step(from: Step | null, key: string | number): Step {
  return { key, from, level: (from?.level ?? 0) + 1 };
}

function wrong(at: Step | null, walk: Walk): null {
  if (walk.wrong.size >= mostPaths) return null;
  const keys: (string | number)[] = [];
  for (let here = at; here !== null; here = here.from) keys.unshift(here.key);
  walk.wrong.add(printPath(keys));
  return null;
}

function isCleanText(text: string): boolean {
  return !text.includes("\0") && text.isWellFormed();
}

function isHostileKey(key: string): boolean {
  return key === "__proto__" || key === "constructor" || !isCleanText(key);
}

function isPlainObject(value: object): value is Readonly<Record<string, unknown>> {
  const prototype: unknown = Object.getPrototypeOf(value);
  // An object of another realm is plain too: its prototype is that realm's Object.prototype, which has none.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
