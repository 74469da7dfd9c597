import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { v7 as uuid } from "uuid";
import type { SignIn } from "../desk.ts";
import { serveDesk, type Sent, type Served } from "./served.ts";

let served: Served;
let owner: SignIn;
let chatId: string;
let cardId: string;
let turnId: string;

beforeAll(async () => {
  served = await serveDesk([{ text: "I ask.", calls: [{ name: "desk__rename", arguments: { name: "Bea" } }] }]);
  owner = served.desk.signIn("owner");
  const made = await served.ask("POST", "/conversations", { as: owner });
  chatId = (made.body as { conversation: { id: string } }).conversation.id;
  turnId = await served.turn(owner, chatId, "Rename me to Bea");
  const waiting = await served.ask("GET", `/conversations/${chatId}/cards`, { as: owner });
  cardId = Object.keys(waiting.body["cards"] as object)[0] ?? "";
  expect(cardId).not.toBe("");
});

afterAll(() => served.close());

interface Row {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
}

/** Every route, with a body that it takes. */
const ownRoutes: readonly Row[] = [
  { method: "GET", path: "/me" },
  { method: "GET", path: "/settings" },
  { method: "PATCH", path: "/settings", body: { instructions: "Be brief." } },
  { method: "GET", path: "/openapi.json" },
  { method: "GET", path: "/conversations" },
  { method: "POST", path: "/conversations" },
];
const chatRoutes: readonly Row[] = [
  { method: "PATCH", path: "/conversations/CHAT", body: { title: "Another" } },
  { method: "DELETE", path: "/conversations/CHAT" },
  { method: "POST", path: "/conversations/CHAT/restore" },
  { method: "GET", path: "/conversations/CHAT/messages" },
  { method: "GET", path: "/conversations/CHAT/cards" },
  { method: "GET", path: "/conversations/CHAT/cards?ids=CARD" },
  { method: "GET", path: "/conversations/CHAT/cards/CARD" },
  { method: "POST", path: "/conversations/CHAT/cards/CARD/confirm" },
  { method: "POST", path: "/conversations/CHAT/cards/CARD/reject" },
  { method: "POST", path: "/conversations/CHAT/cards/CARD/repeat" },
  { method: "POST", path: "/conversations/CHAT/open" },
  { method: "POST", path: "/conversations/CHAT/turns", body: { text: "Hello", clientId: "c" } },
  { method: "POST", path: "/conversations/CHAT/turns/TURN/stop" },
  { method: "GET", path: "/conversations/CHAT/events" },
];
const routes = [...ownRoutes, ...chatRoutes];
const changes = routes.filter((route) => route.method !== "GET");

interface Ids {
  readonly chat: string;
  readonly card: string;
  readonly turn: string;
}

function send(route: Row, sent: Sent, ids: Ids = { chat: chatId, card: cardId, turn: turnId }) {
  const path = route.path.replace("CHAT", ids.chat).replace("CARD", ids.card).replace("TURN", ids.turn);
  return served.ask(route.method, path, { ...(route.body !== undefined && { body: route.body }), ...sent });
}

/** All that is stored, table by table. */
async function everything(): Promise<Readonly<Record<string, string>>> {
  const tables = await served.base.database.query<{ name: string }>({
    name: "all_tables",
    text: "select table_name as name from information_schema.tables where table_schema = 'countersign' order by 1",
    values: [],
  });
  const found: Record<string, string> = {};
  for (const { name } of tables) {
    const [row] = await served.base.database.query<{ rows: string }>({
      name: `all_of_${name}`,
      text: `select count(*) || ' ' || coalesce(md5(string_agg(t::text, ',' order by t::text)), '') as rows from ${name} t`,
      values: [],
    });
    found[name] = row?.rows ?? "";
  }
  return found;
}

async function expectRefused(
  asked: ReturnType<typeof send>,
  expected: { readonly status: number; readonly code: string },
): Promise<void> {
  const answer = await asked;
  expect({ status: answer.status, code: answer.body["code"] }).toEqual(expected);
  expect(answer.headers.get("content-type")).toBe("application/problem+json");
  expect(answer.headers.get("cache-control")).toBe("no-store");
  expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
}

describe("A session that may not act is refused on every route, and nothing is written", () => {
  const people: readonly {
    readonly who: string;
    readonly as: () => SignIn | undefined;
    readonly status: number;
    readonly code: string;
  }[] = [
    { who: "nobody", as: () => undefined, status: 401, code: "session_invalid" },
    {
      who: "who signed out",
      as: () => Object.assign(served.desk.signIn("owner"), { live: false }),
      status: 401,
      code: "session_invalid",
    },
    {
      who: "an administrator who acts as the owner",
      as: () => Object.assign(served.desk.signIn("owner"), { impersonatedBy: "admin" }),
      status: 403,
      code: "impersonated",
    },
    {
      who: "the owner without the assistant",
      as: () => served.desk.signIn("owner", ["desk.read", "desk.write"]),
      status: 403,
      code: "not_allowed",
    },
  ];

  test.each(people)("$who", async ({ as, status, code }) => {
    const before = await everything();
    const person = as();
    for (const route of routes) await expectRefused(send(route, { as: person }), { status, code });
    expect(await everything()).toEqual(before);
  });
});

describe("No route tells a stranger whether an id exists", () => {
  test("another user's chat, a chat of nobody, and what is no id have one and the same answer", async () => {
    const stranger = served.desk.signIn("stranger");
    const before = await everything();
    for (const route of chatRoutes) {
      const theirs = await send(route, { as: stranger });
      expect({ status: theirs.status, code: theirs.body["code"] }).toEqual({ status: 404, code: "not_found" });
      for (const chat of [uuid(), "1", "me", "%00", "..%2f..", "00000000-0000-0000-0000-000000000000"]) {
        const none = await send(route, { as: stranger }, { chat, card: cardId, turn: turnId });
        expect({ chat, status: none.status, body: none.body }).toEqual({ chat, status: 404, body: theirs.body });
      }
    }
    expect(await everything()).toEqual(before);
  });

  test("in one's own chat, another user's card or turn is as one that is not there", async () => {
    const stranger = served.desk.signIn("stranger-with-a-chat");
    const made = await served.ask("POST", "/conversations", { as: stranger });
    const own = (made.body as { conversation: { id: string } }).conversation.id;
    const before = await everything();
    const named = chatRoutes.filter(({ path }) => /CARD|TURN/.test(path));
    for (const route of named) {
      const theirs = await send(route, { as: stranger }, { chat: own, card: cardId, turn: turnId });
      const none = await send(route, { as: stranger }, { chat: own, card: uuid(), turn: "7" });
      if (theirs.status === 200) expect(theirs.body["cards"]).toEqual({});
      else expect({ status: none.status, body: none.body }).toEqual({ status: theirs.status, body: theirs.body });
    }
    expect(await everything()).toEqual(before);
  });
});

describe("What changes something comes from the site's own page", () => {
  const foreign: readonly {
    readonly what: string;
    readonly headers: NonNullable<Sent["headers"]>;
    readonly code: string;
  }[] = [
    { what: "without the header", headers: { "x-countersign": undefined }, code: "header_missing" },
    { what: "with another value", headers: { "x-countersign": "yes" }, code: "header_missing" },
    { what: "from a foreign origin", headers: { origin: "https://evil.example" }, code: "origin_refused" },
    { what: "from the same host on another port", headers: { origin: "http://127.0.0.1:1" }, code: "origin_refused" },
    { what: "from a sandboxed page", headers: { origin: "null" }, code: "origin_refused" },
    { what: "without an origin", headers: { origin: undefined }, code: "origin_refused" },
    {
      what: "from a foreign origin that claims to be forwarded",
      headers: { origin: "https://evil.example", "x-forwarded-host": "evil.example" },
      code: "origin_refused",
    },
  ];

  test.each(foreign)("a request $what is refused, and nothing is written", async ({ headers, code }) => {
    const before = await everything();
    for (const route of changes) await expectRefused(send(route, { as: owner, headers }), { status: 403, code });
    expect(await everything()).toEqual(before);
  });
});

describe("A right that was lost", () => {
  test("confirming needs the right to the tool now; the card still waits, and can be turned down", async () => {
    const reader = served.desk.signIn("owner", ["assistant.use", "desk.read"]);
    const before = await everything();
    const confirmed = await send({ method: "POST", path: "/conversations/CHAT/cards/CARD/confirm" }, { as: reader });
    expect({ status: confirmed.status, body: confirmed.body }).toMatchObject({
      status: 422,
      body: { code: "refused", detailCode: "forbidden" },
    });
    const { tool_calls: audited, rates, ...others } = await everything();
    const { tool_calls: auditedBefore, rates: ratesBefore, ...othersBefore } = before;
    expect(others).toEqual(othersBefore);
    expect([audited, rates, auditedBefore, ratesBefore].every((rows) => typeof rows === "string")).toBe(true);
    expect(served.desk.runs).toEqual([]);
  });
});

test("with the assistant off nothing is asked or confirmed and nothing is written; a change can be turned down", async () => {
  await served.assistant.settings.setSite({ assistantOn: false });
  const before = await everything();
  for (const route of chatRoutes.filter(({ path }) => /(confirm|repeat|open|turns)$/.test(path))) {
    await expectRefused(send(route, { as: owner }), { status: 403, code: "assistant_off" });
  }
  const page = await send({ method: "GET", path: "/conversations/CHAT/messages" }, { as: owner });
  expect(page).toMatchObject({ status: 200, body: { cards: { [cardId]: { state: "waiting", rejectable: true } } } });
  expect(await everything()).toEqual(before);

  const rejected = await send({ method: "POST", path: "/conversations/CHAT/cards/CARD/reject" }, { as: owner });
  expect(rejected).toMatchObject({ status: 200, body: { outcome: "rejected", finished: true } });
  await served.assistant.settings.setSite({ assistantOn: null });
});
