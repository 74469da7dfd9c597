import { settingsSchema } from "../settings/schema.ts";
import type { AdminLimit, AdminLimits, AdminModules, AdminValue } from "../wire/admin.ts";
import type { AdminRooms } from "./admin-routes.ts";
import * as requests from "./admin-requests.ts";
import * as schemas from "./admin-schemas.ts";
import { defineAdminRoute } from "./manager.ts";
import type { Route } from "./route.ts";
import { z } from "@hono/zod-openapi";

interface Rules {
  readonly default: AdminValue;
  readonly setBy: "code" | "admin" | "user";
  readonly describe: string;
  readonly min?: number;
  readonly max?: number;
  readonly unit?: string;
  readonly perUser?: true;
}

const rules: readonly (readonly [string, Rules])[] = Object.entries(settingsSchema);
const ofSite = rules.filter(([, { setBy }]) => setBy === "admin");
const ofUser = rules.filter(([, { perUser }]) => perUser === true);

/** The modules with their switches, and the limits and budgets of the site and of one user: forms with versions. */
export function adminSettingRoutes(rooms: AdminRooms): readonly Route[] {
  const { core, models, settings, logger } = rooms;

  const readModules = async (): Promise<AdminModules> => {
    const { effective, versions } = await settings.readForm();
    const known = new Map(Object.entries(versions));
    const modules = core.admin.modules().map((module) => ({
      ...module,
      ...effective.module(module.key, module.defaults),
      versions: {
        on: known.get(`module:${module.key}:on`) ?? 0,
        writes: known.get(`module:${module.key}:writes`) ?? 0,
      },
    }));
    return { modules };
  };

  const readLimits = async (userId: string | undefined): Promise<AdminLimits> => {
    const [form, site, spending] = await Promise.all([
      settings.readForm(userId),
      settings.site({ fresh: true }),
      models.admin.spending(userId),
    ]);
    const inherited = new Map<string, AdminValue>(Object.entries(userId === undefined ? settings.fixed : site.values));
    const effective = new Map<string, AdminValue>(Object.entries(form.effective.values));
    const own = new Map(Object.entries(form.own));
    const versions = new Map(Object.entries(form.versions));
    const fields = (userId === undefined ? ofSite : ofUser).map(([key, rule]): AdminLimit => {
      const set = own.get(key);
      const isValue = typeof set === "number" || typeof set === "string" || typeof set === "boolean";
      return {
        key,
        type: typeof rule.default === "boolean" ? "switch" : typeof rule.default === "string" ? "text" : "number",
        optional: rule.default === null,
        unit: rule.unit ?? null,
        min: rule.min ?? null,
        max: rule.max ?? null,
        describe: rule.describe,
        own: isValue ? set : null,
        isSet: isValue,
        effective: effective.get(key) ?? null,
        inherited: inherited.get(key) ?? null,
        version: versions.get(key) ?? 0,
      };
    });
    return { userId: userId ?? null, fields, spending };
  };

  return [
    defineAdminRoute(core, {
      method: "GET",
      path: "/admin/modules",
      summary: "The modules with their tools, whether each is on, and whether the assistant may write there.",
      success: 200,
      answer: schemas.modules,
      refusals: [],
      handle: async () => ({ ok: true, body: await readModules() }),
    }),
    defineAdminRoute(core, {
      method: "PATCH",
      path: "/admin/modules/{name}",
      summary: "Sets a module's switches as they were read with `versions`; null takes one back to the module's own.",
      body: requests.changeModule,
      success: 200,
      answer: schemas.modules,
      refusals: ["unknown_module", "changed_meanwhile", "out_of_bounds"],
      async handle({ name, body, session }) {
        if (!core.admin.modules().some(({ key }) => key === name)) return { ok: false, reason: "unknown_module" };
        const { on, writes, versions } = body;
        const keyOf = (key: string): string => `module:${name}:${key}`;
        const given = Object.entries({ on, writes }).filter(([, value]) => value !== undefined);
        const saved = await settings.saveForm({
          changes: Object.fromEntries(given.map(([key, value]) => [keyOf(key), value])),
          versions: Object.fromEntries(Object.entries(versions).map(([key, version]) => [keyOf(key), version])),
        });
        if (saved.ok) {
          logger.info(
            { admin: session.userId, module: name, changed: given.map(([key]) => key) },
            "a module was switched",
          );
          return { ok: true, body: await readModules() };
        }
        if (saved.reason !== "changed_meanwhile") return { ok: false, reason: "out_of_bounds" };
        const keys = saved.keys.map((key) => key.split(":").at(-1) ?? key);
        return { ok: false, reason: saved.reason, newer: { keys, form: await readModules() } };
      },
    }),
    defineAdminRoute(core, {
      method: "GET",
      path: "/admin/limits",
      summary: "Limits, budgets and switches of the site, or of one user, with the versions a change must name.",
      query: z.object({ userId: requests.userId.optional() }),
      success: 200,
      answer: schemas.limits,
      refusals: [],
      handle: async ({ query }) => ({ ok: true, body: await readLimits(query.userId) }),
    }),
    defineAdminRoute(core, {
      method: "PATCH",
      path: "/admin/limits",
      summary: "Sets what a form changed, all or none; what it did not touch stays. Null takes a value back.",
      body: requests.changeLimits,
      success: 200,
      answer: schemas.limits,
      refusals: ["unknown_setting", "not_settable", "out_of_bounds", "changed_meanwhile"],
      async handle({ body, session }) {
        const { userId, changes, versions } = body;
        // A module's switch has a route of its own, which knows the modules.
        if (Object.keys(changes).some((key) => key.startsWith("module:")))
          return { ok: false, reason: "unknown_setting" };
        const saved = await settings.saveForm({ ...(userId !== undefined && { userId }), changes, versions });
        if (saved.ok) {
          const what = { admin: session.userId, user: userId ?? null, changed: Object.keys(changes) };
          logger.info(what, "settings were changed");
          return { ok: true, body: await readLimits(userId) };
        }
        if (saved.reason !== "changed_meanwhile") return { ok: false, reason: saved.reason };
        return { ok: false, reason: saved.reason, newer: { keys: saved.keys, form: await readLimits(userId) } };
      },
    }),
  ];
}
