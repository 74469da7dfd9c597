import fc from "fast-check";
import { v7 as uuid } from "uuid";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sql } from "../database/sql.ts";
import { createTestDatabase, type TestDatabase } from "../testing/test-database.ts";
import type { Fence } from "./chat.ts";
import {
  ageLock,
  answer,
  askingForWrite,
  createTestHost,
  createTestNode,
  newChat,
  pick,
  turnRequest,
  type TestNode,
} from "./test-node.ts";

const host = createTestHost();
let db: TestDatabase;
let nodes: readonly TestNode[];
beforeAll(async () => {
  db = await createTestDatabase();
  nodes = await Promise.all([0, 1].map(() => createTestNode({ connectionString: db.connectionString, host })));
});
afterAll(async () => {
  for (const node of nodes) await node.close();
  await db.drop();
});

// How often each is tried: most starts are refused, most tasks have lost their lock.
const steps = {
  ...{ start: 5, ask: 5, answer: 2, finish: 1, card: 4, lapse: 2 },
  ...{ click: 2, release: 3, confirm: 2, change: 2, open: 2, end: 2, again: 2 },
};
type Step = keyof typeof steps;

type World = {
  readonly place: Awaited<ReturnType<typeof newChat>>;
  /** Every fence anybody ever held: tasks that lost theirs go on trying. */
  readonly turns: Fence[];
  readonly clicks: Fence[];
  readonly cards: string[];
  /** Messages whose store was answered as done, each with the turn it was stored for. */
  readonly acknowledged: { readonly id: string; readonly turn: string | null }[];
};

async function run(world: World, { step, n }: { readonly step: Step; readonly n: number }): Promise<void> {
  const { place, turns, clicks, cards, acknowledged } = world;
  const { userId, conversationId, session } = place;
  const { chat } = pick(nodes, n);
  const turn = turns.at(-1 - (n % 2)) ?? turns[0];
  const click = clicks.at(-1 - (n % 2)) ?? clicks[0];
  const confirmationId = cards.at(-1 - (n % 3)) ?? cards[0];
  const release = click !== undefined && n % 2 === 0 ? { release: click } : {};
  const said = { conversationId, confirmationId: confirmationId ?? "", tool: "billing.void" };
  switch (step) {
    case "start": {
      const taken = await chat.acquireForTurn(turnRequest(place, { perHour: 10_000, perDay: 10_000 }));
      if (taken.ok) turns.push(taken.fence);
      return;
    }
    case "ask": {
      const id = uuid();
      // A task stores its question once, first.
      const [asked] = await db.database.query(
        sql`select 1 from turns where token = ${turn?.token ?? null}::uuid and user_message_id is not null`,
      );
      if (turn === undefined || asked !== undefined) return;
      if ((await chat.storeQuestion(turn, { id, text: "?" })).lastSeq !== null)
        acknowledged.push({ id, turn: turn.turnId });
      return;
    }
    case "answer": {
      const messages = [answer("a"), answer("b")];
      if (turn !== undefined && (await chat.store(turn, messages)).lastSeq !== null)
        acknowledged.push(...messages.map(({ id }) => ({ id, turn: turn.turnId })));
      return;
    }
    case "finish":
    case "card": {
      if (turn === undefined) return;
      const asked = askingForWrite();
      const messages = step === "card" ? asked.messages : [answer("c")];
      const done = await chat.finish(turn, { how: step === "card" ? "card" : "answer", rounds: 1, messages });
      if (!done.ended || !done.asked) return;
      acknowledged.push(...messages.map(({ id }) => ({ id, turn: turn.turnId })));
      if (step === "card") cards.push(asked.confirmationId);
      return;
    }
    case "click": {
      const taken = await chat.acquireForClick({ session, conversationId, cardId: null, token: uuid() });
      if (taken.ok) clicks.push(taken.fence);
      return;
    }
    case "confirm":
    case "open":
    case "end":
      if (confirmationId === undefined) return;
      await chat.tellCard(userId, {
        ...{ ...said, ...release, outcome: step === "end" ? "failed" : "confirmed", finished: step !== "open" },
      });
      return;
    case "change": {
      const nextConfirmationId = uuid();
      if (confirmationId === undefined) return;
      const told = await chat.tellCard(userId, {
        ...said,
        ...release,
        outcome: "changed",
        finished: true,
        nextConfirmationId,
      });
      if (told === "stored") cards.push(nextConfirmationId);
      return;
    }
    case "again": {
      const nextConfirmationId = uuid();
      if (confirmationId === undefined) return;
      const told = await chat.followCard(userId, { ...said, ...release, nextConfirmationId });
      if (told === "stored") cards.push(nextConfirmationId);
      return;
    }
    case "lapse":
      return ageLock(db.database, userId);
    case "release":
      return click === undefined ? undefined : chat.releaseClick(click);
  }
}

/** What must hold of a user's rows at every moment between statements; each answer is a broken rule. */
async function broken(userId: string): Promise<readonly unknown[]> {
  return db.database.query(sql`
select 'seq is not gapless' as rule from conversations c
where user_id = ${userId} and (last_seq <> (select count(*) from messages m where m.user_id = c.user_id and m.conversation_id = c.id)
  or last_seq <> (select coalesce(max(seq), 0) from messages m where m.user_id = c.user_id and m.conversation_id = c.id))
union all
select 'told is not what it means' from messages m
where user_id = ${userId} and tool_status = 'needs_confirmation' and told <> exists (
  select from messages n where n.user_id = m.user_id and n.conversation_id = m.conversation_id and n.confirmation_id = m.confirmation_id and n.role = 'notice')
union all
select 'a follower does not come after the notice of its card' from messages f
where user_id = ${userId} and follows_id is not null and not exists (
  select from messages n where n.user_id = f.user_id and n.confirmation_id = f.follows_id and n.role = 'notice' and n.seq < f.seq)
union all
select 'an open turn without its lock, or a turn''s lock without an open turn' from turns t
full join (select * from locks where kind = 'turn' and user_id = ${userId}) l on l.user_id = t.user_id and l.turn_id = t.id
where (t.user_id = ${userId} and t.ended_at is null and l.user_id is null) or (l.user_id is not null and (t.id is null or t.ended_at is not null))
union all
select 'a message of a turn after a message of a later turn' from messages a join messages b on b.user_id = a.user_id and b.conversation_id = a.conversation_id
where a.user_id = ${userId} and a.turn_id is not null and b.turn_id is not null and a.turn_id <> b.turn_id and a.seq < b.seq
  and exists (select from messages c where c.user_id = a.user_id and c.turn_id = a.turn_id and c.seq > b.seq)
union all
select 'a turn that asked has ended and nothing says how' from turns t
where user_id = ${userId} and ended_at is not null and user_message_id is not null and not exists (
  select from messages m where m.user_id = t.user_id and m.turn_id = t.id and m.id <> t.user_message_id)
union all
select 'interrupted is told twice, or of a turn that ended otherwise' from turns t
where user_id = ${userId} and (select count(*) from messages m where m.user_id = t.user_id and m.turn_id = t.id and m.code = 'interrupted')
  <> case when how = 'interrupted' and user_message_id is not null then 1 else 0 end`);
}

test("whatever two nodes do at once in whatever order, the rows of a user stay true, and nothing acknowledged is lost", async () => {
  const choices = (Object.keys(steps) as Step[]).map((step) => ({ weight: steps[step], arbitrary: fc.constant(step) }));
  const move = fc.record({ step: fc.oneof(...choices), n: fc.nat(11) });
  const together = fc.array(move, { minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(fc.array(together, { minLength: 60, maxLength: 60 }), async (rounds) => {
      const world: World = {
        place: await newChat(pick(nodes, 0), host),
        turns: [],
        clicks: [],
        cards: [],
        acknowledged: [],
      };
      for (const round of rounds) {
        await Promise.all(round.map((one) => run(world, one)));
        expect(await broken(world.place.userId)).toEqual([]);
      }
      const { acknowledged } = world;
      const kept = await db.database.query(sql`
select id, turn_id as turn from messages where user_id = ${world.place.userId} and id = any(${acknowledged.map(({ id }) => id)}::uuid[]) order by id`);
      expect(kept).toEqual(acknowledged.toSorted((one, other) => (one.id < other.id ? -1 : 1)));
    }),
    { numRuns: 15 },
  );
});
