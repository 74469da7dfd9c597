import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import { invariant } from "../outcome.ts";

/** SHA-256, in hex, over the canonical JSON (RFC 8785) of a value. */
export function canonicalHash(value: unknown): string {
  const text = canonicalize(value);
  invariant(text !== undefined, "only JSON is hashed");
  return textHash(text);
}

/** SHA-256 of a text, in hex. */
export function textHash(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
