import type { VisibleTool } from "../core/core.ts";
import { isProviderName, toProviderName } from "../core/provider-name.ts";
import type { OfferedTool } from "../model/model.ts";

/** The tools shown in one round, by the names providers take: the only way from a model's name to a tool. */
export type ShownTools = ReadonlyMap<string, VisibleTool>;

export function toShownTools(tools: readonly VisibleTool[]): ShownTools {
  return new Map(tools.map((tool) => [tool.providerName, tool]));
}

export function toOfferedTools(tools: readonly VisibleTool[]): readonly OfferedTool[] {
  return tools.map(({ providerName, description, inputSchema }) => ({ name: providerName, description, inputSchema }));
}

/** The name a call is stored under: the registry name of a tool shown in this round, else a safe form of what the model wrote. */
export function toStoredName(name: string, shown: ShownTools): string {
  return shown.get(name)?.name ?? toSafeName(name);
}

/** A stored name as every provider takes it. */
export function toSentName(name: string): string {
  const sent = toProviderName(name);
  return isProviderName(sent) ? sent : toSafeName(sent);
}

function toSafeName(name: string): string {
  return name.replaceAll(/[^a-zA-Z0-9_-]/g, "_").slice(0, 64) || "unnamed";
}
