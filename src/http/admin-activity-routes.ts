import type { AdminFlags, AdminToolCalls, AdminTurns } from "../wire/admin.ts";
import type { AdminRooms } from "./admin-routes.ts";
import * as requests from "./admin-requests.ts";
import * as schemas from "./admin-schemas.ts";
import { defineAdminRoute } from "./manager.ts";
import type { Route } from "./route.ts";

/** Who has flags that count, and who is suspended by them, as the guard would judge each. */
export async function readStanding({ models, settings }: Pick<AdminRooms, "models" | "settings">): Promise<{
  readonly users: AdminFlags["standing"];
  readonly windowSeconds: number;
}> {
  const { offPurposeLimit, offPurposeWindow } = (await settings.site({ fresh: true })).values;
  const [standing, own] = await Promise.all([
    models.admin.standingFlags(offPurposeWindow),
    settings.ownValues(["offPurposeLimit"]),
  ]);
  const limits = new Map(own.map(({ userId, value }) => [userId, value]));
  const users = standing.map(({ userId, count, lastAt }) => {
    const theirs = limits.get(userId);
    const limit = typeof theirs === "number" ? theirs : offPurposeLimit;
    return { userId, count, limit, suspended: limit > 0 && count >= limit, lastAt: lastAt.toISOString() };
  });
  return { users, windowSeconds: offPurposeWindow };
}

/** What was done and is being done: tool calls, off-purpose flags, running turns. */
export function adminActivityRoutes(rooms: AdminRooms): readonly Route[] {
  const { core, chat, models, turns, logger } = rooms;
  return [
    defineAdminRoute(core, {
      method: "GET",
      path: "/admin/tool-calls",
      summary: "The audit of tool calls, newest first: who, what, when and how it went; never what with.",
      query: requests.toolCallsQuery,
      success: 200,
      answer: schemas.toolCalls,
      refusals: [],
      async handle({ query }) {
        const { calls, next } = await core.admin.toolCalls(query);
        const body: AdminToolCalls = {
          calls: calls.map((call) => ({ ...call, at: call.at.toISOString(), title: core.titleOf(call.tool) })),
          next,
        };
        return { ok: true, body };
      },
    }),
    defineAdminRoute(core, {
      method: "GET",
      path: "/admin/flags",
      summary: "Off-purpose flags, newest first, with `standing=1` those not cleared; and who is suspended by them.",
      query: requests.flagsQuery,
      success: 200,
      answer: schemas.flags,
      refusals: [],
      async handle({ query }) {
        const [page, { users, windowSeconds }] = await Promise.all([
          models.admin.flags({ before: query.before, standing: query.standing === "1" }),
          readStanding(rooms),
        ]);
        const body: AdminFlags = {
          flags: page.flags.map(({ at, clearedAt, ...flag }) => ({
            ...flag,
            at: at.toISOString(),
            clearedAt: clearedAt?.toISOString() ?? null,
          })),
          next: page.next,
          standing: users,
          windowSeconds,
        };
        return { ok: true, body };
      },
    }),
    defineAdminRoute(core, {
      method: "POST",
      path: "/admin/flags/clear",
      summary: "Clears a user's flags: a suspension by them ends at once.",
      body: requests.clearFlags,
      success: 204,
      refusals: [],
      async handle({ body, session }) {
        await models.admin.clearFlags(body.userId);
        logger.info({ admin: session.userId, user: body.userId }, "flags were cleared");
        return { ok: true, body: null };
      },
    }),
    defineAdminRoute(core, {
      method: "GET",
      path: "/admin/turns",
      summary: "The turns that run now, on any node, the oldest first.",
      success: 200,
      answer: schemas.turns,
      refusals: [],
      async handle() {
        const { now, turns: running, more } = await chat.admin.runningTurns();
        const body: AdminTurns = {
          now: now.toISOString(),
          turns: running.map((turn) => ({
            ...turn,
            startedAt: turn.startedAt.toISOString(),
            deadlineAt: turn.deadlineAt.toISOString(),
            keptAt: turn.keptAt?.toISOString() ?? null,
          })),
          more,
        };
        return { ok: true, body };
      },
    }),
    defineAdminRoute(core, {
      method: "POST",
      path: "/admin/turns/{turnId}/stop",
      summary: "Asks a user's running turn to stop.",
      body: requests.stopTurn,
      success: 204,
      refusals: ["not_running"],
      async handle({ turnId, body, session }) {
        const stopped = await turns.stopFor({ userId: body.userId, turnId });
        if (!stopped.ok) return stopped;
        logger.info({ admin: session.userId, user: body.userId, turn: turnId }, "a turn was stopped");
        return { ok: true, body: null };
      },
    }),
  ];
}
