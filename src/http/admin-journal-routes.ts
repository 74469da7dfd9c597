import { z } from "@hono/zod-openapi";
import type { JournalEntry } from "../model/model-admin.ts";
import type { AdminJournal, AdminUsage } from "../wire/admin.ts";
import type { AdminRooms } from "./admin-routes.ts";
import * as requests from "./admin-requests.ts";
import * as schemas from "./admin-schemas.ts";
import { toCsvStream } from "./csv.ts";
import { defineAdminRoute } from "./manager.ts";
import type { Route } from "./route.ts";

const pageEntries = 50;
const fileEntries = 1_000;
const mostDays = 366;
const dayMs = 86_400_000;

/** What calls of models came to, and each of them. Never what was asked or answered. */
export function adminJournalRoutes(rooms: AdminRooms): readonly Route[] {
  const { core, models } = rooms;
  return [
    defineAdminRoute(core, {
      method: "GET",
      path: "/admin/usage",
      summary: "Cost, tokens, calls and errors by UTC day, user, model and endpoint; the last 30 days unless said.",
      query: z.object({
        from: requests.day.optional(),
        to: requests.day.optional(),
        userId: requests.userId.optional(),
      }),
      success: 200,
      answer: schemas.usage,
      refusals: ["query_invalid"],
      async handle({ query }) {
        const to = query.to ?? toDay(Date.now());
        const from = query.from ?? toDay(Date.parse(to) - 29 * dayMs);
        const length = (Date.parse(to) - Date.parse(from)) / dayMs + 1;
        if (length < 1 || length > mostDays) return { ok: false, reason: "query_invalid" };
        const report = await models.admin.usage({ from, to, userId: query.userId });
        const known = new Map(report.days.map((day) => [day.day, day]));
        const days = Array.from({ length }, (_, index) => {
          const day = toDay(Date.parse(from) + index * dayMs);
          return known.get(day) ?? { day, ...nothing };
        });
        const body: AdminUsage = { from, to, ...report, days };
        return { ok: true, body };
      },
    }),
    defineAdminRoute(core, {
      method: "GET",
      path: "/admin/journal",
      summary: "Calls of models, newest first, in pages that rows added meanwhile do not shift.",
      query: requests.journalQuery,
      success: 200,
      answer: schemas.journal,
      refusals: [],
      async handle({ query }) {
        const { entries, next } = await models.admin.journal({ ...query, limit: pageEntries });
        const body: AdminJournal = {
          entries: entries.map((entry) => ({ ...entry, at: entry.at.toISOString() })),
          next,
        };
        return { ok: true, body };
      },
    }),
    defineAdminRoute(core, {
      method: "GET",
      path: "/admin/journal.csv",
      summary: "The same as a file, all of it; no cell of it can be taken for a formula.",
      query: requests.journalFile,
      success: 200,
      streamType: "text/csv",
      refusals: [],
      async handle({ query }) {
        const stream = toCsvStream<JournalEntry>({
          columns: journalColumns,
          toValues: (entry) =>
            journalColumns.map((column) => (column === "at" ? entry.at.toISOString() : entry[column])),
          async read(before) {
            const { entries, next } = await models.admin.journal({ ...query, before, limit: fileEntries });
            return { rows: entries, next };
          },
        });
        return { ok: true, stream, fileName: `journal-${toDay(Date.now())}.csv` };
      },
    }),
  ];
}

const nothing = { calls: 0, errors: 0, refused: 0, costMicros: 0, inputTokens: 0, outputTokens: 0 };

const journalColumns = [
  "at",
  "requestId",
  "userId",
  "source",
  "task",
  "endpoint",
  "model",
  "status",
  "code",
  "httpStatus",
  "attempts",
  "inputTokens",
  "outputTokens",
  "costMicros",
  "latencyMs",
  "firstTokenMs",
] as const satisfies readonly (keyof JournalEntry)[];

function toDay(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 10);
}
