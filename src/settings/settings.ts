import type { Outcome, Refusal } from "../outcome.ts";
import type { SettingKey, SettingValues } from "./schema.ts";

/** A module's switches as in effect now. */
export interface ModuleSwitches {
  readonly on: boolean;
  /** The box "assistant may write here". */
  readonly writes: boolean;
}

export interface EffectiveSettings {
  readonly values: SettingValues;
  /** A module's switches: the rows of the site over the module's own defaults. */
  module(key: string, defaults: ModuleSwitches): ModuleSwitches;
}

/** Why nothing was set: no such key, not for this hand to set, or a value of the wrong type or out of its bounds. */
export type SetReason = "unknown_setting" | "not_settable" | "out_of_bounds";

/** Values as they were read for a form, and how a later save is told from one that would overwrite newer ones. */
export interface SettingsForm {
  /** What is in effect: for the site, or for the user. */
  readonly effective: EffectiveSettings;
  /** The rows of the site, or of the user, alone: what is set there and not inherited. */
  readonly own: Readonly<Record<string, unknown>>;
  /** The version of each key that was ever set there; a key that is missing has version 0. */
  readonly versions: Readonly<Record<string, number>>;
}

/** A value that a user has of their own. */
export interface OwnValue {
  readonly userId: string;
  readonly key: string;
  readonly value: unknown;
}

/**
 * What can be set. Values in code (`createAssistant({ settings })`) are the site's defaults; rows of the site override
 * them where an admin may; rows of a user override those where the user may, or an admin for one user (`perUser`).
 */
export interface Settings {
  /** The site's values: read from the database at most a second ago (`fresh`: now, one query). */
  site(options?: { readonly fresh?: boolean }): Promise<EffectiveSettings>;
  /** The same with the user's own rows over them; one query when the user's are not known since a second ago. */
  forUser(userId: string): Promise<EffectiveSettings>;
  /** The values in code over the defaults, without a query: for keys that code alone may set these are in effect. */
  readonly fixed: SettingValues;
  /**
   * Sets the site's values (keys an admin may set, or module switches as `module:<key>:on|writes`), all or none; null
   * takes a row back to its default.
   */
  setSite(changes: Readonly<Record<string, unknown>>): Promise<Outcome<object, SetReason>>;
  /** Sets a user's own values, all or none: keys a user may set; with `asAdmin` those an admin may set for one user. */
  setUser(
    userId: string,
    changes: Readonly<Partial<Record<SettingKey, unknown>>>,
    options?: { readonly asAdmin?: boolean },
  ): Promise<Outcome<object, SetReason>>;
  /** Reads what an admin's form shows, for the site or for one user: now, one query. */
  readForm(userId?: string): Promise<SettingsForm>;
  /**
   * Saves what such a form changed, all or none. `changed_meanwhile` when a key it touches has another version than in
   * `versions` (then `keys` names them); keys it does not touch are left as they are now.
   */
  saveForm(form: {
    readonly userId?: string;
    readonly changes: Readonly<Record<string, unknown>>;
    readonly versions: Readonly<Record<string, number>>;
  }): Promise<Outcome<object, SetReason> | (Refusal<"changed_meanwhile"> & { readonly keys: readonly string[] })>;
  /** What is set for users themselves under some keys, by user, at most 1,000: for an admin's lists of who has what. */
  ownValues(keys: readonly SettingKey[]): Promise<readonly OwnValue[]>;
  /** Removes a user's own settings, and those an admin made for them. */
  forgetUser(userId: string): Promise<void>;
  close(): Promise<void>;
}
