import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { v7 as uuid } from "uuid";
import type { SignIn } from "../desk.ts";
import { serveDesk, type Served } from "../http/served.ts";
import { everything, signInManager } from "./people.ts";

let served: Served;
let manager: SignIn;

beforeAll(async () => {
  served = await serveDesk([]);
  manager = signInManager(served);
});

afterAll(() => served.close());

interface Row {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
}

/** Every admin route, with what it takes. */
const routes: readonly Row[] = [
  { method: "GET", path: "/admin/overview" },
  { method: "GET", path: "/admin/endpoints" },
  { method: "POST", path: "/admin/endpoints", body: { name: "new", provider: "openai", model: "m" } },
  { method: "PATCH", path: "/admin/endpoints/new", body: { version: 1, changes: { model: "n" } } },
  { method: "POST", path: "/admin/endpoints/new/try" },
  { method: "DELETE", path: "/admin/endpoints/new" },
  { method: "GET", path: "/admin/modules" },
  { method: "PATCH", path: "/admin/modules/desk", body: { writes: false, versions: {} } },
  { method: "GET", path: "/admin/limits" },
  { method: "GET", path: "/admin/limits?userId=mia" },
  { method: "PATCH", path: "/admin/limits", body: { changes: { turnsPerHour: 7 }, versions: {} } },
  { method: "PATCH", path: "/admin/limits", body: { userId: "mia", changes: { userBudgetDay: 2 }, versions: {} } },
  { method: "GET", path: "/admin/usage" },
  { method: "GET", path: "/admin/journal" },
  { method: "GET", path: "/admin/journal.csv" },
  { method: "GET", path: "/admin/tool-calls" },
  { method: "GET", path: "/admin/flags" },
  { method: "POST", path: "/admin/flags/clear", body: { userId: "mia" } },
  { method: "GET", path: "/admin/turns" },
  { method: "POST", path: `/admin/turns/${uuid()}/stop`, body: { userId: "mia" } },
];

const send = ({ method, path, body }: Row, as: SignIn | undefined) =>
  served.ask(method, path, { as, ...(body !== undefined && { body }) });

test("the description names every admin route and no other", async () => {
  const answer = await served.ask("GET", "/openapi.json", { as: served.desk.signIn("anybody") });
  const { paths } = answer.body as { paths: Record<string, Record<string, unknown>> };
  const described = Object.entries(paths)
    .filter(([path]) => path.startsWith("/admin/"))
    .flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`));
  const asked = routes.map(({ method, path }) => {
    const named = path.replace(/\?.*/, "").replace(/(endpoints|modules)\/\w+/, "$1/{name}");
    return `${method} ${named.replace(/turns\/.*\//, "turns/{turnId}/")}`;
  });
  expect(described.toSorted()).toEqual([...new Set(asked)].toSorted());
});

describe("Who may not manage is refused on every admin route with the reason, and nothing is written", () => {
  const people: readonly {
    readonly who: string;
    readonly as: () => SignIn | undefined;
    readonly status: number;
    readonly code: string;
  }[] = [
    { who: "nobody", as: () => undefined, status: 401, code: "session_invalid" },
    {
      who: "a manager who signed out",
      as: () => Object.assign(signInManager(served), { live: false }),
      status: 401,
      code: "session_invalid",
    },
    {
      who: "somebody who acts as a manager",
      as: () => Object.assign(signInManager(served), { impersonatedBy: "root" }),
      status: 403,
      code: "impersonated",
    },
    {
      who: "a reader",
      as: () => served.desk.signIn("tom", ["assistant.use", "desk.read"]),
      status: 403,
      code: "manage_not_allowed",
    },
    { who: "a writer", as: () => served.desk.signIn("maja"), status: 403, code: "manage_not_allowed" },
  ];

  test.each(people)("$who", async ({ as, status, code }) => {
    const person = as();
    const before = await everything(served);
    for (const route of routes) {
      const answer = await send(route, person);
      expect([route.path, answer.status, answer.body["code"]]).toEqual([route.path, status, code]);
      expect(answer.headers.get("content-type")).toBe("application/problem+json");
    }
    expect(await everything(served)).toEqual(before);
  });

  test("a manager's request from a foreign page, where it would change something", async () => {
    const before = await everything(served);
    for (const { method, path, body } of routes.filter((route) => route.method !== "GET")) {
      const headers = { origin: "https://evil.example" };
      const answer = await served.ask(method, path, { as: manager, body, headers });
      expect([path, answer.status, answer.body["code"]]).toEqual([path, 403, "origin_refused"]);
    }
    expect(await everything(served)).toEqual(before);
  });
});

test("a manager reads every page, with the assistant switched off too", async () => {
  await served.assistant.settings.setSite({ assistantOn: false });
  for (const route of routes.filter(({ method, path }) => method === "GET" && !path.endsWith(".csv"))) {
    expect([route.path, (await send(route, manager)).status]).toEqual([route.path, 200]);
  }
  await served.assistant.settings.setSite({ assistantOn: null });
});

test("what no query is has its own answer, and the database never sees it", async () => {
  const wrong = [
    "/admin/journal?before=yesterday",
    "/admin/journal?before=2026-11-30",
    "/admin/journal?status=nice",
    "/admin/journal?from=0001-01-01",
    "/admin/journal?userId=%00",
    "/admin/usage?from=2026-02-30",
    "/admin/usage?from=2020-01-01&to=2026-01-01",
    "/admin/usage?from=2026-01-02&to=2026-01-01",
    "/admin/tool-calls?step=walk",
    "/admin/tool-calls?userId=",
    "/admin/flags?standing=maybe",
  ];
  for (const path of wrong) {
    const answer = await served.ask("GET", path, { as: manager });
    expect([path, answer.status, answer.body["code"]]).toEqual([path, 400, "query_invalid"]);
  }
});
