import type { ReactNode } from "react";
import { Spinner } from "../icons.tsx";
import { useAdmin } from "./admin-context.ts";
import { Nothing, Retry, Sheet } from "./parts.tsx";
import type { Column } from "./parts.tsx";
import type { Pages } from "./use-load.ts";

/** A list of pages as a table, with its end: more to come, nothing at all, or a failure. */
export function PagedSheet<Item>(props: {
  readonly label: string;
  readonly pages: Pages<Item>;
  readonly columns: readonly Column[];
  readonly empty: string;
  readonly children: (item: Item) => ReactNode;
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
        <Sheet label={props.label} columns={props.columns}>
          {items.map((item) => props.children(item))}
        </Sheet>
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
