import type { Chat } from "../chat/chat.ts";
import type { Core } from "../core/core.ts";
import type { Logger } from "../logger.ts";
import type { Models } from "../model/model.ts";
import type { Settings } from "../settings/settings.ts";
import type { Turns } from "../turn/turns.ts";
import type { AdminOverview } from "../wire/admin.ts";
import { adminActivityRoutes, readStanding } from "./admin-activity-routes.ts";
import { adminEndpointRoutes } from "./admin-endpoint-routes.ts";
import { adminJournalRoutes } from "./admin-journal-routes.ts";
import { adminSettingRoutes } from "./admin-setting-routes.ts";
import * as schemas from "./admin-schemas.ts";
import { defineAdminRoute } from "./manager.ts";
import type { Route } from "./route.ts";

/** The rooms an administrator looks into. */
export interface AdminRooms {
  readonly chat: Pick<Chat, "admin">;
  readonly core: Pick<Core, "loadSession" | "can" | "admin" | "titleOf">;
  readonly models: Pick<Models, "admin">;
  readonly settings: Settings;
  readonly turns: Pick<Turns, "stopFor">;
  /** Told who changed what, by the names of what was changed and never its values. */
  readonly logger: Logger;
}

/** What an administrator sees and sets: never what is said in a chat, an argument, a preview, a result or a key. */
export function adminRoutes(rooms: AdminRooms): readonly Route[] {
  const { core, models, settings, chat } = rooms;
  return [
    defineAdminRoute(core, {
      method: "GET",
      path: "/admin/overview",
      summary: "How things stand now: the switches, today's spending, what runs, who is suspended.",
      success: 200,
      answer: schemas.overview,
      refusals: [],
      async handle() {
        const [site, spending, running, standing, endpoints, model] = await Promise.all([
          settings.site({ fresh: true }),
          models.admin.spending(),
          chat.admin.runningTurns(),
          readStanding(rooms),
          models.admin.endpoints(),
          models.admin.siteEndpoint(),
        ]);
        const { assistantOn, aiOn, siteBudgetDay, siteBudgetMonth } = site.values;
        const body: AdminOverview = {
          now: new Date().toISOString(),
          assistantOn,
          aiOn,
          spending,
          budgetDay: siteBudgetDay,
          budgetMonth: siteBudgetMonth,
          runningTurns: running.turns.length,
          suspendedUsers: standing.users.filter(({ suspended }) => suspended).length,
          availableEndpoints: endpoints.filter(({ available }) => available).length,
          model,
        };
        return { ok: true, body };
      },
    }),
    ...adminEndpointRoutes(rooms),
    ...adminSettingRoutes(rooms),
    ...adminJournalRoutes(rooms),
    ...adminActivityRoutes(rooms),
  ];
}
