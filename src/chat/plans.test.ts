import { v7 as uuid } from "uuid";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Queryable } from "../database/database.ts";
import { sql, type Statement } from "../database/sql.ts";
import { createTestDatabase, type TestDatabase } from "../testing/test-database.ts";
import { acquireClick } from "./acquire-click.sql.ts";
import { acquireTurn } from "./acquire-turn.sql.ts";
import { readCards, readOpenCards } from "./cards.sql.ts";
import { listConversations } from "./conversations.sql.ts";
import { finishTurn } from "./finish.sql.ts";
import { followCard } from "./follow-card.sql.ts";
import { readHistory, readNews } from "./history.sql.ts";
import { readAfter, readPage } from "./page.sql.ts";
import { storeMessages } from "./store.sql.ts";
import { storeQuestion } from "./store-question.sql.ts";
import { tellCard } from "./tell-card.sql.ts";
import { toNewRows } from "./new-row.ts";
import { answer } from "./test-node.ts";
import { pollStands } from "./watch.sql.ts";

// What a statement costs is counted in pages touched, of plans as connections keep them (generic ones), made with
// tables that were all but empty and made anew after they were analyzed.

interface Sizes {
  readonly userId: string;
  readonly conversationId: string;
  readonly token: string;
  readonly cardId: string;
  readonly confirmationId: string;
  readonly last: number;
}

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase({ poolSize: 1 });
});
afterAll(() => db.drop());

/** A user with one chat of so many messages, a tenth as many other chats and turns, every twentieth a card that was told, the last one waiting; and a turn that runs. */
async function fill(messages: number): Promise<Sizes> {
  const [userId, conversationId, token, turnId] = [`u-${uuid()}`, uuid(), uuid(), uuid()];
  const on = db.database;
  await on.query(sql`
insert into conversations (user_id, id, last_seq, last_message_at) values (${userId}, ${conversationId}::uuid, ${messages}::int, clock_timestamp())`);
  await on.query(sql`
insert into conversations (user_id, id, created_at)
select ${userId}, gen_random_uuid(), clock_timestamp() - n * interval '1 minute' from generate_series(1, ${messages}::int / 10) n`);
  await on.query(sql`
insert into messages (user_id, id, conversation_id, seq, role, text, tool_status, tool_name, tool_call_id, assistant_message_id, confirmation_id, told)
select ${userId}, gen_random_uuid(), ${conversationId}::uuid, n, case when n % 20 = 0 then 'tool' else 'assistant' end, repeat('x', 100),
  case when n % 20 = 0 then 'needs_confirmation' end, case when n % 20 = 0 then 't' end, case when n % 20 = 0 then 'c' end,
  case when n % 20 = 0 then gen_random_uuid() end, case when n % 20 = 0 then gen_random_uuid() end, n % 20 = 0 and n < ${messages}::int
from generate_series(1, ${messages}::int) n`);
  await on.query(sql`
insert into turns (user_id, id, conversation_id, client_id, session_hash, node, token, user_message_id, deadline_at, started_at, ended_at, how)
select ${userId}, gen_random_uuid(), ${conversationId}::uuid, n::text, '', '', gen_random_uuid(), gen_random_uuid(), clock_timestamp(),
  clock_timestamp() - interval '2 days', clock_timestamp(), 'answer'
from generate_series(1, ${messages}::int / 10) n`);
  await on.query(sql`
insert into turns (user_id, id, conversation_id, client_id, session_hash, node, token, deadline_at)
values (${userId}, ${turnId}::uuid, ${conversationId}::uuid, 'now', '', '', ${token}::uuid, clock_timestamp())`);
  await on.query(sql`
insert into locks (user_id, kind, token, conversation_id, turn_id, node)
values (${userId}, 'turn', ${token}::uuid, ${conversationId}::uuid, ${turnId}::uuid, '')`);
  const [card] = await on.query<{ readonly id: string; readonly confirmation_id: string }>(sql`
select id, confirmation_id from messages where user_id = ${userId} and seq = ${messages}::int`);
  return {
    userId,
    conversationId,
    token,
    cardId: card?.id ?? "",
    confirmationId: card?.confirmation_id ?? "",
    last: messages,
  };
}

/** Each statement of a turn, a card and a page, for a chat. */
const statements: Readonly<Record<string, (of: Sizes) => Statement>> = {
  history: (of) => readHistory({ ...of, beforeSeq: of.last + 1, limit: 64, characters: 60_000, except: null }),
  news: (of) => readNews(of.userId, of.conversationId, of.last + 1),
  "open cards": (of) => readOpenCards(of.userId, of.conversationId),
  "cards of a page": (of) => readCards({ ...of, messageIds: [of.cardId], andWaiting: true, holdMs: 30_000 }),
  page: (of) => readPage({ ...of, beforeSeq: of.last + 1, limit: 20 }),
  "what was missed": (of) => readAfter({ ...of, afterSeq: of.last - 20, limit: 100 }),
  list: (of) => listConversations({ userId: of.userId, before: null, limit: 30 }),
  look: (of) => pollStands({ userIds: [of.userId], conversationIds: [of.conversationId], holdMs: 30_000 }),
  store: (of) => storeMessages({ ...of, rows: toNewRows([answer("x"), answer("y")]) }),
  finish: (of) => finishTurn({ ...of, how: "answer", rounds: 1, rows: toNewRows([answer("x")]) }),
  question: (of) => storeQuestion({ ...of, id: uuid(), text: "x", title: "x", files: null }),
  "ask again": (of) =>
    followCard({ ...of, noticeId: uuid(), nextConfirmationId: uuid(), nextCardId: uuid(), releaseToken: uuid() }),
  "a click that takes over": (of) =>
    acquireClick({ ...of, token: uuid(), cardId: of.cardId, node: "", holdMs: 0, noticeId: uuid() }),
  "a turn that takes over": (of) =>
    acquireTurn({
      ...{ ...of, turnId: uuid(), token: uuid(), clientId: uuid(), sessionHash: "", node: "", holdMs: 0 },
      ...{ deadlineSeconds: 1, perHour: 60, perDay: 500, noticeId: uuid() },
    }),
  "a card's notice": (of) =>
    tellCard({
      ...{ ...of, tool: "t", outcome: "changed", finished: true, noticeId: uuid(), nextConfirmationId: uuid() },
      ...{ nextCardId: uuid(), releaseToken: uuid() },
    }),
  acquire: (of) =>
    acquireTurn({
      ...{ ...of, turnId: uuid(), token: uuid(), clientId: uuid(), sessionHash: "", node: "", holdMs: 30_000 },
      ...{ deadlineSeconds: 1, perHour: 60, perDay: 500, noticeId: uuid() },
    }),
};

interface PlanNode {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly "Shared Hit Blocks": number;
  readonly "Shared Read Blocks": number;
  readonly Plans?: readonly PlanNode[];
}

/** Pages a statement touches, and the tables it reads from end to end; nothing of it stays. */
async function cost(statement: Statement): Promise<{ readonly pages: number; readonly scanned: readonly string[] }> {
  class Back extends Error {}
  const found: PlanNode[] = [];
  await db.database
    .transaction(async (on) => {
      await prepare(on, statement);
      const values = statement.values.map(toLiteral).join(", ");
      const text = `explain (analyze, buffers, format json) execute ${statement.name}_plan (${values})`;
      const [row] = await on.query<{ readonly "QUERY PLAN": readonly { readonly Plan: PlanNode }[] }>({
        ...{ name: `${statement.name}_${uuid()}`, text, values: [] },
      });
      for (const { Plan } of row?.["QUERY PLAN"] ?? []) found.push(Plan);
      throw new Back();
    })
    .catch((error: unknown) => {
      if (!(error instanceof Back)) throw error;
    });
  const pages = found.reduce((sum, plan) => sum + plan["Shared Hit Blocks"] + plan["Shared Read Blocks"], 0);
  const nodes = found.flatMap(withChildren);
  const scanned = nodes.filter((node) => node["Node Type"] === "Seq Scan").map((node) => node["Relation Name"] ?? "");
  return { pages, scanned };
}

const withChildren = (node: PlanNode): readonly PlanNode[] => [node, ...(node.Plans ?? []).flatMap(withChildren)];

const prepared = new Set<string>();
/** Prepared once, as a connection keeps it; the plan is made when it is first run. */
async function prepare(on: Queryable, statement: Statement): Promise<void> {
  if (prepared.has(statement.name)) return;
  prepared.add(statement.name);
  const { name, text } = statement;
  await on.query({ name: `${name}_prepare`, text: `prepare ${name}_plan as ${text}`, values: [] });
}

function toLiteral(value: unknown): string {
  if (value === null) return "null";
  const text = Array.isArray(value)
    ? `{${value.map((item) => JSON.stringify(item)).join(",")}}`
    : `${value as string | number | boolean}`;
  return `'${text.replaceAll("'", "''")}'`;
}

describe("what a step costs does not grow with the chat", () => {
  const pages = new Map<string, { readonly short: number; readonly long: number }>();

  test("with plans made when the tables were all but empty, and with plans made anew", async () => {
    const first = await fill(20);
    for (const statement of Object.values(statements)) await cost(statement(first));
    const [short, long] = [await fill(60), await fill(20_000)];
    for (const word of ["as planned at first", "analyzed"]) {
      if (word === "analyzed") await db.database.query(sql`analyze conversations, messages, turns, locks`);
      for (const [name, statement] of Object.entries(statements)) {
        // The first run after a load or an analyze also reads what plans are made from.
        await cost(statement(short));
        const [ofShort, ofLong] = [await cost(statement(short)), await cost(statement(long))];
        pages.set(`${name}, ${word}`, { short: ofShort.pages, long: ofLong.pages });
        expect([name, ofLong.scanned.filter((table) => table === "messages" || table === "turns")]).toEqual([name, []]);
      }
    }
    for (const [name, { short: few, long: many }] of pages) {
      expect(many, `${name}: ${few} pages of a short chat, ${many} of a long one`).toBeLessThanOrEqual(3 * few + 30);
    }
  });
});
