import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { afterEach, expect, test } from "vitest";
import type { Logger } from "countersign";
import { createTestDatabase } from "countersign/testing";
import { serveDesk, type Served } from "./served.ts";

const opened: Served[] = [];
afterEach(async () => {
  for (const served of opened.splice(0)) await served.close();
});

async function serve(...[script, options]: Parameters<typeof serveDesk>): Promise<Served> {
  const served = await serveDesk(script, options);
  opened.push(served);
  return served;
}

/** A log that keeps its lines. */
function createLog(): { readonly logger: Logger; readonly lines: string[] } {
  const lines: string[] = [];
  const keep = (fields: object, message: string): void => void lines.push(`${message} ${JSON.stringify(fields)}`);
  return { lines, logger: { debug: keep, info: keep, warn: keep, error: keep } };
}

async function newChat(served: Served, as: Parameters<Served["turn"]>[0]): Promise<string> {
  const made = await served.ask("POST", "/conversations", { as });
  return (made.body as { conversation: { id: string } }).conversation.id;
}

test("while a turn runs, another start and a click are told which chat holds the lock and when to come again", async () => {
  let answer: () => void = () => {};
  const held = new Promise<void>((resolve) => (answer = resolve));
  let reached: () => void = () => {};
  const running = new Promise<void>((resolve) => (reached = resolve));
  const served = await serve([
    { text: "I ask.", calls: [{ name: "desk__rename", arguments: { name: "Bea" } }] },
    {
      text: "Late.",
      before: async () => {
        reached();
        await held;
      },
    },
  ]);
  const owner = served.desk.signIn("owner");
  const first = await newChat(served, owner);
  const second = await newChat(served, owner);
  await served.turn(owner, first, "Rename me");
  const waiting = await served.ask("GET", `/conversations/${first}/cards`, { as: owner });
  const [cardId] = Object.keys(waiting.body["cards"] as object);
  const busy = served.turn(owner, second, "Wait");
  await running;

  const body = { text: "Me too", clientId: "c" };
  for (const asked of [
    served.ask("POST", `/conversations/${first}/turns`, { as: owner, body }),
    served.ask("POST", `/conversations/${first}/cards/${cardId}/confirm`, { as: owner }),
  ]) {
    const refusal = await asked;
    expect(refusal).toMatchObject({ status: 409, body: { code: "turn_running", conversationId: second } });
    expect(Number(refusal.headers.get("retry-after"))).toBeGreaterThan(0);
  }
  const stranger = served.desk.signIn("stranger");
  const theirs = await newChat(served, stranger);
  const stopped = await served.ask("POST", `/conversations/${theirs}/turns/${await turnOf(served)}/stop`, {
    as: stranger,
  });
  expect(stopped).toMatchObject({ status: 409, body: { code: "not_running" } });
  answer();
  await busy;
});

async function turnOf(served: Served): Promise<string> {
  const [row] = await served.base.database.query<{ id: string }>({
    name: "open_turn",
    text: "select id from turns where ended_at is null",
    values: [],
  });
  return row?.id ?? "";
}

test("a click on a settled card is told what became of it", async () => {
  const served = await serve([{ text: "", calls: [{ name: "desk__rename", arguments: { name: "Bea" } }] }]);
  const owner = served.desk.signIn("owner");
  const chatId = await newChat(served, owner);
  await served.turn(owner, chatId, "Rename me");
  const waiting = await served.ask("GET", `/conversations/${chatId}/cards`, { as: owner });
  const [cardId] = Object.keys(waiting.body["cards"] as object);
  const path = `/conversations/${chatId}/cards/${cardId}/confirm`;
  expect(await served.ask("POST", path, { as: owner })).toMatchObject({ status: 200, body: { outcome: "confirmed" } });
  expect(await served.ask("POST", path, { as: owner })).toMatchObject({
    status: 409,
    body: { code: "not_waiting", outcome: "confirmed", finished: true },
  });
  expect(served.desk.runs).toHaveLength(1);
});

test("a start that is repeated answers the same turn", async () => {
  const served = await serve(["Once."]);
  const owner = served.desk.signIn("owner");
  const chatId = await newChat(served, owner);
  const body = { text: "Hello", clientId: "same" };
  const starts = await Promise.all(
    [1, 2, 3].map(() => served.ask("POST", `/conversations/${chatId}/turns`, { as: owner, body })),
  );
  expect(starts.map(({ status }) => status)).toEqual([202, 202, 202]);
  expect(new Set(starts.map((start) => start.body["turnId"])).size).toBe(1);
});

test("a session that cannot be looked up is unavailable, and not signed out", async () => {
  const log = createLog();
  const served = await serve([], {
    logger: log.logger,
    settings: { hostCallLimit: 100 },
    sessions: {
      load: () => Promise.reject(new Error("secret of the host")),
      resolve: (request) =>
        request.headers.get("x-desk-session") === "slow" ? new Promise<never>(() => {}) : "anybody",
    },
  });
  for (const as of ["slow", "anybody"]) {
    const answer = await served.ask("GET", "/conversations", { as });
    expect(answer).toMatchObject({ status: 503, body: { code: "session_unavailable" } });
    expect(answer.headers.get("retry-after")).toBe("5");
  }
  expect(log.lines.join("\n")).not.toContain("secret of the host");
});

test("a database that is gone is 503, and served again once it is back", async () => {
  const base = await createTestDatabase();
  const url = new URL(base.connectionString);
  const proxy = await createProxy(`${url.searchParams.get("host")}/.s.PGSQL.${url.port}`);
  const log = createLog();
  const served = await serve([], {
    database: `postgresql://${url.username}@127.0.0.1:${proxy.port}${url.pathname}`,
    logger: log.logger,
  });
  const owner = served.desk.signIn("owner");
  expect((await served.ask("GET", "/conversations", { as: owner })).status).toBe(200);

  await proxy.cut();
  const answer = await served.ask("GET", "/conversations", { as: owner });
  expect(answer).toMatchObject({ status: 503, body: { code: "unavailable" } });
  expect(Object.keys(answer.body).toSorted()).toEqual(["code", "retryAfter", "status", "title", "type"]);

  await proxy.mend();
  expect((await served.ask("GET", "/conversations", { as: owner })).status).toBe(200);
  for (const open of opened.splice(0)) await open.close();
  await proxy.cut();
  await base.drop();
});

/** Stands between a node and its database, and can be cut. */
async function createProxy(target: string) {
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(target);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.pipe(other);
      one.on("error", () => other.destroy());
      one.on("close", () => {
        sockets.delete(one);
        other.destroy();
      });
    }
  });
  const open = async (port: number): Promise<number> => {
    await once(server.listen(port, "127.0.0.1"), "listening");
    const address = server.address();
    return address !== null && typeof address === "object" ? address.port : 0;
  };
  const port = await open(0);
  return {
    port,
    mend: () => open(port),
    async cut() {
      const closed = once(server.close(), "close");
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

test("our own mistake is 500 without a word of it, and the log has no user's value", async () => {
  const log = createLog();
  const served = await serve([], { logger: log.logger });
  const owner = served.desk.signIn("owner");
  const { settings } = served.assistant;
  Object.assign(settings, { forUser: () => Promise.reject(new TypeError("value of a user")) });
  const answer = await served.ask("GET", "/settings", { as: owner });
  expect(answer).toMatchObject({ status: 500, body: { code: "internal" } });
  expect(JSON.stringify(answer.body)).not.toContain("value");
  const line = log.lines.find((one) => one.includes("a request failed"));
  expect(line).toContain("TypeError");
  expect(line).toContain(answer.headers.get("x-request-id"));
  expect(log.lines.join("\n")).not.toContain("value of a user");
});

test("a node that shuts down takes no new turn and no click, and says when to come again", async () => {
  const served = await serve([]);
  const owner = served.desk.signIn("owner");
  const chatId = await newChat(served, owner);
  await served.assistant.drain();
  const body = { text: "Hello", clientId: "c" };
  const start = await served.ask("POST", `/conversations/${chatId}/turns`, { as: owner, body });
  expect(start).toMatchObject({ status: 503, body: { code: "shutting_down" } });
  expect(start.headers.get("retry-after")).toBe("5");
  expect((await served.ask("GET", "/conversations", { as: owner })).status).toBe(200);
});
