import { refused, type Refusal } from "../outcome.ts";
import { settingsSchema, type SettingKey, type SettingValues } from "./schema.ts";
import type { SetReason } from "./settings.ts";

/** Whose values are being set, and by whom. */
export type Hand = "code" | "site" | "user" | "admin-for-user";

/** One setting's rules, whatever its type. */
interface Rules {
  readonly key: SettingKey;
  readonly default: number | boolean | string | null;
  readonly setBy: "code" | "admin" | "user";
  readonly min?: number;
  readonly max?: number;
  readonly unit?: string;
  readonly perUser?: true;
  readonly listed?: true;
}

/** Names a browser or an admin sent are looked up here, never in an object. */
const rulesByKey: ReadonlyMap<string, Rules> = new Map(
  Object.entries(settingsSchema).map(([key, spec]) => [key, { ...spec, key: key as SettingKey }]),
);

/** The schema's defaults. */
export const defaultValues: SettingValues = Object.fromEntries(
  [...rulesByKey].map(([key, rules]) => [key, rules.default]),
) as SettingValues;

const moduleSwitch = /^module:[^:]{1,200}:(on|writes)$/;

/** Whether this hand may set this key to this value; null, but for code, asks for the default. */
export function checkSetting(hand: Hand, key: string, value: unknown): Refusal<SetReason> | undefined {
  if (hand === "site" && moduleSwitch.test(key)) {
    return value === null || typeof value === "boolean" ? undefined : refused("out_of_bounds");
  }
  const rules = rulesByKey.get(key);
  if (rules === undefined) return refused("unknown_setting");
  if (!isSettable(rules, hand)) return refused("not_settable");
  if (value === null && hand !== "code") return undefined;
  return isWithinBounds(rules, value) ? undefined : refused("out_of_bounds");
}

/** A stored value that counts: of a known key that such rows may override, and within today's bounds. */
export function isInEffect(layer: "site" | "user", key: string, value: unknown): key is SettingKey {
  const rules = rulesByKey.get(key);
  if (rules === undefined || value === null) return false;
  const may = layer === "site" ? rules.setBy !== "code" : rules.setBy === "user" || rules.perUser === true;
  return may && isWithinBounds(rules, value);
}

/** What a value must be, for people. */
export function describeBounds(key: string): string {
  const rules = rulesByKey.get(key);
  if (rules === undefined) return `one of ${[...rulesByKey.keys()].join(", ")}`;
  if (typeof rules.default === "boolean") return "true or false";
  if (rules.listed === true) return `names with commas between, of ${String(rules.default)}`;
  if (typeof rules.default === "string") return `a text of at most ${rules.max} characters`;
  const kind = rules.unit === "USD" ? "a number" : "a whole number";
  const unit = rules.unit === undefined ? "" : ` (${rules.unit})`;
  return `${kind} from ${rules.min} to ${rules.max}${unit}${rules.default === null ? " or null for none" : ""}`;
}

function isSettable(rules: Rules, hand: Hand): boolean {
  switch (hand) {
    case "code":
      return true;
    case "site":
      return rules.setBy !== "code";
    case "user":
      return rules.setBy === "user";
    case "admin-for-user":
      return rules.perUser === true;
  }
}

function isWithinBounds(rules: Rules, value: unknown): boolean {
  const { min = -Infinity, max = Infinity } = rules;
  if (typeof rules.default === "boolean") return typeof value === "boolean";
  if (typeof rules.default === "string")
    return (
      typeof value === "string" && value.length <= max && (rules.listed !== true || isListed(rules.default, value))
    );
  if (value === null) return rules.default === null;
  if (typeof value !== "number" || value < min || value > max) return false;
  return rules.unit === "USD" ? Number.isFinite(value) : Number.isSafeInteger(value);
}

function isListed(known: string, value: string): boolean {
  const names = toNames(known);
  return toNames(value).every((name) => name === "" || names.includes(name));
}

const toNames = (list: string): readonly string[] => list.split(",").map((name) => name.trim().toLowerCase());
