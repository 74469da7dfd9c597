import type { ReactNode } from "react";

/** A column of a table. */
export interface Column {
  readonly title: string;
  /** Numbers stand at the end of their column. */
  readonly kind?: "number";
  /** Its cells say by themselves what they are: where a row is stacked, they stand without the title. */
  readonly isPlain?: boolean;
  /** Where a row is stacked, its cells take a line of their own. */
  readonly isWide?: boolean;
  /** A column of buttons has a title that is only heard. */
  readonly isHidden?: boolean;
}

export interface SheetRow {
  readonly key: string;
  /** As many as there are columns. */
  readonly cells: readonly ReactNode[];
}

/** A table. Where there is little room, each row is stacked and says its columns' titles itself. */
export function Sheet(props: {
  readonly label: string;
  readonly columns: readonly Column[];
  readonly rows: readonly SheetRow[];
  /** The first cell of each row names the row. */
  readonly hasRowNames?: boolean;
  /** Narrow enough to stay a table anywhere. */
  readonly isNarrow?: boolean;
}): ReactNode {
  const { label, columns, rows, hasRowNames = false, isNarrow = false } = props;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reached by keys
    <div className={isNarrow ? "cs-sheet" : "cs-sheet cs-stacking"} role="region" aria-label={label} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {columns.map(({ title, kind, isHidden }) => (
              <th key={title} scope="col" className={classOf(kind)}>
                {isHidden === true ? <span className="cs-hidden">{title}</span> : title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, cells }) => (
            <tr key={key}>
              {columns.map(({ title, kind, isPlain, isWide, isHidden }, index) => {
                const isName = hasRowNames && index === 0;
                const Cell = isName ? "th" : "td";
                return (
                  <Cell
                    key={title}
                    scope={isName ? "row" : undefined}
                    className={classOf(kind)}
                    data-wide={isWide}
                    data-title={isPlain === true || isHidden === true || isName ? undefined : title}
                  >
                    {cells[index]}
                  </Cell>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function classOf(kind: Column["kind"]): string | undefined {
  return kind === undefined ? undefined : `cs-${kind}`;
}
