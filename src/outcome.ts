/**
 * How failure is spelled. Whatever the product expects to go wrong (a right missing, a lock held, a card settled,
 * input wrong) is returned as a refusal with a reason from a closed union; only faults of the wiring, of the world or
 * of this package are thrown.
 */
export type Outcome<Success extends object, Reason extends string> =
  | (Success & { readonly ok: true })
  | Refusal<Reason>;

/** An expected failure. Two failures a caller treats differently never share a reason. */
export interface Refusal<Reason extends string> {
  readonly ok: false;
  readonly reason: Reason;
}

/** Makes a refusal. */
export function refused<const Reason extends string>(reason: Reason): Refusal<Reason> {
  return { ok: false, reason };
}

/** Throws when a condition that this package itself guarantees does not hold: always our bug, never a user's. */
export function invariant(condition: unknown, rule: string): asserts condition {
  if (!condition) throw new Error(`countersign: broken invariant: ${rule}`);
}
