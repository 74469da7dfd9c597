import type { Outcome } from "../outcome.ts";
import type { SettingKey, SettingValues } from "./schema.ts";

/** A module's switches as in effect now. */
export interface ModuleSwitches {
  readonly on: boolean;
  /** The box "assistant may write here". */
  readonly writes: boolean;
}

export interface EffectiveSettings {
  readonly values: SettingValues;
  module(key: string, defaults: ModuleSwitches): ModuleSwitches;
}

/**
 * What can be set. Values in code (`createAssistant({ settings })`) are the site's defaults; rows of the site override
 * them where an admin may; rows of a user override those where a user may.
 */
export interface Settings {
  /** The site's values: read from the database at most a second ago (`fresh`: now, one query). */
  site(options?: { readonly fresh?: boolean }): Promise<EffectiveSettings>;
  /** The same with the user's own rows over them; one query when the user's are not known since a second ago. */
  forUser(userId: string): Promise<EffectiveSettings>;
  /** The values that code alone may set, without a query. */
  readonly fixed: SettingValues;
  /** Sets the site's values (keys an admin may set, or module switches as `module:<key>:on|writes`); null takes a row back to its default. */
  setSite(
    changes: Readonly<Record<string, unknown>>,
  ): Promise<Outcome<object, "unknown_setting" | "not_settable" | "out_of_bounds">>;
  /** Sets a user's own values (keys a user may set, or per-user budgets by an admin with `asAdmin`). */
  setUser(
    userId: string,
    changes: Readonly<Partial<Record<SettingKey, unknown>>>,
    options?: { readonly asAdmin?: boolean },
  ): Promise<Outcome<object, "unknown_setting" | "not_settable" | "out_of_bounds">>;
  close(): Promise<void>;
}
