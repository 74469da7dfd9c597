import { refused } from "../outcome.ts";
import type { Core, VisibleTool } from "./core.ts";
import { isImpersonated, loadSession } from "./load-session.ts";
import type { RegisteredTool } from "./registry.ts";
import { findRefusal, rememberRights } from "./rights.ts";
import type { CoreRoom } from "./room.ts";

/** The tools a session may see now, in the order of their names, so that a provider's cache of them hits. */
export async function visibleTools(room: CoreRoom, sessionRef: string): ReturnType<Core["visibleFor"]> {
  const [loaded, site] = await Promise.all([loadSession(room, sessionRef), room.settings.site()]);
  if (!loaded.ok) return loaded;
  const { session } = loaded;
  if (isImpersonated(session)) return refused("impersonated");
  const has = rememberRights(room, session);
  const judged = [...room.registry.values()].map(async (registered) => {
    const refusal = await findRefusal(registered, site, { session, has });
    return refusal === null ? [toVisible(registered)] : [];
  });
  return { ok: true, tools: (await Promise.all(judged)).flat() };
}

function toVisible({ name, providerName, title, tool, inputSchema }: RegisteredTool): VisibleTool {
  return { name, providerName, title, description: tool.description, kind: tool.kind, inputSchema };
}
