import type { ReactNode } from "react";
import { usePanel, useSnapshot } from "./panel-context.ts";
import { toDollars, toFileSize } from "./time-text.ts";

/** The model and the limits in effect for the user: what they were set to, not what is left of them. */
export function MyLimits(): ReactNode {
  const { language } = usePanel();
  const me = useSnapshot((snapshot) => snapshot.me);
  if (me === null) return null;
  const words = language.settings;
  const { limits, model } = me;
  const count = (value: number): string => value.toLocaleString(language.locale);
  const budgets = [
    limits.budgetDay === null ? null : words.perDay(toDollars(limits.budgetDay * 1e6, language)),
    limits.budgetMonth === null ? null : words.perMonth(toDollars(limits.budgetMonth * 1e6, language)),
  ].filter((budget) => budget !== null);
  const files = limits.attachmentsPerMessage;
  const rows: readonly (readonly [name: string, value: string | null])[] = [
    [words.model, model?.name ?? null],
    [words.turns, `${words.perHour(count(limits.turnsPerHour))}, ${words.perDay(count(limits.turnsPerDay))}`],
    [words.budget, budgets.length === 0 ? null : budgets.join(", ")],
    [words.message, words.characters(count(limits.messageChars))],
    [words.files, files === 0 ? null : words.upTo(count(files), toFileSize(limits.attachmentBytes, language))],
  ];
  return (
    <dl className="cs-limits">
      {rows.map(
        ([name, value]) =>
          value !== null && (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
