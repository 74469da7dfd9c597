import { createRegistry } from "../core/registry.ts";
import { checkValues } from "../settings/create-settings.ts";
import { fromSentence, ok, type Finding } from "./finding.ts";
import type { LookedAt } from "./read-options.ts";

/** The tools and the settings of the options, where there are any: what a start would throw at. */
export function checkOptions({ modules, settings }: LookedAt): readonly Finding[] {
  return [
    ...(modules === undefined
      ? []
      : [orThrown("tools", () => `${createRegistry(modules).size} tools are well defined`)]),
    ...(settings === undefined ? [] : [orThrown("settings", () => `${checkValues(settings)} are in bounds`)]),
  ];
}

function orThrown(about: string, look: () => string): Finding {
  try {
    return ok(about, look());
  } catch (error) {
    return fromSentence(about, error instanceof Error ? error.message : String(error));
  }
}
