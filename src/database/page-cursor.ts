/** Where a page of rows ended that are listed newest first: the time and the id of its last row. */
export interface PageCursor {
  readonly at: string;
  readonly id: string;
}

/** What a cursor looks like as text: `2026-11-30T09:41:00.123456Z|<uuid>`, times to the microsecond. */
export const pageCursorPattern: RegExp =
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z\|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Reads a cursor; what is none, and null, begin at the newest row. */
export function readPageCursor(text: string | null | undefined): PageCursor | null {
  if (text == null || !pageCursorPattern.test(text)) return null;
  const [at = "", id = ""] = text.split("|");
  return { at, id };
}

/** A row of a page, with what the statement says beside it: how many rows it looked at, and where the last of them was. */
export interface PageRow {
  readonly cursor: string | null;
  readonly seen: number;
  readonly last: string | null;
}

/**
 * Cuts rows to a page and says where the next begins. A statement looks at no more rows than `looked`, however few of
 * them its filters take: a page may be short, even empty, and still have a next one.
 */
export function toPage<Row extends PageRow>(
  found: readonly Row[],
  sizes: { readonly page: number; readonly looked: number },
): { readonly rows: readonly Row[]; readonly next: string | null } {
  const all = found.filter(({ cursor }) => cursor !== null);
  const rows = all.slice(0, sizes.page);
  if (all.length > sizes.page) return { rows, next: rows.at(-1)?.cursor ?? null };
  const first = found[0];
  return { rows, next: first !== undefined && first.seen >= sizes.looked ? first.last : null };
}

/** How many rows a page with filters looks at. */
export const mostLookedAt = 5_000;
