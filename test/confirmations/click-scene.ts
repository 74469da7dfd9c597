import { afterAll, afterEach, beforeAll } from "vitest";
import { v7 as uuid } from "uuid";
import { sql } from "../../src/database/sql.ts";
import { invariant } from "../../src/outcome.ts";
import type { SettingValues } from "../../src/settings/schema.ts";
import { createTestDatabase, type TestDatabase } from "../../src/testing/test-database.ts";
import { createDesk, type Desk, type SignIn } from "../desk.ts";
import { askForWrite, openConversation, startNode, type AskedCard, type Node } from "../node.ts";

// One card of one user, on two nodes of one database.

export let at: TestDatabase;
export let desk: Desk;
export let one: Node;
export let other: Node;
export const started: Node[] = [];

beforeAll(async () => {
  at = await createTestDatabase();
  desk = createDesk();
  one = await startNode({ connectionString: at.connectionString, desk });
  other = await startNode({ connectionString: at.connectionString, desk });
});

afterEach(async () => {
  desk.gate = null;
  desk.refusing = false;
  for (const node of started.splice(0)) await node.close();
});

afterAll(async () => {
  await one.close();
  await other.close();
  await at.drop();
});

export interface Scene {
  readonly signIn: SignIn;
  readonly card: AskedCard;
}

export async function ask(name = "Bo", node = one): Promise<Scene> {
  const signIn = desk.signIn(uuid());
  const conversationId = await openConversation(node, signIn.ref);
  const args = JSON.stringify({ name });
  return { signIn, card: await askForWrite(node, { ref: signIn.ref, conversationId, tool: "desk.rename", args }) };
}

export async function look(scene: Scene, ref = scene.signIn.ref) {
  const { conversationId, messageId } = scene.card;
  const read = await other.confirmations.cards(ref, { conversationId, messageIds: [messageId] });
  invariant(read.ok, "its user reads the card");
  const card = read.cards[messageId];
  invariant(card !== undefined, "the card is there");
  return card;
}

export const runsOf = ({ card }: Scene): number =>
  desk.runs.filter((run) => run.confirmationId === card.confirmationId).length;

export async function noticesOf({ signIn }: Scene): Promise<readonly { outcome: string; finished: boolean }[]> {
  return at.database.query(
    sql`select tool_outcome as outcome, finished from messages where user_id = ${signIn.userId} and role = 'notice' order by seq`,
  );
}

/** Lets a handler begin, and ends it when told. */
export function holdHandler(): { begun: Promise<void>; release(): void } {
  let begin: () => void = () => undefined;
  let release: () => void = () => undefined;
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const released = new Promise<void>((resolve) => (release = resolve));
  desk.gate = async () => {
    begin();
    await released;
  };
  return { begun, release };
}

export async function nodeWith(values: Partial<SettingValues>): Promise<Node> {
  const node = await startNode({ connectionString: at.connectionString, desk, values });
  started.push(node);
  return node;
}
