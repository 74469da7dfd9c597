import type { EffectiveSettings } from "../settings/settings.ts";
import { callHost } from "./call-host.ts";
import { describeError } from "./describe-error.ts";
import type { RegisteredTool } from "./registry.ts";
import type { CoreRoom } from "./room.ts";
import type { Session } from "./session.ts";

/** Why a live session may not use a tool, in the order in which it is looked at. */
export type RightsRefusal = "module_off" | "writes_off" | "out_of_scope" | "forbidden";

/** Whether a live session has a permission. A throw, a late answer or anything but `true` is no. */
export async function can(room: CoreRoom, session: Session, permission: string): Promise<boolean> {
  const answer = await callHost(() => session.can(permission), { limit: room.settings.fixed.hostCallLimit });
  if (answer.how === "answered") {
    const allowed: unknown = answer.value;
    return allowed === true;
  }
  const error = answer.how === "threw" ? describeError(answer.error) : undefined;
  room.logger.warn({ permission, how: answer.how, error }, "a rights check gave no answer and counts as no");
  return false;
}

/** Asks each permission of one session once, however many tools need it. */
export function rememberRights(room: CoreRoom, session: Session): (permission: string) => Promise<boolean> {
  const asked = new Map<string, Promise<boolean>>();
  return (permission) => {
    const answer = asked.get(permission) ?? can(room, session, permission);
    asked.set(permission, answer);
    return answer;
  };
}

/** The checks of one tool from its module on, nothing later looked at once one fails; null when the session may use it. */
export async function findRefusal(
  registered: RegisteredTool,
  site: EffectiveSettings,
  asks: { readonly session: Session; readonly has: (permission: string) => Promise<boolean> },
): Promise<RightsRefusal | null> {
  const { module, tool } = registered;
  const switches = site.module(module.key, { on: true, writes: module.sessionWrites });
  if (!switches.on) return "module_off";
  if (tool.kind === "write" && !switches.writes) return "writes_off";
  const { scopes } = asks.session;
  // A host without types may send anything: what is no list of scopes gives none.
  if (scopes !== undefined && !Array.isArray(scopes)) return "out_of_scope";
  if (scopes !== undefined && tool.scope !== undefined && !scopes.includes(tool.scope)) return "out_of_scope";
  return (await asks.has(tool.permission)) ? null : "forbidden";
}
