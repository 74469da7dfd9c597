import type { ReactNode } from "react";
import { Spinner } from "../icons.tsx";
import { useAdmin } from "./admin-context.ts";
import { Nothing, Retry } from "./parts.tsx";
import { Sheet } from "./sheet.tsx";
import type { Column, SheetRow } from "./sheet.tsx";
import type { Pages } from "./use-load.ts";

/** A list of pages as a table, with its end: more to come, nothing at all, or a failure. */
export function PagedSheet<Item>(props: {
  readonly label: string;
  readonly pages: Pages<Item>;
  readonly columns: readonly Column[];
  readonly empty: string;
  readonly toRow: (item: Item) => SheetRow;
}): ReactNode {
  const { words } = useAdmin();
  const { items, failure, isLoading, hasMore, more, reload } = props.pages;
  if (items === null) {
    if (failure !== null) return <Retry failure={failure} onRetry={reload} />;
    return (
      <div className="cs-wait" role="status">
        <span className="cs-hidden">{words.loading}</span>
      </div>
    );
  }
  const isEmpty = items.length === 0;
  return (
    <div aria-busy={isLoading}>
      {isEmpty ? (
        <Nothing icon="search">{props.empty}</Nothing>
      ) : (
        <Sheet label={props.label} columns={props.columns} rows={items.map((item) => props.toRow(item))} />
      )}
      {failure !== null && <Retry failure={failure} onRetry={more} />}
      {hasMore && failure === null && (
        <div className="cs-more">
          <button type="button" className="cs-button" disabled={isLoading} onClick={() => void more()}>
            {isLoading && <Spinner />}
            {isEmpty ? words.searchOn : words.more}
          </button>
        </div>
      )}
    </div>
  );
}
