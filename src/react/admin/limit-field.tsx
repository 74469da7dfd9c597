import { useId } from "react";
import type { ReactNode } from "react";
import type { AdminLimit, AdminValue } from "../../wire/admin.ts";
import { useAdmin } from "./admin-context.ts";
import { toFormat } from "./format.ts";
import type { Format } from "./format.ts";
import { Switch } from "./parts.tsx";
import type { AdminWords } from "./words/en.ts";

interface LimitFieldProps {
  readonly field: AdminLimit;
  /** What was typed; undefined where nothing was. */
  readonly draft: AdminValue | undefined;
  readonly isConflict: boolean;
  /** Names to choose among. */
  readonly choices: readonly string[];
  readonly onDraft: (value: AdminValue) => void;
}

/** One thing that can be set: an empty field takes what it inherits. */
export function LimitField(props: LimitFieldProps): ReactNode {
  const { field, draft, isConflict, choices, onDraft } = props;
  const { words } = useAdmin();
  const format = toFormat(words);
  const id = useId();
  const [label, about] = new Map(Object.entries(words.limits.fields)).get(field.key) ?? [field.key, field.describe];
  const value = draft === undefined ? field.own : draft;
  const inherited = toText(field.inherited, { field, words, format });

  const foot = (
    <>
      {isConflict && (
        <span className="cs-conflict">
          {words.limits.conflict(field.isSet ? toText(field.own, { field, words, format }) : words.none)}
        </span>
      )}
      {field.isSet && (
        <span className="cs-hint">
          {words.limits.inherited(inherited)}.{" "}
          {draft === null ? (
            words.limits.unset
          ) : (
            <button
              type="button"
              className="cs-link"
              aria-label={`${words.limits.reset}: ${label}`}
              onClick={() => onDraft(null)}
            >
              {words.limits.reset}
            </button>
          )}
        </span>
      )}
    </>
  );

  if (field.type === "switch") {
    return (
      <div className="cs-label cs-field" data-field={field.key} data-touched={draft !== undefined}>
        <Switch
          label={label}
          hint={about}
          checked={(value ?? field.inherited) === true}
          onChange={(checked) => onDraft(checked)}
        />
        {foot}
      </div>
    );
  }

  const isNumber = field.type === "number";
  const unit = field.unit === null ? null : (new Map(Object.entries(words.limits.units)).get(field.unit) ?? field.unit);
  return (
    <div className="cs-label cs-field" data-field={field.key} data-touched={draft !== undefined}>
      <label htmlFor={id}>{label}</label>
      <span className="cs-unit">
        {unit === "$" && <span aria-hidden="true">$</span>}
        <input
          id={id}
          className="cs-input"
          type={isNumber ? "number" : "text"}
          inputMode={isNumber ? (field.unit === "USD" ? "decimal" : "numeric") : undefined}
          min={isNumber ? (field.min ?? undefined) : undefined}
          max={isNumber ? (field.max ?? undefined) : undefined}
          maxLength={isNumber ? undefined : (field.max ?? undefined)}
          step={field.unit === "USD" ? "any" : 1}
          value={value === null ? "" : String(value)}
          placeholder={inherited}
          aria-describedby={`${id}-about`}
          list={choices.length > 0 ? `${id}-choices` : undefined}
          autoComplete="off"
          onChange={({ target }) => {
            const typed = target.value;
            onDraft(typed === "" ? null : isNumber ? Number(typed) : typed);
          }}
        />
        {unit !== null && unit !== "$" && <span>{unit}</span>}
      </span>
      {choices.length > 0 && (
        <datalist id={`${id}-choices`}>
          {choices.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </datalist>
      )}
      <span className="cs-hint" id={`${id}-about`}>
        {about}
      </span>
      {foot}
    </div>
  );
}

function toText(
  value: AdminValue,
  { field, words, format }: { readonly field: AdminLimit; readonly words: AdminWords; readonly format: Format },
): string {
  if (value === null || value === "") return words.none;
  if (typeof value === "boolean") return value ? words.yes : words.no;
  if (typeof value === "string") return value;
  return field.unit === "USD" ? format.dollars(value) : format.number(value);
}
