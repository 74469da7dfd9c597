import type { Refusal } from "../outcome.ts";
import type { AdminEndpoints, AdminRefusal, AdminTriedEndpoint } from "../wire/admin.ts";
import type { AdminRooms } from "./admin-routes.ts";
import * as requests from "./admin-requests.ts";
import * as schemas from "./admin-schemas.ts";
import { defineAdminRoute } from "./manager.ts";
import type { Route, RouteAnswer } from "./route.ts";

const how = { endpoint: "set", pictureEndpoint: "pictures", chosenEndpoint: "chosen" } as const;
const saveRefusals: readonly AdminRefusal[] = [
  "invalid_endpoint",
  "name_in_code",
  "no_secret",
  "address_refused",
  "variable_refused",
  "key_needed",
];

/** The endpoints, and who uses them. A key goes in and never comes out. */
export function adminEndpointRoutes(rooms: AdminRooms): readonly Route[] {
  const { core, models, settings, logger } = rooms;
  const { admin } = models;

  const list = async (): Promise<AdminEndpoints> => {
    const [endpoints, site, siteEndpoint, own] = await Promise.all([
      admin.endpoints(),
      settings.site({ fresh: true }),
      admin.siteEndpoint(),
      settings.ownValues(["endpoint", "pictureEndpoint", "chosenEndpoint"]),
    ]);
    const names = site.values.offeredEndpoints.split(",").map((name) => name.trim());
    const offered = names.filter((name) => name !== "");
    const users = own.flatMap(({ userId, key, value }) => {
      const used = typeof value === "string" && value !== "" && key in how;
      const isOffered = key !== "chosenEndpoint" || offered.includes(String(value));
      return used && isOffered ? [{ userId, endpoint: value, how: how[key as keyof typeof how] }] : [];
    });
    return {
      endpoints,
      canStoreKeys: admin.canStoreKeys,
      siteEndpoint: siteEndpoint?.endpoint ?? null,
      offered,
      users,
    };
  };

  /** The list after a change; what somebody else changed meanwhile goes with the refusal. */
  const toAnswer = async (
    answer: { readonly ok: true } | Refusal<AdminRefusal | "not_found">,
  ): Promise<RouteAnswer> => {
    if (answer.ok) return { ok: true, body: await list() };
    const { reason } = answer;
    if (reason === "not_found") return { ok: false, reason: "unknown_endpoint" };
    return reason === "changed_meanwhile"
      ? { ok: false, reason, newer: { keys: [], form: await list() } }
      : { ok: false, reason };
  };

  return [
    defineAdminRoute(core, {
      method: "GET",
      path: "/admin/endpoints",
      summary: "The endpoints, declared in code and made by administrators, and the users who have one of their own.",
      success: 200,
      answer: schemas.endpoints,
      refusals: [],
      handle: async () => ({ ok: true, body: await list() }),
    }),
    defineAdminRoute(core, {
      method: "POST",
      path: "/admin/endpoints",
      summary: "Makes an endpoint.",
      body: requests.createEndpoint,
      success: 201,
      answer: schemas.endpoints,
      refusals: [...saveRefusals, "name_taken"],
      async handle({ body, session }) {
        const { credential, ...input } = body;
        const made = await admin.createEndpoint(input, credential);
        if (made.ok) logger.info({ admin: session.userId, endpoint: body.name }, "an endpoint was made");
        return toAnswer(made);
      },
    }),
    defineAdminRoute(core, {
      method: "PATCH",
      path: "/admin/endpoints/{name}",
      summary: "Changes some of an endpoint, as it was read with `version`; its key stays unless another is given.",
      body: requests.changeEndpoint,
      success: 200,
      answer: schemas.endpoints,
      refusals: [...saveRefusals, "unknown_endpoint", "changed_meanwhile"],
      async handle({ name, body, session }) {
        const changed = await admin.changeEndpoint({ name, ...body });
        const what = { admin: session.userId, endpoint: name, changed: Object.keys(body.changes) };
        if (changed.ok) logger.info(what, "an endpoint was changed");
        return toAnswer(changed);
      },
    }),
    defineAdminRoute(core, {
      method: "POST",
      path: "/admin/endpoints/{name}/try",
      summary: "Makes one tiny call of an endpoint and says what came of it. It stands in the journal and may cost.",
      success: 200,
      answer: schemas.triedEndpoint,
      refusals: ["unknown_endpoint"],
      async handle({ name, session }) {
        const tried = await admin.tryEndpoint({ name, userId: session.userId });
        if (tried.ok) {
          const body: AdminTriedEndpoint = { ok: true, model: tried.model, latencyMs: tried.latencyMs };
          return { ok: true, body };
        }
        if (tried.reason === "not_found") return { ok: false, reason: "unknown_endpoint" };
        const body: AdminTriedEndpoint = { ok: false, code: tried.reason };
        return { ok: true, body };
      },
    }),
    defineAdminRoute(core, {
      method: "DELETE",
      path: "/admin/endpoints/{name}",
      summary: "Deletes an endpoint with its key. Who used it is answered by the site's.",
      success: 200,
      answer: schemas.endpoints,
      refusals: ["unknown_endpoint"],
      async handle({ name, session }) {
        const removed = await admin.removeEndpoint(name);
        if (removed.ok) logger.info({ admin: session.userId, endpoint: name }, "an endpoint was deleted");
        return toAnswer(removed);
      },
    }),
  ];
}
