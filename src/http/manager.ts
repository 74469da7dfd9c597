import type { z } from "@hono/zod-openapi";
import type { Core } from "../core/core.ts";
import type { Session } from "../core/session.ts";
import { refused, type Outcome } from "../outcome.ts";
import { defineRoute, type Incoming, type Route, type RouteAnswer, type RouteDescription } from "./route.ts";

/** The permission that opens the admin pages. */
export const managePermission = "assistant.manage";

type ManageRefusal = "session_invalid" | "session_unavailable" | "impersonated" | "manage_not_allowed";

/** The refusals that every admin route shares, in the order in which they are looked at. */
export const manageRefusals: readonly ManageRefusal[] = [
  "session_invalid",
  "session_unavailable",
  "impersonated",
  "manage_not_allowed",
];

/** Whether a session may manage the assistant now: loaded anew, nobody acting in its user's name, with the permission. */
export async function authorizeManager(
  core: Pick<Core, "loadSession" | "can">,
  sessionRef: string,
): Promise<Outcome<{ readonly session: Session }, ManageRefusal>> {
  const loaded = await core.loadSession(sessionRef);
  if (!loaded.ok) return loaded;
  const { session } = loaded;
  // Anything but an absent value counts, whatever the host puts there.
  if (session.impersonatedBy != null) return refused("impersonated");
  if (!(await core.can(session, managePermission))) return refused("manage_not_allowed");
  return { ok: true, session };
}

/** Declares a route for administrators: `handle` is reached by a manager's session only. */
export function defineAdminRoute<Query extends z.ZodObject = z.ZodObject<{}>, Body extends z.ZodType = z.ZodNull>(
  core: Pick<Core, "loadSession" | "can">,
  route: RouteDescription & {
    readonly query?: Query;
    readonly body?: Body;
    readonly handle: (
      incoming: Incoming<z.output<Query>, z.output<Body>> & { readonly session: Session },
    ) => Promise<RouteAnswer>;
  },
): Route {
  const { handle } = route;
  return defineRoute<Query, Body>({
    ...route,
    refusals: [...manageRefusals, ...route.refusals],
    async handle(incoming) {
      const manager = await authorizeManager(core, incoming.sessionRef);
      return manager.ok ? handle({ ...incoming, session: manager.session }) : manager;
    },
  });
}
