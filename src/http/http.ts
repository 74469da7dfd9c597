// The web's door: finds the route, refuses what a foreign page or a stranger sent, asks the rooms, and writes what they
// answer. It decides nothing about chats, turns or cards, and keeps nothing but the streams that are open.
import { randomUUID } from "node:crypto";
import type { Attachments } from "../attachment/attachments.ts";
import type { Chat } from "../chat/chat.ts";
import type { Confirmations } from "../confirmation/confirmations.ts";
import type { Core } from "../core/core.ts";
import type { RequestContext, Sessions } from "../core/session.ts";
import { silentLogger, type Logger } from "../logger.ts";
import type { Models } from "../model/model.ts";
import { refused, type Outcome } from "../outcome.ts";
import type { Settings } from "../settings/settings.ts";
import type { Turns } from "../turn/turns.ts";
import type { ProblemCode } from "../wire/reasons.ts";
import { adminRoutes } from "./admin-routes.ts";
import { attachmentRoutes } from "./attachment-routes.ts";
import { cardRoutes } from "./card-routes.ts";
import { chatRoutes } from "./chat-routes.ts";
import { eventRoutes } from "./event-routes.ts";
import { describeFault, isDatabaseUnavailable } from "./fault.ts";
import { createRouteFinder, type FoundPath } from "./find-route.ts";
import { openApiRoute } from "./openapi.ts";
import { ownRoutes } from "./own-routes.ts";
import { toPathIds, toPathName } from "./path-ids.ts";
import { toProblemResponse } from "./problem.ts";
import { readJsonBody } from "./read-body.ts";
import { resolveSession } from "./resolve-session.ts";
import type { Incoming, Route, RouteAnswer, RouteRefusal } from "./route.ts";
import { foreignRequest, toOrigins } from "./same-origin.ts";
import { turnRoutes } from "./turn-routes.ts";

export interface HttpOptions {
  readonly chat: Chat;
  readonly turns: Turns;
  readonly confirmations: Confirmations;
  readonly attachments: Attachments;
  readonly models: Models;
  readonly settings: Settings;
  readonly core: Core;
  readonly sessions: Sessions;
  /** The path the routes stand under, "/assistant" say; found by itself when left out. */
  readonly basePath?: string | undefined;
  /** Origins of pages that may change something although they are not the request's own host: for proxies that rewrite Host. */
  readonly allowedOrigins?: readonly string[] | undefined;
  /** The address a request came from, as the host knows it; handed to tools. A web-standard request does not say it. */
  readonly clientIp?: ((request: Request) => string | undefined) | undefined;
  readonly logger?: Logger | undefined;
}

interface Asked {
  readonly found: FoundPath;
  readonly request: Request;
  readonly requestContext: RequestContext;
}

/** Makes the handler of all routes. It never throws: what fails is a problem document. */
export function createHttp(options: HttpOptions): (request: Request) => Promise<Response> {
  const { sessions, settings, clientIp, logger = silentLogger } = options;
  const origins = toOrigins(options.allowedOrigins ?? []);
  const routes: readonly Route[] = [
    ...ownRoutes(options),
    ...chatRoutes(options),
    ...cardRoutes(options.confirmations),
    ...turnRoutes(options.turns),
    ...attachmentRoutes(options.attachments),
    ...eventRoutes(options),
    ...adminRoutes({ ...options, logger }),
  ];
  const all = [...routes, openApiRoute(options.chat, routes)];
  const findPath = createRouteFinder(all, options.basePath);
  const byName = new Map(all.map((route) => [`${route.method} ${route.path}`, route]));

  const answer = async (route: Route, asked: Asked): Promise<RouteAnswer> => {
    const { found, request, requestContext } = asked;
    if (route.method !== "GET") {
      const foreign = foreignRequest(request, origins);
      if (foreign !== null) return refused(foreign);
    }
    const session = await resolveSession(sessions, { request, limitMs: settings.fixed.hostCallLimit });
    if (!session.ok) return session;
    const { sessionRef } = session;
    const read = await readInput(route, request);
    if (!read.ok) return read;
    const { query, body } = read;
    const named = { ...toPathIds(found.ids), name: toPathName(found.ids) };
    return route.handle({ ...named, sessionRef, query, body, requestContext, request });
  };

  return async (request) => {
    const requestContext = toRequestContext(request, clientIp);
    const headers = { "x-request-id": requestContext.requestId };
    const found = findPath(new URL(request.url).pathname);
    if (found === null) return toResponse(refused("unknown_route"), headers);
    const route = byName.get(`${request.method} ${found.path}`);
    if (route === undefined) {
      return toResponse(refused("method_not_allowed"), { ...headers, allow: found.methods.join(", ") });
    }
    try {
      return toResponse(await answer(route, { found, request, requestContext }), headers, route);
    } catch (error) {
      const reason = isDatabaseUnavailable(error) ? "unavailable" : "internal";
      const fields = {
        ...describeFault(error),
        route: `${route.method} ${route.path}`,
        requestId: requestContext.requestId,
      };
      logger.error(fields, reason === "unavailable" ? "the database is unavailable" : "a request failed");
      return toResponse(refused(reason), headers);
    }
  };
}

async function readInput(
  route: Route,
  request: Request,
): Promise<Outcome<Pick<Incoming<unknown, unknown>, "query" | "body">, ProblemCode>> {
  let query: unknown = null;
  if (route.query !== null) {
    const parsed = route.query.safeParse(Object.fromEntries(new URL(request.url).searchParams));
    if (!parsed.success) return refused("query_invalid");
    query = parsed.data;
  }
  if (route.body === null) return { ok: true, query, body: null };
  const read = await readJsonBody(request);
  if (!read.ok) return read;
  const parsed = route.body.safeParse(read.body);
  return parsed.success ? { ok: true, query, body: parsed.data } : refused("body_invalid");
}

function toRequestContext(request: Request, clientIp: HttpOptions["clientIp"]): RequestContext {
  const ip = clientIp?.(request);
  const userAgent = request.headers.get("user-agent");
  return { requestId: randomUUID(), ...(ip !== undefined && { ip }), ...(userAgent !== null && { userAgent }) };
}

function toResponse(
  answer: RouteAnswer,
  extra: Readonly<Record<string, string>>,
  { success, streamType, upload }: Pick<Route, "success" | "streamType" | "upload"> = { success: 200 },
): Response {
  const headers: Record<string, string> = {
    ...extra,
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
  };
  if (!answer.ok) return refusalResponse(answer, headers, upload === true);
  if ("stream" in answer) {
    if ("headers" in answer) return new Response(answer.stream, { headers: { ...headers, ...answer.headers } });
    const { stream, fileName } = answer;
    const file = fileName === undefined ? {} : { "content-disposition": `attachment; filename="${fileName}"` };
    return new Response(stream, {
      headers: { ...headers, ...file, "content-type": streamType ?? "text/event-stream", "x-accel-buffering": "no" },
    });
  }
  if (answer.body === null) return new Response(null, { status: success, headers });
  return new Response(JSON.stringify(answer.body), {
    status: success,
    headers: { ...headers, "content-type": "application/json" },
  });
}

function refusalResponse(
  refusal: RouteRefusal,
  headers: Readonly<Record<string, string>>,
  isUpload: boolean,
): Response {
  // The rest of such a body was not read: a connection that is kept would fail the browser's next request on it.
  const close = isUpload || refusal.reason === "body_too_large" ? { connection: "close" } : {};
  return toProblemResponse(refusal, { ...headers, ...close });
}
