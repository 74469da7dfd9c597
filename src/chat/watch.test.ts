import { v7 as uuid } from "uuid";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Session } from "../core/session.ts";
import type { Database } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import { createTestDatabase, type TestDatabase } from "../testing/test-database.ts";
import type { ServerEvent } from "../wire/events.ts";
import type { ActRefusal } from "../wire/reasons.ts";
import {
  ageLock,
  answer,
  askingForWrite,
  createTestHost,
  createTestNode,
  newChat,
  startTurn,
  until,
  type TestNode,
} from "./test-node.ts";

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

interface Watched {
  readonly events: ServerEvent[];
  readonly frames: string[];
  readonly done: Promise<void>;
  readonly seqs: readonly number[];
  leave(): void;
}

async function watch(
  node: TestNode,
  place: { readonly session: Session; readonly conversationId: string },
  options: { readonly afterSeq?: number | null; readonly takes?: () => boolean } = {},
): Promise<Watched> {
  const events: ServerEvent[] = [];
  const frames: string[] = [];
  const leaving = new AbortController();
  const answered = await node.chat.watch(place.session.ref, {
    conversationId: place.conversationId,
    afterSeq: options.afterSeq ?? null,
    signal: leaving.signal,
    send(encoded) {
      if (options.takes?.() === false) return false;
      frames.push(encoded);
      events.push(JSON.parse(encoded.slice(encoded.indexOf("data: ") + 6)) as ServerEvent);
      return true;
    },
  });
  if (!answered.ok) throw new Error(answered.reason);
  return {
    events,
    frames,
    done: answered.done,
    get seqs() {
      return events.flatMap((event) => (event.type === "message" ? [event.message.seq] : []));
    },
    leave: () => leaving.abort(),
  };
}

const upTo = (last: number, first = 1): readonly number[] =>
  Array.from({ length: last - first + 1 }, (_, n) => n + first);

function ofType<Type extends ServerEvent["type"]>(
  watched: Watched,
  type: Type,
): readonly Extract<ServerEvent, { readonly type: Type }>[] {
  return watched.events.filter((event): event is Extract<ServerEvent, { readonly type: Type }> => event.type === type);
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
    for (const statement of ["as now, c.last_seq", "order by seq\nlimit", "order by seq\nlimit"]) {
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
      upTo(40).map((n) => [here, there, deaf][n % 3]?.chat.store(turn, [answer(`${n}`), answer(`${n}'`)])),
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

describe("who may watch", () => {
  test("refusals are those of every function, and a stranger learns nothing", async () => {
    const place = await newChat(here, host);
    const tries = async (ref: string, conversationId = place.conversationId): Promise<ActRefusal | null> => {
      const signal = new AbortController().signal;
      const answered = await here.chat.watch(ref, { conversationId, afterSeq: null, signal, send: () => true });
      return answered.ok ? null : answered.reason;
    };
    expect(await tries("nobody")).toBe("session_invalid");
    expect(await tries(host.signIn(place.userId, { impersonatedBy: "admin" }).ref)).toBe("impersonated");
    expect(await tries(host.signIn("stranger").ref)).toBe("not_found");
    expect(await tries(place.session.ref, uuid())).toBe("not_found");
    expect(await tries(place.session.ref, "no id")).toBe("not_found");
  });

  test.each([
    { word: "signed out", reason: "session_ended", change: null },
    { word: "impersonated now", reason: "not_allowed", change: { impersonatedBy: "admin" } },
    { word: "without the assistant now", reason: "not_allowed", change: { can: () => false } },
  ])("a session that is $word is sent away", async ({ reason, change }) => {
    const place = await newChat(here, host);
    const watched = await watch(here, place);
    const { session } = place;
    if (change === null) host.sessions.delete(session.ref);
    else host.sessions.set(session.ref, { ...session, ...change });
    await watched.done;
    expect(watched.events.at(-1)).toEqual({ type: "bye", reason });
  });

  test("a host that cannot say who is signed in ends no watch at once, and none goes on for ever", async () => {
    const place = await newChat(here, host);
    const watched = await watch(here, place);
    host.down = true;
    await watched.done;
    host.down = false;
    expect(watched.events.map(({ type }) => type)).toEqual(["hello"]);
  });

  test("who watches a chat that is deleted is told so, on every node", async () => {
    const place = await newChat(here, host);
    const watchers = [await watch(here, place), await watch(there, place), await watch(deaf, place)];
    await here.chat.removeConversation(place.session.ref, place);
    for (const watched of watchers) {
      await watched.done;
      expect(watched.events.at(-1)).toEqual({ type: "bye", reason: "deleted" });
    }
  });

  test("a node that is closed says so to those who watch", async () => {
    const closing = await createTestNode({ connectionString: db.connectionString, host });
    const watched = await watch(closing, await newChat(here, host));
    await closing.close();
    await watched.done;
    expect(watched.events.at(-1)).toEqual({ type: "bye", reason: "shutting_down" });
  });
});

describe("a running turn", () => {
  const saying = (turnId: string, place: { conversationId: string }) => ({
    state: {
      type: "turn",
      turn: { turnId, conversationId: place.conversationId, activity: "thinking", toolTitle: null, text: "" },
    } as const,
    delta: (at: number, text: string) => ({ type: "delta", turnId, at, text }) as const,
  });

  test("is in a newcomer's hello with its text so far, and goes on from there", async () => {
    const place = await newChat(here, host);
    const turn = await startTurn(here, place);
    const { state, delta } = saying(turn.turnId, place);
    here.chat.publish(place, state);
    here.chat.publish(place, delta(0, "Hel"));
    const watched = await watch(here, place);
    here.chat.publish(place, delta(3, "lo"));
    expect(here.chat.running(place.userId, place.conversationId)).toMatchObject({
      text: "Hello",
      activity: "answering",
    });
    await until(() => ofType(watched, "delta").length > 0);
    expect(ofType(watched, "hello")).toMatchObject([{ turn: { turnId: turn.turnId, text: "Hel" } }]);
    expect(ofType(watched, "delta")).toEqual([delta(3, "lo")]);
    await here.chat.finish(turn, { how: "answer", rounds: 1, messages: [answer("Hello")] });
    await until(() => ofType(watched, "turn_ended").length > 0);
    expect(watched.events.slice(-2).map(({ type }) => type)).toEqual(["message", "turn_ended"]);
    expect(here.chat.running(place.userId, place.conversationId)).toBeNull();
    here.chat.publish(place, delta(5, " late"));
    here.chat.publish(place, state);
    expect(here.chat.running(place.userId, place.conversationId)).toBeNull();
    expect(watched.events.at(-1)).toMatchObject({ type: "turn_ended" });
  });

  test("of another node is seen with all its text, however long", async () => {
    const place = await newChat(here, host);
    const turn = await startTurn(here, place);
    const { state, delta } = saying(turn.turnId, place);
    const text = '0123456789\n"\u0007é😀'.repeat(2_000);
    here.chat.publish(place, state);
    here.chat.publish(place, delta(0, text));
    const watched = await watch(there, place);
    const seen = (): string =>
      watched.events.reduce((before, event) => {
        if (event.type === "turn") return event.turn.text;
        return event.type === "delta" && event.at <= before.length ? before.slice(0, event.at) + event.text : before;
      }, "");
    await until(() => seen() === text);
    here.chat.publish(place, delta(text.length, " and"));
    here.chat.publish(place, delta(text.length + 4, " more"));
    await until(() => seen() === `${text} and more`);
    const second = await watch(there, place);
    expect(ofType(second, "hello")[0]?.turn?.text).toBe(`${text} and more`);
    expect(there.chat.running(place.userId, place.conversationId)).toBeNull();
    await here.chat.finish(turn, { how: "answer", rounds: 1, messages: [answer("All")] });
    await until(() => ofType(watched, "turn_ended").length > 0);
    await until(() => watched.seqs.length > 0);
  });

  test("whose lock lapsed is in no hello", async () => {
    const place = await newChat(here, host);
    await startTurn(here, place);
    await ageLock(db.database, place.userId);
    const watched = await watch(there, place);
    expect(ofType(watched, "hello")).toMatchObject([{ turn: null }]);
  });

  test("that is taken over ends for those who watch it, and for its own node", async () => {
    const place = await newChat(here, host);
    const dead = await startTurn(here, place);
    here.chat.publish(place, saying(dead.turnId, place).state);
    const watched = await watch(here, place);
    await ageLock(db.database, place.userId);
    await startTurn(there, place, { asked: false });
    await until(() => ofType(watched, "turn_ended").length > 0);
    await until(() => watched.seqs.length > 0);
    expect(ofType(watched, "turn_ended")).toEqual([
      { type: "turn_ended", turnId: dead.turnId, how: "interrupted", asked: true },
    ]);
    expect(ofType(watched, "message")).toMatchObject([{ message: { code: "interrupted", turnId: dead.turnId } }]);
    expect(here.chat.running(place.userId, place.conversationId)).toBeNull();
  });

  test("that is taken back is told as ended without its question", async () => {
    const place = await newChat(here, host);
    const turn = await startTurn(here, place, { asked: false });
    const watched = await watch(here, place);
    await here.chat.discardTurn(turn);
    await until(() => ofType(watched, "turn_ended").length > 0);
    expect(ofType(watched, "turn_ended")).toMatchObject([{ turnId: turn.turnId, asked: false }]);
  });
});

describe("what is told beside messages", () => {
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
