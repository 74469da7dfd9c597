// Decides which values are in effect: defaults, code, rows of the site, rows of the user, each only where it may. It
// checks bounds and remembers what it read for a second; what a value means is decided where it is used.
import { cleanText } from "../database/clean-text.ts";
import type { Database } from "../database/database.ts";
import { keepListening } from "../database/keep-listening.ts";
import { silentLogger, type Logger } from "../logger.ts";
import { invariant, refused, type Outcome } from "../outcome.ts";
import { checkSetting, defaultValues, describeBounds, isInEffect, type Hand } from "./check-setting.ts";
import { createRemembered } from "./remembered.ts";
import type { SettingValues } from "./schema.ts";
import {
  lockSettings,
  selectChanged,
  selectOwnValues,
  selectSettings,
  upsertSettings,
  type SettingRow,
  deleteSettings,
} from "./settings.sql.ts";
import type { EffectiveSettings, SetReason, Settings } from "./settings.ts";

type Changes = Readonly<Record<string, unknown>>;

const channel = "settings";
const rememberMs = 1_000;
const mostUsers = 10_000;

/**
 * Makes the settings of a node. `values` are the code's: one of an unknown key, a wrong type or out of its bounds throws
 * with the key, what was expected and what it got.
 */
export function createSettings(options: {
  readonly database: Database;
  readonly values?: Partial<SettingValues>;
  readonly logger?: Logger;
  /** A monotonic clock in ms. */
  readonly now?: () => number;
}): Settings {
  const { database, logger = silentLogger, now = () => performance.now() } = options;
  const fixed = toFixed(options.values ?? {});
  const remembered = createRemembered<EffectiveSettings>({ keepMs: rememberMs, most: mostUsers, now });

  // Only a hint: without it a change of another node is seen within a second all the same.
  const stopListening = keepListening(database, channel, {
    hear: remembered.forget,
    missed: remembered.forget,
    failed: (error) => logger.warn({ error: String(error) }, "changes of settings are not listened to"),
  });

  const readRows = (userId: string): Promise<readonly SettingRow[]> => database.query(selectSettings(userId));
  const read = async (userId: string): Promise<EffectiveSettings> => toEffective(fixed, await readRows(userId));

  /** Stores what was checked; answers the keys that another hand changed since `versions`, and then stores nothing. */
  async function store(change: {
    readonly userId: string;
    readonly values: ReadonlyMap<string, unknown>;
    readonly versions?: Readonly<Record<string, number>>;
  }): Promise<readonly string[]> {
    const { userId, values, versions } = change;
    if (values.size === 0) return [];
    const changed = await database.transaction(async (on) => {
      await on.query(lockSettings(database.schema, userId));
      if (versions !== undefined) {
        const known = new Map(Object.entries(versions));
        const expected = new Map([...values.keys()].map((key) => [key, known.get(key) ?? 0]));
        const rows = await on.query<{ key: string }>(selectChanged(userId, expected));
        if (rows.length > 0) return rows.map(({ key }) => key);
      }
      await on.query(upsertSettings(userId, values));
      return [];
    });
    if (changed.length === 0) {
      remembered.forget();
      database.notify(channel, "");
    }
    return changed;
  }

  async function set(hand: Hand, userId: string, changes: Changes): Promise<Outcome<object, SetReason>> {
    const checked = toValues(hand, changes);
    if (!checked.ok) return checked;
    await store({ userId, values: checked.values });
    return { ok: true };
  }

  return {
    fixed,
    site: ({ fresh = false } = {}) => remembered[fresh ? "renew" : "get"]("", () => read("")),
    forUser(userId) {
      invariant(userId !== "", "a user has an id");
      return remembered.get(userId, () => read(userId));
    },
    setSite: (changes) => set("site", "", changes),
    setUser(userId, changes, { asAdmin = false } = {}) {
      invariant(userId !== "", "a user has an id");
      return set(asAdmin ? "admin-for-user" : "user", userId, changes);
    },
    async readForm(userId = "") {
      const rows = await readRows(userId);
      const own = rows.filter((row) => row.userId === userId);
      return {
        effective: toEffective(fixed, rows),
        own: Object.fromEntries(own.flatMap(({ key, value }) => (value === null ? [] : [[key, value]]))),
        versions: Object.fromEntries(own.map(({ key, version }) => [key, version])),
      };
    },
    async saveForm({ userId = "", changes, versions }) {
      const checked = toValues(userId === "" ? "site" : "admin-for-user", changes);
      if (!checked.ok) return checked;
      const keys = await store({ userId, values: checked.values, versions });
      return keys.length === 0 ? { ok: true } : { ...refused("changed_meanwhile"), keys };
    },
    ownValues: (keys) => database.query(selectOwnValues(keys)),
    async forgetUser(userId) {
      invariant(userId !== "", "a user has an id");
      await database.query(deleteSettings(userId));
      remembered.forget();
      database.notify(channel, "");
    },
    async close() {
      await stopListening();
    },
  };
}

function toValues(hand: Hand, changes: Changes): Outcome<{ readonly values: ReadonlyMap<string, unknown> }, SetReason> {
  const values = new Map<string, unknown>();
  for (const [key, given] of Object.entries(changes)) {
    if (given === undefined) continue;
    const value = typeof given === "string" ? cleanText(given) : given;
    const refusal = checkSetting(hand, key, value);
    if (refusal !== undefined) return refusal;
    values.set(key, value);
  }
  return { ok: true, values };
}

/** How many settings a host gives in code; throws at one that is none or out of its bounds. */
export function checkValues(values: Partial<SettingValues>): number {
  toFixed(values);
  return Object.values(values).filter((value) => value !== undefined).length;
}

function toFixed(values: Readonly<Record<string, unknown>>): SettingValues {
  for (const [key, value] of Object.entries(values)) {
    if (value === undefined || checkSetting("code", key, value) === undefined) continue;
    const found = key in defaultValues ? `settings.${key}` : "settings";
    const got = key in defaultValues ? JSON.stringify(value) : JSON.stringify(key);
    throw new Error(`countersign: ${found}: expected ${describeBounds(key)}, got ${got}`);
  }
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  const fixed: SettingValues = { ...defaultValues, ...Object.fromEntries(given) };
  for (const key of ["clickKeepMs", "turnKeepMs"] as const) {
    if (fixed[key] * 2 > fixed.lockHold) {
      throw new Error(
        `countersign: settings.${key}: expected at most half of lockHold (${fixed.lockHold / 2} ms), got ${fixed[key]}`,
      );
    }
  }
  return fixed;
}

function toEffective(fixed: SettingValues, rows: readonly SettingRow[]): EffectiveSettings {
  const site = rows.filter((row) => row.userId === "");
  const user = rows.filter((row) => row.userId !== "");
  const counted = [
    ...site.filter(({ key, value }) => isInEffect("site", key, value)),
    ...user.filter(({ key, value }) => isInEffect("user", key, value)),
  ];
  const values: SettingValues = { ...fixed, ...Object.fromEntries(counted.map(({ key, value }) => [key, value])) };
  const switches = new Map(site.map(({ key, value }) => [key, value]));
  const switched = (key: string, otherwise: boolean): boolean => {
    const value = switches.get(key);
    return typeof value === "boolean" ? value : otherwise;
  };
  return {
    values,
    module: (key, defaults) => ({
      on: switched(`module:${key}:on`, defaults.on),
      writes: switched(`module:${key}:writes`, defaults.writes),
    }),
  };
}
