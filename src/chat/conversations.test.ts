import { v7 as uuid } from "uuid";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Session } from "../core/session.ts";
import { sql } from "../database/sql.ts";
import { createTestDatabase, type TestDatabase } from "../testing/test-database.ts";
import { answer, createTestHost, createTestNode, newChat, startTurn, type TestNode } from "./test-node.ts";

const host = createTestHost();
let db: TestDatabase;
let node: TestNode;
beforeAll(async () => {
  db = await createTestDatabase();
  node = await createTestNode({ connectionString: db.connectionString, host, values: { pageMessages: 5 } });
});
afterAll(async () => {
  await node.close();
  await db.drop();
});

async function newChatOf(session: Session, question?: string): Promise<string> {
  const made = await node.chat.createConversation(session.ref);
  if (!made.ok) throw new Error(made.reason);
  const conversationId = made.conversation.id;
  if (question !== undefined) {
    const turn = await startTurn(node, { session, conversationId }, { asked: false });
    await node.chat.storeQuestion(turn, { id: uuid(), text: question });
    await node.chat.finish(turn, { how: "answer", rounds: 1, messages: [answer(`Answer to: ${question}`)] });
  }
  return conversationId;
}

async function listed(session: Session, query?: string): Promise<readonly string[]> {
  const ids: string[] = [];
  let before: string | undefined;
  for (;;) {
    const page = await node.chat.conversations(session.ref, {
      ...(before === undefined ? {} : { before }),
      ...(query === undefined ? {} : { query }),
    });
    if (!page.ok) throw new Error(page.reason);
    ids.push(...page.conversations.map(({ id }) => id));
    if (page.next === null) return ids;
    before = page.next;
  }
}

describe("who may act", () => {
  test("refusals come in their order, before anything else is read", async () => {
    const { session, conversationId } = await newChat(node, host);
    const authorize = (ref: string, id = conversationId) => node.chat.authorize(ref, { conversationId: id });
    expect(await authorize("nobody")).toEqual({ ok: false, reason: "session_invalid" });
    const { userId } = session;
    const impersonated = host.signIn(userId, { impersonatedBy: "admin", can: () => false });
    expect(await authorize(impersonated.ref)).toEqual({ ok: false, reason: "impersonated" });
    const without = host.signIn(userId, { can: () => false });
    expect(await authorize(without.ref, "no chat")).toEqual({ ok: false, reason: "not_allowed" });
    expect(await authorize(session.ref)).toMatchObject({ ok: true, session: { userId }, conversation: { lastSeq: 0 } });
    expect(await node.chat.authorize(session.ref)).toMatchObject({ ok: true, conversation: null });
    const stranger = host.signIn("stranger");
    for (const id of [conversationId, uuid(), "no id", conversationId.toUpperCase()]) {
      expect(await authorize(stranger.ref, id)).toEqual({ ok: false, reason: "not_found" });
    }
    host.down = true;
    expect(await authorize(session.ref)).toEqual({ ok: false, reason: "session_unavailable" });
    host.down = false;
  });

  test("while the assistant is off, chats can be read and tidied, and nothing else", async () => {
    const off = await createTestNode({ connectionString: db.connectionString, host, values: { assistantOn: false } });
    try {
      const { session, conversationId } = await newChat(node, host);
      expect(await off.chat.authorize(session.ref, { conversationId })).toEqual({ ok: false, reason: "assistant_off" });
      expect(await off.chat.authorize(session.ref, { conversationId, whileOff: true })).toMatchObject({ ok: true });
      expect(await off.chat.messages(session.ref, { conversationId })).toMatchObject({ ok: true, messages: [] });
      expect(await off.chat.conversations(session.ref, {})).toMatchObject({ ok: true });
      expect(await off.chat.removeConversation(session.ref, { conversationId })).toEqual({ ok: true });
    } finally {
      await off.close();
    }
  });
});

describe("the list", () => {
  test("is newest first by last message, paged without a gap or a double, and the owner's alone", async () => {
    const [mine, theirs] = [host.signIn(`u-${uuid()}`), host.signIn(`u-${uuid()}`)];
    const made: string[] = [];
    for (let n = 0; n < 65; n++) made.push(await newChatOf(mine));
    await newChatOf(theirs);
    const touched = made[10] ?? "";
    const turn = await startTurn(node, { session: mine, conversationId: touched });
    await node.chat.finish(turn, { how: "answer", rounds: 1, messages: [] });
    expect(await listed(mine)).toEqual([touched, ...made.filter((id) => id !== touched).toReversed()]);
  });

  test("chats of one and the same instant are paged too", async () => {
    const session = host.signIn(`u-${uuid()}`);
    for (let n = 0; n < 70; n++) await newChatOf(session);
    await db.database.query(
      sql`update conversations set created_at = '2026-01-02 03:04:05.678901Z' where user_id = ${session.userId}`,
    );
    expect(new Set(await listed(session)).size).toBe(70);
  });

  test.each(["", "x", "1.2", "99999999999999999999.a", "1.00000000-0000-0000-0000-00000000000g"])(
    "a place that is none of ours (%j) is the end of it",
    async (before) => {
      const { session } = await newChat(node, host);
      const end = { ok: true, conversations: [], next: null };
      expect(await node.chat.conversations(session.ref, { before })).toEqual(end);
    },
  );
});

describe("the search", () => {
  test("finds own chats by title and by what was said, whatever the case", async () => {
    const session = host.signIn(`u-${uuid()}`);
    const invoices = await newChatOf(session, "Which INVOICES of Müller are late?");
    const tasks = await newChatOf(session, "My tasks");
    await newChatOf(host.signIn(`u-${uuid()}`), "Which invoices?");
    await node.chat.renameConversation(session.ref, { conversationId: tasks, title: "Plans for Монтаж" });
    expect(await listed(session, "invoices")).toEqual([invoices]);
    expect(await listed(session, "müller")).toEqual([invoices]);
    expect(await listed(session, "answer to: my")).toEqual([tasks]);
    expect(await listed(session, "монтаж")).toEqual([tasks]);
    expect(await listed(session, "nothing of the kind")).toEqual([]);
    expect(await listed(session, "  ")).toEqual([tasks, invoices]);
  });

  test("a text stands for itself: no character of it is a pattern", async () => {
    const session = host.signIn(`u-${uuid()}`);
    const odd = await newChatOf(session, String.raw`100% of a_b is \done`);
    await newChatOf(session, "1000 of aXb is done");
    expect(await listed(session, "100%")).toEqual([odd]);
    expect(await listed(session, "a_b")).toEqual([odd]);
    expect(await listed(session, String.raw`\done`)).toEqual([odd]);
    expect(await listed(session, "\0")).toHaveLength(2);
  });

  test("is bounded a page: a page without a find goes on", async () => {
    const session = host.signIn(`u-${uuid()}`);
    const oldest = await newChatOf(session, "The needle");
    for (let n = 0; n < 60; n++) await newChatOf(session);
    const first = await node.chat.conversations(session.ref, { query: "needle" });
    expect(first).toMatchObject({ ok: true, conversations: [] });
    expect(first).not.toMatchObject({ next: null });
    expect(await listed(session, "needle")).toEqual([oldest]);
  });
});

describe("titles", () => {
  test("a chat is renamed to one line of 1 to 200 characters", async () => {
    const { session, conversationId } = await newChat(node, host);
    const rename = (title: string) => node.chat.renameConversation(session.ref, { conversationId, title });
    expect(await rename("  Two\n lines\u202e\0 ")).toMatchObject({ ok: true, conversation: { title: "Two lines" } });
    expect(await rename("😀".repeat(200))).toMatchObject({ ok: true });
    for (const title of ["", " \n\t", "x".repeat(201)]) {
      expect(await rename(title)).toEqual({ ok: false, reason: "title_invalid" });
    }
    expect(await node.chat.renameConversation(host.signIn("stranger").ref, { conversationId, title: "T" })).toEqual({
      ok: false,
      reason: "not_found",
    });
  });
});

describe("deleting", () => {
  test("a deleted chat is gone at once for everything, and can be taken back", async () => {
    const { session, conversationId } = await newChat(node, host);
    const turn = await startTurn(node, { session, conversationId });
    await node.chat.finish(turn, { how: "answer", rounds: 1, messages: [answer("Kept")] });
    expect(await node.chat.removeConversation(session.ref, { conversationId })).toEqual({ ok: true });
    const gone = { ok: false, reason: "not_found" };
    expect(await node.chat.removeConversation(session.ref, { conversationId })).toEqual(gone);
    expect(await node.chat.messages(session.ref, { conversationId })).toEqual(gone);
    expect(await node.chat.renameConversation(session.ref, { conversationId, title: "T" })).toEqual(gone);
    expect(await node.chat.authorize(session.ref, { conversationId })).toEqual(gone);
    expect(await listed(session)).toEqual([]);
    expect(await listed(session, "question")).toEqual([]);
    expect(await node.chat.restoreConversation(host.signIn("stranger").ref, { conversationId })).toEqual(gone);
    expect(await node.chat.restoreConversation(session.ref, { conversationId })).toMatchObject({ ok: true });
    expect(await node.chat.restoreConversation(session.ref, { conversationId })).toEqual(gone);
    expect(await node.chat.messages(session.ref, { conversationId })).toMatchObject({
      messages: [{}, { text: "Kept" }],
    });
  });

  test("a turn that runs in a deleted chat is asked to stop", async () => {
    const { session, conversationId } = await newChat(node, host);
    const turn = await startTurn(node, { session, conversationId });
    const heard: string[] = [];
    const forget = node.chat.onStop((id) => heard.push(id));
    await node.chat.removeConversation(session.ref, { conversationId });
    forget();
    expect(heard).toEqual([turn.turnId]);
    expect(await node.chat.keep(turn)).toEqual({ held: true, stopRequested: true });
  });
});

describe("a page", () => {
  test("is the newest messages, oldest first, and says whether there are earlier ones", async () => {
    const { session, conversationId } = await newChat(node, host);
    const turn = await startTurn(node, { session, conversationId });
    await node.chat.store(
      turn,
      Array.from({ length: 11 }, (_, n) => answer(`${n}`)),
    );
    const page = async (before?: number) => {
      const read = await node.chat.messages(session.ref, {
        conversationId,
        ...(before === undefined ? {} : { before }),
      });
      if (!read.ok) throw new Error(read.reason);
      return [read.messages.map(({ seq }) => seq), read.hasEarlier];
    };
    expect(await page()).toEqual([[8, 9, 10, 11, 12], true]);
    expect(await page(8)).toEqual([[3, 4, 5, 6, 7], true]);
    expect(await page(3)).toEqual([[1, 2], false]);
    expect(await page(1)).toEqual([[], false]);
    expect(await page(6)).toEqual([[1, 2, 3, 4, 5], false]);
  });
});
