import { readFileSync } from "node:fs";
import { Validator } from "@seriousme/openapi-schema-validator";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { problems } from "../../src/http/problem.ts";
import { readDescribed } from "./described.ts";
import { serveDesk, type Served } from "./served.ts";

interface Operation {
  readonly operationId: string;
  readonly responses: Readonly<
    Record<
      string,
      { readonly content?: Readonly<Record<string, { readonly schema: { readonly allOf?: readonly unknown[] } }>> }
    >
  >;
}
interface Described {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

let served: Served;
let document: Described & Record<string, unknown>;
beforeAll(async () => {
  served = await serveDesk([]);
  const { body } = await served.ask("GET", "/openapi.json", { as: served.desk.signIn("ann") });
  document = body as typeof document;
});
afterAll(() => served.close());

const operations = (): readonly (readonly [route: string, operation: Operation])[] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, one]) => [`${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, "*")}`, one] as const,
    ),
  );
const refusalsOf = ({ responses }: Operation): readonly (readonly [status: string, code: string])[] =>
  Object.entries(responses).flatMap(([status, { content }]) => {
    const [, own] = content?.["application/problem+json"]?.schema.allOf ?? [];
    const codes =
      (own as { properties: { code: { enum: readonly string[] } } } | undefined)?.properties.code.enum ?? [];
    return codes.map((code) => [status, code] as const);
  });

describe("The description of the API", () => {
  test("is an OpenAPI document by the standard's own schema", async () => {
    const answer = await new Validator().validate(structuredClone(document));
    expect(answer).toEqual({ valid: true });
    expect(document["openapi"]).toBe("3.1.0");
  });

  test("names each operation once, and refers only to what it describes", () => {
    const names = operations().map(([, { operationId }]) => operationId);
    expect(new Set(names).size).toBe(names.length);
    const known = Object.keys((document["components"] as { schemas: object }).schemas);
    const referred = [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(
      ([, name]) => name,
    );
    expect(referred.filter((name) => name === undefined || !known.includes(name))).toEqual([]);
  });

  test("lists at every route the codes it can answer, each under its status", () => {
    for (const [route, operation] of operations()) {
      const refusals = refusalsOf(operation);
      expect([route, refusals.map(([, code]) => code)]).toEqual([
        route,
        expect.arrayContaining(["session_invalid", "session_unavailable", "unavailable", "internal"]),
      ]);
      for (const [status, code] of refusals) {
        expect([route, code, Number(status)]).toEqual([route, code, problems[code as keyof typeof problems][0]]);
      }
    }
  });

  test("says where a refusal tells when to ask again", () => {
    const start = document.paths["/conversations/{conversationId}/turns"]?.["post"];
    expect(start?.responses["409"]).toMatchObject({ headers: { "Retry-After": { schema: { type: "integer" } } } });
    expect(start?.responses["422"]).not.toHaveProperty("headers");
  });
});

test("a refusal that its route does not name, and one that is no problem document, fail the test that met it", async () => {
  const described = await readDescribed(served.ask, served.desk.signIn("ann").ref);
  const asked = { method: "PATCH", path: "/conversations/some" };
  const headers = new Headers({ "content-type": "application/problem+json" });
  described?.check(asked, { status: 422, headers, body: { code: "title_invalid" } });
  expect(() => described?.check(asked, { status: 409, headers, body: { code: "not_running" } })).toThrow(
    "not described",
  );
  expect(() => described?.check(asked, { status: 500, headers: new Headers(), body: {} })).toThrow("500");
});

/** The rows of a page's tables, as cells. */
function rowsOf(page: string): readonly (readonly string[])[] {
  const text = readFileSync(new URL(`../../docs/${page}`, import.meta.url), "utf8").replaceAll("\r\n", "\n");
  const lines = text.split("\n").filter((line) => /^\|.*\|$/.test(line));
  return lines.map((line) =>
    line
      .slice(1, -1)
      .split("|")
      .map((cell) => cell.trim()),
  );
}
const routesIn = (cell: string): readonly string[] =>
  [...cell.matchAll(/`([A-Z]+) (\/[^`?]*)[^`]*`/g)].map(
    ([, method = "", path = ""]) => `${method} ${path.replaceAll(/:\w+/g, "*")}`,
  );

describe("The pages about the API", () => {
  test("list every route, and none that is not there", () => {
    const listed = [...rowsOf("http-api.md"), ...rowsOf("admin.md")].flatMap(([first = ""]) => routesIn(first));
    expect(listed.toSorted()).toEqual(
      operations()
        .map(([route]) => route)
        .toSorted(),
    );
  });

  test("say what each route answers when it did what was asked", () => {
    const said = rowsOf("http-api.md").flatMap(([first = "", second = ""]) =>
      routesIn(first).map((route) => [route, second] as const),
    );
    const known = new Map(operations());
    for (const [route, status] of said) {
      const done = Object.keys(known.get(route)?.responses ?? {}).filter((one) => one.startsWith("2"));
      expect([route, [status]]).toEqual([route, done]);
    }
  });

  test("list every code under its status, and none that is not there", () => {
    const listed = rowsOf("http-api.md").flatMap(([first = "", second = ""]) =>
      /^\d{3}(, \d{3})*$/.test(first) && second.startsWith("`")
        ? [...second.matchAll(/`([a-z_]+)`/g)].flatMap(([, code = ""]) => [[first, code] as const])
        : [],
    );
    expect(listed.map(([, code]) => code).toSorted()).toEqual(Object.keys(problems).toSorted());
    for (const [statuses, code] of listed) {
      expect([code, statuses.split(", ")]).toEqual([
        code,
        expect.arrayContaining([String(problems[code as keyof typeof problems][0])]),
      ]);
    }
  });
});
