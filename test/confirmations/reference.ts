import type { CardOutcome } from "../../src/wire/reasons.ts";

/**
 * Cards in plain words: what 50 rules of the product say, with no database, no lock and no clock. The real rooms are
 * driven beside it and must answer the same.
 */
export interface ReferenceCard {
  row: "held" | "ran_out" | "gone" | "settled";
  told: CardOutcome | null;
  readonly args: string;
  readonly name: string;
  /** The record's name that the card showed as "before". */
  readonly seen: string;
  followed: boolean;
}

export interface ReferenceSession {
  live: boolean;
  impersonated: boolean;
  mayWrite: boolean;
}

export interface Reference {
  readonly sessions: readonly [ReferenceSession, ReferenceSession];
  readonly cards: ReferenceCard[];
  name: string;
  box: boolean;
  runs: number;
}

export function createReference(): Reference {
  const session = (): ReferenceSession => ({ live: true, impersonated: false, mayWrite: true });
  return { sessions: [session(), session()], cards: [], name: "Ada", box: true, runs: 0 };
}

export type Said =
  | { readonly ok: true; readonly outcome: CardOutcome | "repeated" }
  | { readonly ok: false; readonly reason: string; readonly code?: string; readonly outcome?: CardOutcome };

const no = (reason: string, rest: { code?: string; outcome?: CardOutcome } = {}): Said => ({
  ok: false,
  reason,
  ...rest,
});

function refusal(session: ReferenceSession): Said | null {
  if (!session.live) return no("session_invalid");
  return session.impersonated ? no("impersonated") : null;
}

function mayCall(world: Reference, session: ReferenceSession): Said | null {
  if (!world.box) return no("refused", { code: "writes_off" });
  return session.mayWrite ? null : no("refused", { code: "forbidden" });
}

function tellCard(card: ReferenceCard, outcome: CardOutcome): Said {
  card.told = outcome;
  card.row = "settled";
  return { ok: true, outcome };
}

export function hold(world: Reference, args: string, name: string): void {
  world.cards.push({ row: "held", told: null, args, name, seen: world.name, followed: false });
}

export function confirm(world: Reference, session: ReferenceSession, card: ReferenceCard): Said {
  const refused = refusal(session);
  if (refused !== null) return refused;
  if (card.told !== null) return no("not_waiting", { outcome: card.told });
  const forbidden = mayCall(world, session);
  if (forbidden !== null) return forbidden;
  if (card.row !== "held") return tellCard(card, "expired");
  if (card.seen !== world.name) {
    card.followed = true;
    hold(world, card.args, card.name);
    return tellCard(card, "changed");
  }
  world.runs += 1;
  if (card.name.startsWith("bad")) return tellCard(card, "failed");
  world.name = card.name;
  return tellCard(card, "confirmed");
}

export function reject(session: ReferenceSession, card: ReferenceCard): Said {
  const refused = refusal(session);
  if (refused !== null) return refused;
  if (card.told !== null) return no("not_waiting", { outcome: card.told });
  return tellCard(card, card.row === "held" ? "rejected" : "expired");
}

export function repeat(world: Reference, session: ReferenceSession, card: ReferenceCard): Said {
  const refused = refusal(session);
  if (refused !== null) return refused;
  if (card.followed || (card.told !== null && card.told !== "expired")) return no("not_expired");
  if (card.told === null && card.row === "held") return no("not_expired");
  const same = world.cards.some(
    (other) => other !== card && other.args === card.args && other.told === null && other.row === "held",
  );
  if (same) return no("already_waiting");
  const forbidden = mayCall(world, session);
  if (forbidden !== null) return forbidden;
  tellCard(card, "expired");
  card.followed = true;
  hold(world, card.args, card.name);
  return { ok: true, outcome: "repeated" };
}

export function settle(world: Reference, session: ReferenceSession): Said | null {
  const refused = refusal(session);
  if (refused !== null) return refused;
  for (const card of world.cards) if (card.told === null && card.row !== "held") tellCard(card, "expired");
  return null;
}

/** The state and the buttons a live session sees on a card. */
export function view(
  world: Reference,
  session: ReferenceSession,
  card: ReferenceCard,
): readonly [string, boolean, boolean] {
  const may = mayCall(world, session) === null;
  const same = world.cards.some(
    (other) => other !== card && other.args === card.args && other.told === null && other.row === "held",
  );
  const ranOut =
    card.told === "expired" || (card.told === null && (card.row === "gone" || (may && card.row === "ran_out")));
  const state =
    card.told ??
    (card.row === "gone" ? "expired" : may ? (card.row === "held" ? "waiting" : "expired") : "unavailable");
  const rejectable = card.told === null && (state === "waiting" || state === "unavailable");
  return [state, ranOut && !card.followed && !same, rejectable];
}
