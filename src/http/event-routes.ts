import { z } from "@hono/zod-openapi";
import type { Chat } from "../chat/chat.ts";
import type { Settings } from "../settings/settings.ts";
import { chatRefusals } from "./chat-routes.ts";
import { createEventStream } from "./event-stream.ts";
import { defineRoute, type Route } from "./route.ts";

const heartbeatMs = 15_000;

/** Watching a chat: server-sent events, resumed by the seq of the last stored message that was seen. */
export function eventRoutes(rooms: { readonly chat: Chat; readonly settings: Settings }): readonly Route[] {
  const { chat, settings } = rooms;
  return [
    defineRoute({
      method: "GET",
      path: "/conversations/{conversationId}/events",
      summary:
        "Server-sent events of a chat: stored messages with their seq as id, text as it comes, turns and cards. " +
        "Comes back without a loss with Last-Event-ID, or `after`.",
      query: z.object({ after: z.string().optional() }),
      success: 200,
      refusals: [...chatRefusals, "query_invalid"],
      async handle({ sessionRef, conversationId, query, request }) {
        const after = toSeq(request.headers.get("last-event-id") ?? query.after);
        if (after === undefined) return { ok: false, reason: "query_invalid" };

        const stream = createEventStream(settings.fixed.watchBacklog);
        let behind = false;
        const send = (frame: string): boolean => {
          const taken = stream.send(frame);
          behind ||= !taken && !stream.signal.aborted;
          return taken;
        };
        const signal = AbortSignal.any([stream.signal, request.signal]);
        const watch = await chat.watch(sessionRef, { conversationId, afterSeq: after, send, signal });
        if (!watch.ok) return watch;

        // A comment keeps proxies from closing a quiet stream, and finds out that a reader is gone.
        const heartbeat = setInterval(() => stream.send(":\n\n"), heartbeatMs);
        heartbeat.unref();
        void watch.done
          .catch(() => {})
          .then(() => {
            clearInterval(heartbeat);
            if (behind) stream.cut();
            else stream.end();
          });
        return { ok: true, stream: stream.body };
      },
    }),
  ];
}

/** The seq to go on after; null for none given, undefined for what is no seq. */
function toSeq(text: string | undefined): number | null | undefined {
  if (text === undefined || text === "") return null;
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}
