import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { v7 as uuid } from "uuid";
import { sql } from "../../src/database/sql.ts";
import { invariant } from "../../src/outcome.ts";
import { createTestDatabase, type TestDatabase } from "../../src/testing/test-database.ts";
import { createDesk, type Desk, type SignIn } from "../desk.ts";
import { askForWrite, type AskedCard, type Node, openConversation, startNode, target } from "../node.ts";
import { createFate, type Death, type Fate, mortal } from "./mortal.ts";

// One story for each place where a click can die: the process is gone at that very step, its lock lapses, and then the
// chat is opened, or the next turn reads it. The card ends as what is true, and the handler ran at most once.

let at: TestDatabase;
let desk: Desk;
let node: Node;

beforeAll(async () => {
  at = await createTestDatabase();
  desk = createDesk();
  // A short hold: the sweeper waits one hold after a start of the database.
  const values = { lockHold: 1_000, clickKeepMs: 500, turnKeepMs: 500 };
  node = await startNode({ connectionString: at.connectionString, desk, values });
});

afterAll(async () => {
  await node.close();
  await at.drop();
});

const isSpend = (text: string): boolean => text.includes("run_until = case");
const isEnd = (text: string): boolean => text.includes("set finished_at = clock_timestamp()");
const isReplace = (text: string): boolean => text.includes("else 'replaced' end");
const isReject = (text: string): boolean => text.includes("else 'rejected' end");
const isNotice = (text: string): boolean => text.includes("'notice'") && text.includes("set told = true");

interface Place {
  readonly place: string;
  readonly death: Death | "in the handler";
  readonly click?: "reject";
  readonly changed?: boolean;
  /** What the panel shows before anything was settled, as soon as the lock lapsed. */
  readonly before: string;
  readonly runs: number;
  readonly after: { readonly state: string; readonly finished: boolean | null };
}

const places: readonly Place[] = [
  {
    place: "before the spend",
    death: { at: isSpend, commits: false },
    before: "waiting",
    runs: 0,
    after: { state: "waiting", finished: null },
  },
  {
    place: "after the spend, before the handler",
    death: { at: isSpend, commits: true },
    before: "unavailable",
    runs: 0,
    after: { state: "confirmed", finished: false },
  },
  {
    place: "in the handler",
    death: "in the handler",
    before: "unavailable",
    runs: 1,
    after: { state: "confirmed", finished: false },
  },
  {
    place: "after the handler, before its end is written",
    death: { at: isEnd, commits: false },
    before: "unavailable",
    runs: 1,
    after: { state: "confirmed", finished: false },
  },
  {
    place: "as the handler's end is written",
    death: { at: isEnd, commits: true },
    before: "unavailable",
    runs: 1,
    after: { state: "confirmed", finished: true },
  },
  {
    place: "before the notice",
    death: { at: isNotice, commits: false },
    before: "unavailable",
    runs: 1,
    after: { state: "confirmed", finished: true },
  },
  {
    place: "as the notice is stored",
    death: { at: isNotice, commits: true },
    before: "confirmed",
    runs: 1,
    after: { state: "confirmed", finished: true },
  },
  {
    place: "after the row was replaced, before the notice and its new card",
    death: { at: isReplace, commits: true },
    changed: true,
    before: "unavailable",
    runs: 0,
    after: { state: "changed", finished: true },
  },
  {
    place: "between the notice of a change and its new card",
    death: { at: isNotice, commits: false },
    changed: true,
    before: "unavailable",
    runs: 0,
    after: { state: "changed", finished: true },
  },
  {
    place: "after the row was turned down, before the notice",
    death: { at: isReject, commits: true },
    click: "reject",
    before: "unavailable",
    runs: 0,
    after: { state: "rejected", finished: true },
  },
];

interface Scene {
  readonly signIn: SignIn;
  readonly card: AskedCard;
}

/** A card whose click died at a place, with its lock lapsed and its handler's time over. */
async function died(place: Place): Promise<Scene> {
  const userId = uuid();
  const signIn = desk.signIn(userId);
  const conversationId = await openConversation(node, signIn.ref);
  const card = await askForWrite(node, { ref: signIn.ref, conversationId, tool: "desk.rename", args: '{"name":"Bo"}' });
  if (place.changed === true) desk.setName(userId, "Somebody else");
  const fate: Fate = createFate(place.death === "in the handler" ? null : place.death);
  const dying = await startNode({ connectionString: "", desk, database: mortal(at.database, fate) });
  if (place.death === "in the handler") {
    desk.gate = () => {
      fate.die();
      return new Promise(() => undefined);
    };
  }
  const click = dying.confirmations[place.click ?? "confirm"](signIn.ref, target(card));
  const end = await Promise.race([click.then(() => "lived"), fate.died.then(() => "died")]);
  desk.gate = null;
  expect(end).toBe("died");
  void dying.close();
  await at.database.query(
    sql`update locks set kept_at = clock_timestamp() - interval '1 hour' where user_id = ${userId}`,
  );
  return { signIn, card };
}

async function passRunLimit({ signIn }: Scene): Promise<void> {
  await at.database.query(
    sql`update confirmations set run_until = clock_timestamp() - interval '1 second' where user_id = ${signIn.userId} and run_until is not null`,
  );
}

async function stateOf({
  signIn,
  card,
}: Scene): Promise<{ state: string | undefined; finished: boolean | null | undefined }> {
  const { conversationId, messageId } = card;
  const read = await node.confirmations.cards(signIn.ref, { conversationId, messageIds: [messageId] });
  invariant(read.ok, "its user reads the card");
  return { state: read.cards[messageId]?.state, finished: read.cards[messageId]?.finished };
}

const runsOf = (scene: Scene): number =>
  desk.runs.filter((run) => run.confirmationId === scene.card.confirmationId).length;

async function expectTrue(scene: Scene, place: Place): Promise<void> {
  expect(await stateOf(scene)).toEqual(place.after);
  expect(runsOf(scene)).toBe(place.runs);
  const waiting = await node.confirmations.waitingCards(scene.signIn.ref, scene.card);
  invariant(waiting.ok, "its user reads what waits");
  const next = Object.values(waiting.cards).filter((card) => card.messageId !== scene.card.messageId);
  expect(next).toHaveLength(place.changed === true ? 1 : 0);
  // Opening the chat again tells nothing twice.
  expect(await node.confirmations.settleLapsed(scene.signIn.ref, scene.card)).toEqual({ ok: true });
  const notices = await at.database.query<{ count: number }>(
    sql`select count(*)::int as count from messages where user_id = ${scene.signIn.userId} and role = 'notice'`,
  );
  expect(notices[0]?.count).toBe(place.after.state === "waiting" ? 0 : 1);
}

describe("a click that dies", () => {
  test.each(places)("$place: opening the chat settles its card to what is true", async (place) => {
    const scene = await died(place);
    await passRunLimit(scene);
    expect((await stateOf(scene)).state).toBe(place.before);
    expect(await node.confirmations.settleLapsed(scene.signIn.ref, scene.card)).toEqual({ ok: true });
    await expectTrue(scene, place);
  });

  test.each(places)("$place: the next turn settles its card before it reads the history", async (place) => {
    const scene = await died(place);
    await passRunLimit(scene);
    await node.confirmations.settleLapsedInTurn(scene.signIn.userId, scene.card);
    await expectTrue(scene, place);
  });

  test.each(places)("$place: the sweeper frees the user and settles the card with nobody looking", async (place) => {
    const scene = await died(place);
    await passRunLimit(scene);
    const freed = await node.chat.sweepLocks();
    for (const { userId, conversationId } of freed) await node.confirmations.settleSwept(userId, { conversationId });
    expect(await node.chat.lockNow(scene.signIn.userId)).toBeNull();
    await expectTrue(scene, place);
  });

  test("while the handler may still be running the card reads running, and no click or opening touches it", async () => {
    const place = places.find((one) => one.place === "in the handler");
    invariant(place !== undefined, "that place is in the table");
    const scene = await died(place);
    expect((await stateOf(scene)).state).toBe("running");
    expect(await node.confirmations.settleLapsed(scene.signIn.ref, scene.card)).toEqual({ ok: true });
    const again = await node.confirmations.confirm(scene.signIn.ref, target(scene.card));
    expect(again).toMatchObject({ ok: false, reason: "click_running" });
    expect((await stateOf(scene)).state).toBe("running");
    expect(runsOf(scene)).toBe(1);
  });

  test("a confirm after the spend was lost answers the stored outcome, and runs nothing", async () => {
    const place = places.find((one) => one.place === "before the notice");
    invariant(place !== undefined, "that place is in the table");
    const scene = await died(place);
    const again = await node.confirmations.confirm(scene.signIn.ref, target(scene.card));
    expect(again).toEqual({ ok: true, outcome: "confirmed", finished: true });
    expect(runsOf(scene)).toBe(1);
  });
});
