import type { Language } from "./language/language.ts";

type Unit = "second" | "minute" | "hour" | "day";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** Time left in the largest unit that tells enough, rounded down: 45 sec, 59 min, 5 hr, 6 days. */
export function toTimeLeft(milliseconds: number, { locale }: Language): string {
  const [unit, length]: readonly [Unit, number] =
    milliseconds < minute
      ? ["second", 1000]
      : milliseconds < 2 * hour
        ? ["minute", minute]
        : milliseconds < 2 * day
          ? ["hour", hour]
          : ["day", day];
  const format = new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay: "short" });
  return format.format(Math.max(0, Math.floor(milliseconds / length)));
}

/** Milliseconds until `toTimeLeft` reads differently. */
export function toNextTick(milliseconds: number): number {
  const length = milliseconds < minute + 1000 ? 1000 : milliseconds < 2 * hour ? minute : hour;
  return (milliseconds % length) + 1;
}

/** The local day of a time as a key, for telling days apart. */
export function toDayKey(time: string): string {
  const date = new Date(time);
  return `${date.getFullYear()}-${date.getMonth() + 1}-${date.getDate()}`;
}

/** Whole local days between a time and now: 0 is today. */
export function toDaysAgo(time: string, now: number): number {
  const toMidnight = (date: Date): number => new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
  // Days of summer time are an hour shorter or longer.
  return Math.round((toMidnight(new Date(now)) - toMidnight(new Date(time))) / day);
}

export function toDayName(time: string, now: number, language: Language): string {
  const ago = toDaysAgo(time, now);
  if (ago === 0) return language.chats.today;
  if (ago === 1) return language.chats.yesterday;
  const year = ago > 300 ? ({ year: "numeric" } as const) : {};
  return new Intl.DateTimeFormat(language.locale, { weekday: "long", day: "numeric", month: "long", ...year }).format(
    new Date(time),
  );
}

// A format takes longer to make than a row to draw.
const clocks = new Map<string, Intl.DateTimeFormat>();

export function toClockTime(time: string, { locale }: Language): string {
  let clock = clocks.get(locale);
  if (clock === undefined) {
    clock = new Intl.DateTimeFormat(locale, { hour: "2-digit", minute: "2-digit" });
    clocks.set(locale, clock);
  }
  return clock.format(new Date(time));
}

/** A file's size in the unit that needs the fewest digits. */
export function toFileSize(bytes: number, { locale }: Language): string {
  const [unit, length] = bytes < 1_000_000 ? (["kilobyte", 1_000] as const) : (["megabyte", 1_000_000] as const);
  const format = new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay: "short", maximumFractionDigits: 1 });
  return format.format(Math.max(0.1, bytes / length));
}

/** What an answer cost, from millionths of a dollar: with as many digits as a small amount needs. */
export function toDollars(micros: number, { locale }: Language): string {
  const digits = micros >= 10_000 ? 2 : 4;
  const format = {
    style: "currency",
    currency: "USD",
    minimumFractionDigits: 2,
    maximumFractionDigits: digits,
  } as const;
  return new Intl.NumberFormat(locale, format).format(micros / 1_000_000);
}
