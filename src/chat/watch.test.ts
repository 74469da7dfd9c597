import { v7 as uuid } from "uuid";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Database } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import { createTestDatabase, type TestDatabase } from "../testing/test-database.ts";
import {
  answer,
  askingForWrite,
  createTestHost,
  createTestNode,
  newChat,
  pick,
  startTurn,
  until,
  type TestNode,
} from "./test-node.ts";
import { ofType, upTo, watch } from "./test-watch.ts";

const host = createTestHost();
let db: TestDatabase;
let here: TestNode;
let there: TestNode;
/** A node that can be made to lose what it would notify, and to wait before it hands on a read. */
let deaf: TestNode;
const gate: { statement: string | null; reached: () => void; open: Promise<void> } = {
  statement: null,
  reached() {},
  open: Promise.resolve(),
};

beforeAll(async () => {
  db = await createTestDatabase();
  const values = { watchRecheck: 100 };
  const node = (through?: (database: Database) => Database): Promise<TestNode> =>
    createTestNode({ connectionString: db.connectionString, host, values, ...(through ? { through } : {}) });
  here = await node();
  there = await node();
  deaf = await node((database) => ({
    ...database,
    notify() {},
    listen: async () => async () => {},
    async query(statement) {
      const rows = await database.query(statement);
      if (gate.statement !== null && statement.text.includes(gate.statement)) {
        gate.statement = null;
        gate.reached();
        await gate.open;
      }
      return rows as never;
    },
  }));
});
afterAll(async () => {
  await Promise.all([here.close(), there.close(), deaf.close()]);
  await db.drop();
});

/** Holds the next read whose text holds this, after the database answered it. */
function holdNext(statement: string): { readonly reached: Promise<void>; release(): void } {
  const reached = Promise.withResolvers<void>();
  const open = Promise.withResolvers<void>();
  Object.assign(gate, { statement, reached: reached.resolve, open: open.promise });
  return { reached: reached.promise, release: open.resolve };
}

describe("a watcher", () => {
  test("gets hello first, then what it missed, then what happens; only stored messages carry an id", async () => {
    const place = await newChat(here, host);
    const turn = await startTurn(here, place);
    await here.chat.store(turn, [answer("a"), answer("b")]);
    const watched = await watch(here, place, { afterSeq: 1 });
    await until(() => watched.seqs.length === 2);
    await here.chat.store(turn, [answer("c")]);
    here.chat.publish(place, { type: "card", messageId: turn.turnId });
    await until(() => watched.events.length === 5);
    expect(watched.events.map(({ type }) => type)).toEqual(["hello", "message", "message", "message", "card"]);
    expect(watched.events[0]).toMatchObject({ type: "hello", lastSeq: 3 });
    expect(watched.seqs).toEqual([2, 3, 4]);
    expect(watched.frames[1]).toMatch(/^id: 2\ndata: \{.*\}\n\n$/);
    for (const n of [0, 4]) expect(watched.frames[n]).toMatch(/^data: \{.*\}\n\n$/);
  });

  test("that names no seq gets what happens from now on; one that names a seq to come likewise", async () => {
    const place = await newChat(here, host);
    const turn = await startTurn(here, place);
    const both = [await watch(here, place), await watch(here, place, { afterSeq: 99 })];
    await here.chat.store(turn, [answer("a")]);
    for (const watched of both) {
      await until(() => watched.seqs.length > 0);
      expect(watched.seqs).toEqual([2]);
    }
  });

  test("gets each message once and in order, though messages are stored while it joins", async () => {
    const place = await newChat(deaf, host);
    const turn = await startTurn(deaf, place);
    await deaf.chat.store(
      turn,
      upTo(300).map((n) => answer(`${n}`)),
    );
    for (const statement of ["as now, c.id", "order by seq\nlimit", "order by seq\nlimit"]) {
      const held = holdNext(statement);
      const joining = watch(deaf, place, { afterSeq: 0 });
      await held.reached;
      await deaf.chat.store(turn, [answer("while it joins"), answer("two at once")]);
      await there.chat.store(turn, [answer("of another node, and no word of it")]);
      held.release();
      const watched = await joining;
      await deaf.chat.store(turn, [answer("after it joined")]);
      const page = await deaf.chat.messages(place.session.ref, place);
      const last = page.ok ? page.conversation.lastSeq : 0;
      await until(() => watched.seqs.length >= last);
      expect(watched.seqs).toEqual(upTo(last));
      watched.leave();
    }
  });

  test("on either of two nodes that store at once gets each message once and in order", async () => {
    const place = await newChat(here, host);
    const turn = await startTurn(here, place);
    const watchers = await Promise.all([
      ...upTo(3).map(() => watch(here, place)),
      ...upTo(3).map(() => watch(there, place)),
      watch(deaf, place),
    ]);
    await Promise.all(
      upTo(40).map((n) => pick([here, there, deaf], n).chat.store(turn, [answer(`${n}`), answer(`${n}'`)])),
    );
    for (const watched of watchers) {
      await until(() => watched.seqs.length >= 80);
      expect(watched.seqs).toEqual(upTo(81, 2));
    }
  });

  test("is told within a look what no notification said", async () => {
    const place = await newChat(here, host);
    const turn = await startTurn(here, place);
    const watched = await watch(there, place);
    expect(ofType(watched, "hello")).toMatchObject([{ turn: { turnId: turn.turnId, activity: "thinking", text: "" } }]);
    await deaf.chat.store(turn, [answer("a")]);
    await deaf.chat.finish(turn, { how: "answer", rounds: 1, messages: [answer("b")] });
    await until(() => ofType(watched, "turn_ended").length > 0);
    expect(watched.seqs).toEqual([2, 3]);
    expect(ofType(watched, "turn_ended")).toEqual([
      { type: "turn_ended", turnId: turn.turnId, how: "answer", asked: true },
    ]);
    const next = await startTurn(deaf, place);
    await until(() => ofType(watched, "turn").length > 0);
    expect(ofType(watched, "turn")).toMatchObject([{ turn: { turnId: next.turnId } }]);
    await deaf.chat.requestStop(place.userId, next.turnId);
    await until(() => ofType(watched, "turn").length > 1);
    expect(ofType(watched, "turn").slice(1)).toMatchObject([{ turn: { turnId: next.turnId, activity: "stopping" } }]);
  });

  test("is told of messages after the listening connection was cut", async () => {
    const place = await newChat(here, host);
    const turn = await startTurn(here, place);
    const watched = await watch(there, place);
    await db.database.query(
      sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query ilike '%listen%' and pid <> pg_backend_pid()`,
    );
    await here.chat.store(turn, [answer("a")]);
    await until(() => watched.seqs.length > 0);
    expect(watched.seqs).toEqual([2]);
  });

  test("that is too slow is cut off, and nobody waits for it", async () => {
    const place = await newChat(here, host);
    const turn = await startTurn(here, place);
    let room = 3;
    const slow = await watch(here, place, { takes: () => room-- > 0 });
    const quick = await watch(here, place);
    await here.chat.store(
      turn,
      upTo(10).map((n) => answer(`${n}`)),
    );
    await slow.done;
    await until(() => quick.seqs.length === 10);
    expect(slow.events.map(({ type }) => type)).toEqual(["hello", "message", "message"]);
  });

  test("that cannot take what waits while it joins is cut off with the reason", async () => {
    const small = await createTestNode({
      connectionString: db.connectionString,
      host,
      values: { watchBacklog: 16_384 },
    });
    try {
      const place = await newChat(small, host);
      const turn = await startTurn(small, place);
      await small.chat.store(turn, [answer("a")]);
      // It is registered, and the read of what it missed is under way: what is published now waits for it.
      const watched = await watch(small, place, { afterSeq: 0 });
      small.chat.publish(place, { type: "delta", turnId: turn.turnId, at: 0, text: "x".repeat(20_000) });
      await watched.done;
      expect(watched.events.at(-1)).toEqual({ type: "bye", reason: "slow" });
    } finally {
      await small.close();
    }
  });

  test("that left is sent nothing more", async () => {
    const place = await newChat(here, host);
    const turn = await startTurn(here, place);
    const watched = await watch(here, place);
    watched.leave();
    await watched.done;
    const before = watched.events.length;
    await here.chat.store(turn, [answer("a")]);
    expect(watched.events).toHaveLength(before);
    const gone = new AbortController();
    gone.abort();
    const late = await here.chat.watch(place.session.ref, {
      ...{ conversationId: place.conversationId, afterSeq: null, signal: gone.signal },
      send: () => true,
    });
    expect(late.ok).toBe(true);
    if (late.ok) await late.done;
  });
});

describe("what is told beside messages", () => {
  test("the chat as it is now, its title with it, to whoever comes or comes back", async () => {
    const place = await newChat(here, host);
    const first = await watch(there, place);
    first.leave();
    await startTurn(here, place);
    await here.chat.renameConversation(place.session.ref, { ...place, title: "Given while nobody watched" });
    const back = await watch(there, place, { afterSeq: 0 });
    const [hello] = ofType(back, "hello");
    expect(hello?.conversation).toMatchObject({ id: place.conversationId, lastSeq: 1 });
    expect(hello?.conversation.title).toBe("Given while nobody watched");
    const page = await here.chat.messages(place.session.ref, place);
    expect(page.ok && page.conversation).toEqual(hello?.conversation);
  });

  test("a chat's new title, given or made, on every node", async () => {
    const place = await newChat(here, host);
    const watchers = [await watch(here, place), await watch(there, place)];
    await startTurn(here, place);
    await here.chat.renameConversation(place.session.ref, { ...place, title: "Mine" });
    for (const watched of watchers) {
      await until(() => ofType(watched, "conversation").length === 2);
      const titles = ofType(watched, "conversation").map(({ conversation }) => conversation.title);
      expect(titles).toEqual(["A question", "Mine"]);
    }
  });

  test("an open notice that is given its end, and late usage, on every node", async () => {
    const place = await newChat(here, host);
    const asked = askingForWrite();
    const turn = await startTurn(here, place);
    await here.chat.finish(turn, { how: "card", rounds: 1, messages: asked.messages });
    const { conversationId, userId } = place;
    const said = {
      conversationId,
      confirmationId: asked.confirmationId,
      tool: "billing.void",
      outcome: "confirmed",
    } as const;
    await here.chat.tellCard(userId, { ...said, finished: false });
    const watchers = [await watch(here, place), await watch(there, place)];
    await here.chat.tellCard(userId, { ...said, outcome: "failed", finished: true });
    await here.chat.linkUsage({ userId, messageId: asked.cardId, requestId: uuid() });
    for (const watched of watchers) {
      await until(() => ofType(watched, "message_changed").length === 2);
      const changed = ofType(watched, "message_changed").map(({ message }) => message);
      expect(changed).toContainEqual(
        expect.objectContaining({ seq: 4, role: "notice", outcome: "failed", finished: true }),
      );
      expect(changed).toContainEqual(expect.objectContaining({ seq: 3, id: asked.cardId }));
      for (const frame of watched.frames.slice(1)) expect(frame).not.toMatch(/^id:/);
    }
  });
});
