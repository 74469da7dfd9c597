import type { ReactNode } from "react";
import type { Change } from "../wire/cards.ts";
import { Icon } from "./icons.tsx";
import { usePanel } from "./panel-context.ts";
import { VisibleText } from "./visible-text.tsx";

type ChangeValue = Change["before"];

/** Values longer than this, or of several lines, stand below each other. */
const longValue = 44;

/** What a change does: each value before, struck, and after, emphasised. */
export function CardChanges({ changes }: { readonly changes: readonly Change[] }): ReactNode {
  const { card } = usePanel().language;
  if (changes.length === 0) return <p className="cs-quiet">{card.noChanges}</p>;
  return (
    <dl className="cs-changes">
      {changes.map((change, index) => (
        // A preview never changes: a line's place is its identity.
        // oxlint-disable-next-line react/no-array-index-key
        <div key={index} className="cs-change" data-long={isLong(change.before) || isLong(change.after)}>
          <dt>
            <VisibleText text={change.label} />
          </dt>
          <dd>
            {change.before === change.after ? (
              <>
                <span className="cs-same">
                  <Value value={change.after} />
                </span>
                <span className="cs-quiet"> ({card.unchanged})</span>
              </>
            ) : (
              <FromTo {...change} />
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function FromTo({ before, after }: Change): ReactNode {
  const { card } = usePanel().language;
  return (
    <>
      <span className="cs-hidden">{card.before} </span>
      {before === null ? (
        <span className="cs-none">{card.nothing}</span>
      ) : (
        <del>
          <Value value={before} />
        </del>
      )}
      <span className="cs-to">
        <span className="cs-arrow">
          <Icon name="arrow" />
          <span className="cs-hidden">, {card.after} </span>
        </span>
        <ins data-removed={after === null}>{after === null ? card.removed : <Value value={after} />}</ins>
      </span>
    </>
  );
}

function Value({ value }: { readonly value: ChangeValue }): ReactNode {
  const { card } = usePanel().language;
  if (value === null) return <span className="cs-none">{card.nothing}</span>;
  if (value === "") return <span className="cs-none">{card.emptyText}</span>;
  if (typeof value === "boolean") return value ? card.yes : card.no;
  // Numbers are written as they are: what is read is what is done.
  return <VisibleText text={String(value)} />;
}

function isLong(value: ChangeValue): boolean {
  return typeof value === "string" && (value.length > longValue || value.includes("\n"));
}
