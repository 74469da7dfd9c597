import { useCallback, useEffect, useRef, useState } from "react";
import type { Failure } from "../../client/snapshot.ts";
import { useAdmin } from "./admin-context.ts";

/** Something read from the server: what was read last stays while it is read anew. */
export interface Loaded<Value> {
  readonly value: Value | null;
  readonly failure: Failure | null;
  readonly isLoading: boolean;
  readonly reload: () => Promise<void>;
  /** Puts in place what an answer to a change said. */
  readonly put: (value: Value) => void;
}

/** Reads a path, and again when it changes; only the newest question's answer counts. Null reads nothing. */
export function useLoad<Value>(path: string | null): Loaded<Value> {
  const { request } = useAdmin();
  const [state, setState] = useState<{ path: string | null; value: Value | null; failure: Failure | null }>(() => ({
    path,
    value: null,
    failure: null,
  }));
  const [isLoading, setLoading] = useState(path !== null);
  const [question] = useState(() => ({ asked: 0 }));

  const reload = useCallback(async () => {
    if (path === null) return;
    const asked = ++question.asked;
    setLoading(true);
    const answer = await request<Value>("GET", path);
    if (asked !== question.asked) return;
    setLoading(false);
    setState((before) => {
      if (answer.ok) return { path, value: answer.value, failure: null };
      return { path, value: before.path === path ? before.value : null, failure: answer.failure };
    });
  }, [path, question, request]);

  useEffect(() => {
    void reload();
    return () => void question.asked++;
  }, [question, reload]);

  const put = useCallback(
    (value: Value) => {
      question.asked++;
      setLoading(false);
      setState({ path, value, failure: null });
    },
    [path, question],
  );
  // What was read for another path is not this one's.
  const isOwn = state.path === path;
  return { value: isOwn ? state.value : null, failure: isOwn ? state.failure : null, isLoading, reload, put };
}

/** A list that is read page by page. */
export interface Pages<Item> {
  readonly items: readonly Item[] | null;
  readonly failure: Failure | null;
  readonly isLoading: boolean;
  /** Whether there is more to read. */
  readonly hasMore: boolean;
  readonly more: () => Promise<void>;
  readonly reload: () => Promise<void>;
}

/** Where a list is read, and what of its pages are the items. */
export interface PageSource<Page, Item> {
  /** May end in a query; another path begins another list. */
  readonly path: string;
  readonly toItems: (page: Page) => readonly Item[];
}

/** Reads a list from its newest page on. */
export function usePages<Page extends { readonly next: string | null }, Item>(
  source: PageSource<Page, Item>,
): Pages<Item> {
  const { path, toItems } = source;
  const { request } = useAdmin();
  const [list, setList] = useState<{ items: readonly Item[] | null; next: string | null; failure: Failure | null }>({
    items: null,
    next: null,
    failure: null,
  });
  const [isLoading, setLoading] = useState(true);
  const [question] = useState(() => ({ asked: 0 }));
  const read = useRef(toItems);
  read.current = toItems;

  const ask = useCallback(
    async (before: string | null) => {
      const asked = ++question.asked;
      setLoading(true);
      const joint = path.includes("?") ? "&" : "?";
      const answer = await request<Page>(
        "GET",
        before === null ? path : `${path}${joint}before=${encodeURIComponent(before)}`,
      );
      if (asked !== question.asked) return;
      setLoading(false);
      setList((known) => {
        if (!answer.ok) return { ...known, failure: answer.failure };
        const items = read.current(answer.value);
        return {
          items: before === null ? items : [...(known.items ?? []), ...items],
          next: answer.value.next,
          failure: null,
        };
      });
    },
    [path, question, request],
  );

  useEffect(() => {
    setList({ items: null, next: null, failure: null });
    void ask(null);
    return () => void question.asked++;
  }, [ask, question]);

  const { items, next, failure } = list;
  return { items, failure, isLoading, hasMore: next !== null, more: () => ask(next), reload: () => ask(null) };
}
