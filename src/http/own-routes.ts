import { toAccept } from "../attachment/file-types.ts";
import { z } from "@hono/zod-openapi";
import type { Chat } from "../chat/chat.ts";
import type { Core } from "../core/core.ts";
import type { Models } from "../model/model.ts";
import type { Settings } from "../settings/settings.ts";
import type { MeAnswer, OwnSettings } from "../wire/api.ts";
import { ownRefusals } from "./chat-routes.ts";
import { managePermission } from "./manager.ts";
import { defineRoute, type Route } from "./route.ts";
import * as schemas from "./schemas.ts";

/** Who the user is here, and what they set for themselves: told while the assistant is off, too. */
export function ownRoutes(rooms: {
  readonly chat: Chat;
  readonly core: Core;
  readonly models: Models;
  readonly settings: Settings;
}): readonly Route[] {
  const { chat, core, models, settings } = rooms;
  const ownSettings = async (userId: string): Promise<OwnSettings> => {
    const { values } = await settings.forUser(userId);
    return { instructions: values.instructions };
  };

  return [
    defineRoute({
      method: "GET",
      path: "/me",
      summary: "The session as the assistant sees it, the model that answers, and the limits in effect.",
      success: 200,
      answer: schemas.me,
      refusals: ownRefusals,
      async handle({ sessionRef }) {
        const answer = await chat.authorize(sessionRef, { whileOff: true });
        if (!answer.ok) return answer;
        const { session } = answer;
        const [mayManage, model, { values }] = await Promise.all([
          core.can(session, managePermission),
          models.describe(session.userId),
          settings.forUser(session.userId),
        ]);
        const body: MeAnswer = {
          displayName: session.displayName ?? null,
          locale: session.locale ?? null,
          timeZone: session.timeZone ?? null,
          mayManage,
          model: model === null ? null : { name: model.name, demo: model.demo, images: model.images },
          limits: {
            messageChars: values.messageChars,
            attachmentBytes: values.attachmentBytes,
            attachmentsPerMessage: values.attachmentsPerMessage,
            attachmentAccept: toAccept(values.attachmentTypes),
            turnsPerHour: values.turnsPerHour,
            turnsPerDay: values.turnsPerDay,
            budgetDay: values.userBudgetDay,
            budgetMonth: values.userBudgetMonth,
          },
        };
        return { ok: true, body };
      },
    }),
    defineRoute({
      method: "GET",
      path: "/settings",
      summary: "What the user set for their own assistant.",
      success: 200,
      answer: schemas.ownSettings,
      refusals: ownRefusals,
      async handle({ sessionRef }) {
        const answer = await chat.authorize(sessionRef, { whileOff: true });
        return answer.ok ? { ok: true, body: await ownSettings(answer.session.userId) } : answer;
      },
    }),
    defineRoute({
      method: "PATCH",
      path: "/settings",
      summary: "Sets some of the user's own settings; null takes one back to its default.",
      body: z.record(z.string(), z.unknown()).openapi({ description: "The keys of OwnSettings that change." }),
      success: 200,
      answer: schemas.ownSettings,
      refusals: [...ownRefusals, "unknown_setting", "not_settable", "out_of_bounds"],
      async handle({ sessionRef, body }) {
        const answer = await chat.authorize(sessionRef, { whileOff: true });
        if (!answer.ok) return answer;
        const set = await settings.setUser(answer.session.userId, body);
        return set.ok ? { ok: true, body: await ownSettings(answer.session.userId) } : set;
      },
    }),
  ];
}
