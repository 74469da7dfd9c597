/** Cents as people read them. */
export function formatMoney(cents: number, locale = "en"): string {
  return new Intl.NumberFormat(locale, { style: "currency", currency: "EUR" }).format(cents / 100);
}

/** A date (2026-03-09) as people read it. */
export function formatDate(date: string | null, locale = "en"): string {
  if (date === null) return "–";
  return new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeZone: "UTC" }).format(
    new Date(`${date}T00:00:00Z`),
  );
}
