import { OpenAPIHono, z } from "@hono/zod-openapi";
import type { Chat } from "../chat/chat.ts";
import { requestHeader } from "../wire/api.ts";
import { ownRefusals } from "./chat-routes.ts";
import { problems } from "./problem.ts";
import { defineRoute, type Route, type RouteReason } from "./route.ts";
import * as schemas from "./schemas.ts";

const id = z.string().openapi({ format: "uuid" });
const word = z.string();
const header = z
  .object({ [requestHeader]: z.literal("1") })
  .openapi({ description: "A foreign page cannot set it. The Origin must be the site's own, too." });

/** The version of what the routes take and answer. */
const apiVersion = "1";

/** The route that serves the description of all others and of itself. */
export function openApiRoute(chat: Chat, routes: readonly Route[]): Route {
  let described: object | undefined;
  const route: Route = defineRoute({
    method: "GET",
    path: "/openapi.json",
    summary: "This description.",
    success: 200,
    answer: z.record(z.string(), z.unknown()),
    refusals: ownRefusals,
    async handle({ sessionRef }) {
      const answer = await chat.authorize(sessionRef, { whileOff: true });
      if (!answer.ok) return answer;
      described ??= describeRoutes([...routes, route], apiVersion);
      return { ok: true, body: described };
    },
  });
  return route;
}

/** Describes routes as an OpenAPI 3.1 document, from the declarations they are served by. */
export function describeRoutes(routes: readonly Route[], version: string): object {
  const document = new OpenAPIHono();
  for (const route of routes) {
    const changes = route.method !== "GET";
    const names = [...route.path.matchAll(/\{(\w+)\}/g)].map((found) => found[1] ?? "");
    document.openAPIRegistry.registerPath({
      method: route.method.toLowerCase() as "get",
      path: route.path,
      operationId: toOperationId(route),
      tags: [route.path.split("/")[1] ?? ""],
      summary: route.summary,
      request: {
        ...(names.length > 0 && {
          params: z.object(Object.fromEntries(names.map((name) => [name, name === "name" ? word : id]))),
        }),
        ...(route.query !== null && { query: route.query }),
        ...(changes && { headers: header }),
        ...(route.body !== null && {
          body: { required: true, content: { "application/json": { schema: route.body } } },
        }),
        ...(route.upload === true && {
          body: {
            required: true,
            content: { "application/octet-stream": { schema: z.string().openapi({ format: "binary" }) } },
          },
        }),
      },
      responses: { ...success(route), ...refusalsByStatus(refusalsOf(route)) },
    });
  }
  return document.getOpenAPI31Document({
    openapi: "3.1.0",
    info: {
      title: "Countersign",
      version,
      description:
        "Who asks is found by the host from the request, in its own way. A refusal is a problem document (RFC 9457) with a `code`.",
    },
    // Relative to where the document itself was found, whatever the mount.
    servers: [{ url: "." }],
  });
}

/** Every reason a route can answer: its own, and those that are common to all. */
export function refusalsOf(route: Route): readonly RouteReason[] {
  return [
    ...route.refusals,
    ...(route.method === "GET" ? [] : (["header_missing", "origin_refused"] as const)),
    ...(route.query === null ? [] : (["query_invalid"] as const)),
    ...(route.body === null ? [] : (["content_type_refused", "body_too_large", "body_invalid"] as const)),
    "unavailable",
    "internal",
  ];
}

function success(route: Route) {
  if (route.success === 204) return { 204: { description: "Done." } };
  const content =
    route.answer === undefined
      ? { [route.streamType ?? "text/event-stream"]: { schema: z.string() } }
      : { "application/json": { schema: route.answer } };
  return { [route.success]: { description: "Done.", content } };
}

/** Refusals that say when to ask again, in `retryAfter` and in the header. */
const saysWhen: ReadonlySet<RouteReason> = new Set<RouteReason>([
  "turn_running",
  "click_in_flight",
  "click_running",
  "unavailable",
  "session_unavailable",
  "shutting_down",
]);
const retryHeader = {
  description: "Seconds, where it is known when to ask again.",
  schema: { type: "integer" },
} as const;

function refusalsByStatus(reasons: readonly RouteReason[]) {
  const byStatus = Map.groupBy(new Set(reasons), (reason) => problems[reason][0]);
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => {
      const schema = schemas.problem.and(z.object({ code: z.enum(codes) }));
      return [
        status,
        {
          description: codes.join(", "),
          content: { "application/problem+json": { schema } },
          ...(codes.some((code) => saysWhen.has(code)) && { headers: { "Retry-After": retryHeader } }),
        },
      ];
    }),
  );
}

/** `POST /conversations/{conversationId}/turns` is `postConversationsByIdTurns`. */
function toOperationId({ method, path }: Route): string {
  const parts = path
    .replace(/\{name\}/g, "byName")
    .replace(/\{\w+\}/g, "byId")
    .split(/[^A-Za-z]+/)
    .filter((part) => part !== "");
  return [method.toLowerCase(), ...parts.map((part) => part.slice(0, 1).toUpperCase() + part.slice(1))].join("");
}
