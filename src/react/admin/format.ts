import type { AdminWords } from "./words/en.ts";

/** Numbers and times as the page's language writes them. */
export interface Format {
  readonly number: (value: number) => string;
  /** Short: 1.2K, 3.4M. */
  readonly short: (value: number) => string;
  readonly percent: (share: number) => string;
  /** From millionths of a dollar. */
  readonly money: (micros: number) => string;
  /** The same of one call: always to the hundredth of a cent, so that a column can be compared. */
  readonly cost: (micros: number) => string;
  readonly dollars: (amount: number) => string;
  /** For an axis. */
  readonly shortMoney: (micros: number) => string;
  /** A UTC day, `2026-11-30`. */
  readonly day: (day: string) => string;
  readonly time: (time: string) => string;
  /** A length of time. */
  readonly duration: (milliseconds: number) => string;
}

const known = new Map<string, Format>();

export function toFormat({ locale }: AdminWords): Format {
  let format = known.get(locale);
  if (format === undefined) {
    format = makeFormat(locale);
    known.set(locale, format);
  }
  return format;
}

function makeFormat(locale: string): Format {
  const number = new Intl.NumberFormat(locale, { maximumFractionDigits: 6 });
  const short = new Intl.NumberFormat(locale, { notation: "compact", maximumFractionDigits: 1 });
  const percent = new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 1 });
  const currency = { style: "currency", currency: "USD", currencyDisplay: "narrowSymbol" } as const;
  const money = new Intl.NumberFormat(locale, currency);
  const small = new Intl.NumberFormat(locale, { ...currency, maximumFractionDigits: 4 });
  const exact = new Intl.NumberFormat(locale, { ...currency, minimumFractionDigits: 4, maximumFractionDigits: 4 });
  const shortMoney = new Intl.NumberFormat(locale, { ...currency, notation: "compact", maximumFractionDigits: 2 });
  const day = new Intl.DateTimeFormat(locale, { day: "numeric", month: "short", timeZone: "UTC" });
  const time = new Intl.DateTimeFormat(locale, {
    day: "numeric",
    month: "short",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  });
  const unit = (name: string, digits = 0): Intl.NumberFormat =>
    new Intl.NumberFormat(locale, { style: "unit", unit: name, unitDisplay: "narrow", maximumFractionDigits: digits });
  const units = { ms: unit("millisecond"), s: unit("second", 1), min: unit("minute"), h: unit("hour"), d: unit("day") };
  return {
    number: (value) => number.format(value),
    short: (value) => short.format(value),
    percent: (share) => percent.format(share),
    money: (micros) => (micros > 0 && micros < 10_000 ? small : money).format(micros / 1e6),
    dollars: (amount) => (amount > 0 && amount < 0.01 ? small : money).format(amount),
    cost: (micros) => exact.format(micros / 1e6),
    shortMoney: (micros) => (micros < 1e9 ? money : shortMoney).format(micros / 1e6),
    day: (given) => day.format(new Date(`${given}T00:00:00Z`)),
    time: (given) => time.format(new Date(given)),
    duration(milliseconds) {
      if (milliseconds < 1_000) return units.ms.format(milliseconds);
      if (milliseconds < 60_000) return units.s.format(milliseconds / 1_000);
      if (milliseconds < 7_200_000) return units.min.format(Math.round(milliseconds / 60_000));
      if (milliseconds < 172_800_000) return units.h.format(Math.round(milliseconds / 3_600_000));
      return units.d.format(Math.round(milliseconds / 86_400_000));
    },
  };
}
