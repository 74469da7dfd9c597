import { request as httpRequest } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { SignIn } from "../desk.ts";
import { serveDesk, type Served } from "./served.ts";

let served: Served;
let owner: SignIn;
let chatId: string;

beforeAll(async () => {
  served = await serveDesk([]);
  owner = served.desk.signIn("owner");
  const made = await served.ask("POST", "/conversations", { as: owner });
  expect(made.status).toBe(201);
  chatId = (made.body as { conversation: { id: string } }).conversation.id;
});

afterAll(() => served.close());

describe("A request that cannot be read is a problem document", () => {
  test.each([
    ["GET", "/nothing", 404, "unknown_route"],
    ["GET", "/", 404, "unknown_route"],
    ["PUT", "/conversations", 405, "method_not_allowed"],
    ["DELETE", "/me", 405, "method_not_allowed"],
    ["GET", "/conversations?before=x&before=y", 200, undefined],
    ["GET", `/conversations/CHAT/messages?before=-1`, 400, "query_invalid"],
    ["GET", `/conversations/CHAT/messages?before=abc`, 400, "query_invalid"],
    ["GET", `/conversations/CHAT/events?after=-1`, 400, "query_invalid"],
    ["GET", `/conversations/CHAT/events?after=1e9`, 400, "query_invalid"],
  ])("%s %s → %i %s", async (...row) => {
    const [method, path, status, code] = row;
    const answer = await served.ask(method, path.replace("CHAT", chatId), { as: owner });
    expect({ status: answer.status, code: answer.body["code"] }).toEqual({ status, code });
  });

  test("a route that takes other methods names them", async () => {
    const answer = await served.ask("PUT", "/conversations", { as: owner });
    expect(answer.headers.get("allow")).toBe("GET, POST");
  });

  test.each([
    ["{", "body_invalid"],
    ["", "body_invalid"],
    ["null", "body_invalid"],
    ["[]", "body_invalid"],
    ['{"title":1}', "body_invalid"],
    ['{"title":"\ud800"}', undefined],
  ])("the body %j", async (body, code) => {
    const answer = await served.ask("PATCH", `/conversations/${chatId}`, { as: owner, body });
    expect(answer.body["code"]).toBe(code);
    expect(answer.status).toBe(code === undefined ? 200 : 400);
  });

  test.each(["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "application/jsonp", ""])(
    "a body of the type %j is refused",
    async (type) => {
      const answer = await served.ask("PATCH", `/conversations/${chatId}`, {
        as: owner,
        body: { title: "x" },
        headers: { "content-type": type },
      });
      expect({ status: answer.status, code: answer.body["code"] }).toEqual({
        status: 415,
        code: "content_type_refused",
      });
    },
  );

  test("keys of an object's prototype are no settings", async () => {
    for (const body of ['{"constructor":1}', '{"toString":""}', '{"siteBudgetDay":1}']) {
      const answer = await served.ask("PATCH", "/settings", { as: owner, body });
      expect(["unknown_setting", "not_settable"], body).toContain(answer.body["code"]);
    }
  });
});

describe("A body has a limit", () => {
  test("one that says it is too large is refused, and its connection is closed", async () => {
    const answer = await served.ask("PATCH", `/conversations/${chatId}`, {
      as: owner,
      body: { title: "x".repeat(300_000) },
    });
    expect({ status: answer.status, code: answer.body["code"] }).toEqual({ status: 413, code: "body_too_large" });
    expect(answer.headers.get("connection")).toBe("close");
  });

  test("one that only turns out to be too large is refused as soon as it is", async () => {
    const answer = await new Promise<{ status: number | undefined; connection: string | undefined }>(
      (resolve, reject) => {
        const sent = httpRequest(
          `${served.origin}/assistant/conversations/${chatId}`,
          {
            method: "PATCH",
            headers: {
              "x-desk-session": owner.ref,
              "x-countersign": "1",
              origin: served.origin,
              "content-type": "application/json",
            },
          },
          (got) => {
            got.resume();
            resolve({ status: got.statusCode, connection: got.headers.connection });
            sent.destroy();
          },
        );
        sent.on("error", reject);
        // Never ended: the answer comes before the body does.
        sent.write(`{"title":"${"x".repeat(300_000)}`);
      },
    );
    expect(answer).toEqual({ status: 413, connection: "close" });
  });
});

describe("A user's own settings", () => {
  test("are read and changed, and null takes one back", async () => {
    const set = await served.ask("PATCH", "/settings", { as: owner, body: { instructions: "Be brief." } });
    expect(set).toMatchObject({ status: 200, body: { instructions: "Be brief." } });
    expect((await served.ask("GET", "/settings", { as: owner })).body).toEqual({ instructions: "Be brief." });
    await served.ask("PATCH", "/settings", { as: owner, body: { instructions: null } });
    expect((await served.ask("GET", "/settings", { as: owner })).body).toEqual({ instructions: "" });
  });

  test("a key that would be an object's prototype sets nothing", async () => {
    const set = await served.ask("PATCH", "/settings", { as: owner, body: '{"__proto__":{"instructions":"x"}}' });
    expect(set).toMatchObject({ status: 200, body: { instructions: "" } });
  });

  test("out of bounds are refused", async () => {
    const body = { instructions: "x".repeat(20_001) };
    expect(await served.ask("PATCH", "/settings", { as: owner, body })).toMatchObject({
      status: 422,
      body: { code: "out_of_bounds" },
    });
  });
});

test("who one is, and the model that answers", async () => {
  const me = await served.ask("GET", "/me", { as: owner });
  expect(me).toMatchObject({
    status: 200,
    body: { mayManage: false, model: { name: "scripted", demo: false }, limits: { messageChars: 20_000 } },
  });
  const manager = served.desk.signIn("manager", ["assistant.use", "assistant.manage"]);
  expect((await served.ask("GET", "/me", { as: manager })).body["mayManage"]).toBe(true);
});

test("a chat is made, renamed, deleted, gone, and restored", async () => {
  const made = await served.ask("POST", "/conversations", { as: owner });
  const { id } = (made.body as { conversation: { id: string } }).conversation;
  const path = `/conversations/${id}`;
  expect(await served.ask("PATCH", path, { as: owner, body: { title: " Plans " } })).toMatchObject({
    status: 200,
    body: { conversation: { id, title: "Plans" } },
  });
  expect(await served.ask("PATCH", path, { as: owner, body: { title: " " } })).toMatchObject({
    status: 422,
    body: { code: "title_invalid" },
  });
  expect((await served.ask("DELETE", path, { as: owner })).status).toBe(204);
  expect((await served.ask("GET", `${path}/messages`, { as: owner })).status).toBe(404);
  expect((await served.ask("POST", `${path}/restore`, { as: owner })).status).toBe(200);
  expect((await served.ask("GET", `${path}/messages`, { as: owner })).body).toMatchObject({
    messages: [],
    hasEarlier: false,
    cards: {},
  });
});

const adminRoutes: readonly string[] = [
  "DELETE /admin/endpoints/{name}",
  "GET /admin/endpoints",
  "GET /admin/flags",
  "GET /admin/journal",
  "GET /admin/journal.csv",
  "GET /admin/limits",
  "GET /admin/modules",
  "GET /admin/overview",
  "GET /admin/tool-calls",
  "GET /admin/turns",
  "GET /admin/usage",
  "PATCH /admin/endpoints/{name}",
  "PATCH /admin/limits",
  "PATCH /admin/modules/{name}",
  "POST /admin/endpoints",
  "POST /admin/endpoints/{name}/try",
  "POST /admin/flags/clear",
  "POST /admin/turns/{turnId}/stop",
];

test("the description names every route, with its refusals by status", async () => {
  const { body } = await served.ask("GET", "/openapi.json", { as: owner });
  const paths = body["paths"] as Record<string, Record<string, { responses: Record<string, unknown> }>>;
  const named = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const isAdmin = (route: string): boolean => route.includes(" /admin");
  expect(named.filter(isAdmin).toSorted()).toEqual(adminRoutes);
  expect(named.filter((route) => !isAdmin(route)).toSorted()).toEqual([
    "DELETE /attachments/{attachmentId}",
    "DELETE /conversations/{conversationId}",
    "GET /attachments/{attachmentId}",
    "GET /attachments/{attachmentId}/thumbnail",
    "GET /conversations",
    "GET /conversations/{conversationId}/attachments",
    "GET /conversations/{conversationId}/cards",
    "GET /conversations/{conversationId}/cards/{messageId}",
    "GET /conversations/{conversationId}/events",
    "GET /conversations/{conversationId}/messages",
    "GET /me",
    "GET /openapi.json",
    "GET /settings",
    "PATCH /conversations/{conversationId}",
    "PATCH /settings",
    "POST /attachments/{attachmentId}/read",
    "POST /conversations",
    "POST /conversations/{conversationId}/attachments",
    "POST /conversations/{conversationId}/cards/{messageId}/confirm",
    "POST /conversations/{conversationId}/cards/{messageId}/reject",
    "POST /conversations/{conversationId}/cards/{messageId}/repeat",
    "POST /conversations/{conversationId}/open",
    "POST /conversations/{conversationId}/restore",
    "POST /conversations/{conversationId}/turns",
    "POST /conversations/{conversationId}/turns/{turnId}/stop",
  ]);
  const start = paths["/conversations/{conversationId}/turns"]?.["post"];
  expect(Object.keys(start?.responses ?? {})).toEqual(
    expect.arrayContaining(["202", "401", "403", "404", "409", "413", "415", "422", "429", "500", "503"]),
  );
});
