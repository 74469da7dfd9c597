import type { z } from "@hono/zod-openapi";
import type { LockHolder } from "../chat/chat.ts";
import type { RequestContext } from "../core/session.ts";
import type { Refusal } from "../outcome.ts";
import type { AdminRefusal } from "../wire/admin.ts";
import type { CardOutcome, ProblemCode } from "../wire/reasons.ts";

export type Method = "GET" | "POST" | "PATCH" | "DELETE";

/** The ids a path can name. What is no UUID reads as the nil UUID, which names nothing. */
export interface PathIds {
  readonly conversationId: string;
  readonly messageId: string;
  readonly turnId: string;
  readonly attachmentId: string;
}

/** Every reason a route can answer: those a user's panel knows, and those of the admin pages. */
export type RouteReason = ProblemCode | AdminRefusal;

/** A request that passed all that is common to routes: who sent it is known by ref, its body was read within the limit. */
export interface Incoming<Query, Body> extends PathIds {
  readonly sessionRef: string;
  readonly query: Query;
  readonly body: Body;
  readonly requestContext: RequestContext;
  readonly request: Request;
  /** What the path names by a word, a module's key say; "" where it names none. */
  readonly name: string;
}

/** What a room's refusal can carry into a problem document. */
export interface RouteRefusal extends Refusal<RouteReason> {
  readonly code?: string;
  readonly sentence?: string;
  readonly outcome?: CardOutcome;
  readonly finished?: boolean;
  readonly holder?: LockHolder;
  readonly retryAfter?: number;
  readonly newer?: object;
}

export type RouteAnswer =
  | { readonly ok: true; readonly body: object }
  | { readonly ok: true; readonly body: null }
  | { readonly ok: true; readonly stream: ReadableStream<Uint8Array>; readonly fileName?: string }
  | {
      readonly ok: true;
      readonly stream: ReadableStream<Uint8Array>;
      readonly headers: Readonly<Record<string, string>>;
    }
  | RouteRefusal;

/** The part of a route that its description in OpenAPI is made from. */
export interface RouteDescription {
  readonly method: Method;
  /** Names its ids in braces: `{conversationId}`, `{messageId}`, `{turnId}`, `{attachmentId}`; a word is `{name}`. */
  readonly path: string;
  readonly summary: string;
  readonly success: 200 | 201 | 202 | 204;
  /** The schema of the answer; absent for 204 and for streams. */
  readonly answer?: z.ZodType;
  /** The type of a stream; default `text/event-stream`. */
  readonly streamType?: "text/csv" | "application/octet-stream" | "image/webp";
  /** The body is a file: the route reads it itself, as it comes. */
  readonly upload?: true;
  readonly refusals: readonly RouteReason[];
}

export interface Route extends RouteDescription {
  readonly query: z.ZodObject | null;
  readonly body: z.ZodType | null;
  /** Answers a request whose query and body are those of the schemas. */
  readonly handle: (incoming: Incoming<unknown, unknown>) => Promise<RouteAnswer>;
}

/** Declares a route; `handle` gets query and body as their schemas read them. */
export function defineRoute<Query extends z.ZodObject = z.ZodObject<{}>, Body extends z.ZodType = z.ZodNull>(
  route: RouteDescription & {
    readonly query?: Query;
    readonly body?: Body;
    readonly handle: (incoming: Incoming<z.output<Query>, z.output<Body>>) => Promise<RouteAnswer>;
  },
): Route {
  const { query = null, body = null, handle } = route;
  return { ...route, query, body, handle: (incoming) => handle(incoming as Parameters<typeof handle>[0]) };
}
