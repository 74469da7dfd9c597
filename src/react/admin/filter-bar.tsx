import { useId } from "react";
import type { FormEvent, ReactNode } from "react";
import { useAdmin } from "./admin-context.ts";
import type { AdminWords } from "./words/en.ts";

/** Filters by name, as they go into a query; what is empty is not asked about. */
export type Filters = Readonly<Record<string, string>>;

export interface FilterField {
  readonly name: string;
  readonly label: string;
  readonly kind: "text" | "day" | "choice";
  /** Of a choice: value and words; the first is "all". */
  readonly choices?: readonly (readonly [string, string])[];
  /** Of a text: what there is. */
  readonly known?: readonly string[];
  /** The text is a user's id: people read their name. */
  readonly isUser?: boolean;
}

export function toQuery(filters: Filters): string {
  return new URLSearchParams(Object.entries(filters).filter(([, value]) => value !== "")).toString();
}

/** The first and the last day of a list. */
export function toPeriod({ journal }: AdminWords): readonly FilterField[] {
  return Object.entries({ from: journal.from, to: journal.to }).map(([name, label]) => ({ name, label, kind: "day" }));
}

/** The filters of a list: applied when the form is sent. */
export function FilterBar(props: {
  readonly fields: readonly FilterField[];
  readonly filters: Filters;
  readonly onFilters: (filters: Filters) => void;
}): ReactNode {
  const { fields, filters, onFilters } = props;
  const { words, nameOf } = useAdmin();
  const id = useId();
  const apply = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const typed = new FormData(event.currentTarget);
    const read = fields.map(({ name }) => {
      const value = typed.get(name);
      return [name, typeof value === "string" ? value.trim() : ""] as const;
    });
    onFilters(Object.fromEntries(read));
  };
  const isFiltered = Object.values(filters).some((value) => value !== "");
  return (
    // Another set of filters is another form: its fields begin with them.
    <form key={toQuery(filters)} className="cs-filters" aria-label={words.journal.filters} onSubmit={apply}>
      {fields.map(({ name, label, kind, choices = [], known = [], isUser = false }) => (
        <div key={name} className="cs-label">
          <label htmlFor={`${id}-field-${name}`}>{label}</label>
          {kind === "choice" ? (
            <select id={`${id}-field-${name}`} className="cs-input" name={name} defaultValue={filters[name] ?? ""}>
              {choices.map(([value, text]) => (
                <option key={value} value={value}>
                  {text}
                </option>
              ))}
            </select>
          ) : (
            <input
              id={`${id}-field-${name}`}
              className="cs-input"
              name={name}
              type={kind === "day" ? "date" : "text"}
              min={kind === "day" ? "2000-01-01" : undefined}
              defaultValue={filters[name] ?? ""}
              list={known.length > 0 ? `${id}-${name}` : undefined}
              autoComplete="off"
              spellCheck={false}
            />
          )}
          {known.length > 0 && (
            <datalist id={`${id}-${name}`}>
              {known.map((value) => (
                <option key={value} value={value}>
                  {(isUser ? nameOf(value) : undefined) ?? value}
                </option>
              ))}
            </datalist>
          )}
        </div>
      ))}
      <div className="cs-row">
        <button type="submit" className="cs-button">
          {words.journal.apply}
        </button>
        {isFiltered && (
          <button type="button" className="cs-small" onClick={() => onFilters({})}>
            {words.journal.clear}
          </button>
        )}
      </div>
    </form>
  );
}
