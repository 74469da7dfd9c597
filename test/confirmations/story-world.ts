import fc from "fast-check";
import { afterAll, beforeAll } from "vitest";
import { invariant } from "../../src/outcome.ts";
import { createTestDatabase, type TestDatabase } from "../../src/testing/test-database.ts";
import { createDesk, type Desk, type SignIn } from "../desk.ts";
import { type AskedCard, type Node, startNode } from "../node.ts";
import type * as reference from "./reference.ts";

// What the random stories happen in: one database, two nodes, two sessions of a user.

export let at: TestDatabase;
export let desk: Desk;
export let nodes: readonly [Node, Node];

beforeAll(async () => {
  at = await createTestDatabase();
  desk = createDesk();
  const { connectionString } = at;
  nodes = [await startNode({ connectionString, desk }), await startNode({ connectionString, desk })];
});

afterAll(async () => {
  for (const node of nodes) await node.close();
  await at.drop();
});

export interface Real {
  readonly userId: string;
  readonly sessions: readonly [SignIn, SignIn];
  readonly conversationId: string;
  readonly cards: AskedCard[];
}
export type Story = fc.AsyncCommand<reference.Reference, Real>;
export type Who = 0 | 1;

export const names = ["Bo", "Cy", "bad"] as const;
export const who = fc.constantFrom<Who>(0, 1);
export const which = fc.nat({ max: 9 });
export const argsOf = (name: string): string => JSON.stringify({ name });
export const pick = <Item>(items: readonly Item[], index: number): Item => {
  const item = items[index % items.length];
  invariant(item !== undefined, "a story picks among what there is");
  return item;
};

export async function newCard(real: Real, before: ReadonlySet<string>): Promise<void> {
  const [node] = nodes;
  const rows = await node.chat.cardsOf(real.userId, {
    conversationId: real.conversationId,
    messageIds: [],
    andWaiting: true,
  });
  for (const row of rows) {
    if (before.has(row.messageId)) continue;
    real.cards.push({
      conversationId: real.conversationId,
      messageId: row.messageId,
      confirmationId: row.confirmationId,
    });
  }
}

/** Sets the box on one node and lets the others see it now rather than within their second. */
export async function setBox(writes: boolean): Promise<void> {
  await nodes[1].settings.setSite({ "module:desk:writes": writes });
  for (const node of nodes) await node.settings.site({ fresh: true });
}

/** How often each thing was seen, so that a change that keeps stories from happening is noticed. */
export const seen = new Map<string, number>();
export const count = (what: string): void => void seen.set(what, (seen.get(what) ?? 0) + 1);

export const known = (real: Real): ReadonlySet<string> => new Set(real.cards.map((card) => card.messageId));
