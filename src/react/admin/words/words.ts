import type { Failure } from "../../../client/snapshot.ts";
import { en, type AdminWords } from "./en.ts";
import { ru } from "./ru.ts";

const all: readonly AdminWords[] = [en, ru];

/** The words for the first of these locales that there are any for; English when there are none. */
export function toWords(...locales: readonly (string | null | undefined)[]): AdminWords {
  for (const locale of locales) {
    const found = all.find(({ code }) => locale?.toLowerCase().split("-")[0] === code);
    if (found) return { ...found, locale: locale ?? found.code };
  }
  return en;
}

/** What went wrong, as a sentence. */
export function sayFailure({ code }: Failure, { failures }: AdminWords): string {
  return new Map(Object.entries(failures)).get(code) ?? failures.other;
}
