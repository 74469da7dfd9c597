import { expect, test } from "vitest";
import { createRouteFinder } from "./find-route.ts";

const routes = [
  { method: "GET", path: "/me" },
  { method: "GET", path: "/conversations" },
  { method: "POST", path: "/conversations" },
  { method: "PATCH", path: "/conversations/{conversationId}" },
  { method: "POST", path: "/conversations/{conversationId}/cards/{messageId}/confirm" },
  { method: "GET", path: "/openapi.json" },
] as const;

test.each([
  ["/me", "/me", ""],
  ["/assistant/me", "/me", "/assistant"],
  ["/a/b/c/me/", "/me", "/a/b/c"],
  ["/api/assistant/conversations", "/conversations", "/api/assistant"],
  ["/me/conversations", "/conversations", "/me"],
  ["/conversations/me", "/conversations/{conversationId}", ""],
  ["/x/openapi.json", "/openapi.json", "/x"],
])("a route is found under any mount: %s", (pathname, path, mount) => {
  expect(createRouteFinder(routes)(pathname)).toMatchObject({ path, mount });
});

test.each(["/", "/mee", "/assistant", "/openapiXjson", "/conversations/", "/conversations/1/2", "/me/x"])(
  "what is no whole route is not found: %s",
  (pathname) => {
    const found = createRouteFinder(routes)(pathname);
    expect(found === null || found.path === "/conversations").toBe(true);
    expect(found?.ids ?? {}).toEqual({});
  },
);

test("a path names its ids, and the methods it takes are known", () => {
  const find = createRouteFinder(routes);
  expect(find("/m/conversations/c1/cards/m1/confirm")?.ids).toEqual({ conversationId: "c1", messageId: "m1" });
  expect(find("/conversations")?.methods).toEqual(["GET", "POST"]);
});

test("given a base path, routes are found under it or with it taken off, and nowhere else", () => {
  const find = createRouteFinder(routes, "/assistant/");
  expect(find("/assistant/me")).toMatchObject({ path: "/me", mount: "/assistant" });
  expect(find("/me")).toMatchObject({ path: "/me", mount: "" });
  expect(find("/other/me")).toBeNull();
});

test("a base path that is no path is refused at start-up", () => {
  expect(() => createRouteFinder(routes, "assistant")).toThrow(/basePath: expected a path/);
});

test("a route is found behind a mount of any length; slashes alone are none", () => {
  const find = createRouteFinder(routes);
  expect(find("/".repeat(15_000))).toBeNull();
  const mount = "/x".repeat(5_000);
  expect(find(`${mount}/conversations/c1/cards/m1/confirm`)).toMatchObject({
    mount,
    ids: { conversationId: "c1", messageId: "m1" },
  });
});
