import { defaultRangeExtractor, useVirtualizer } from "@tanstack/react-virtual";
import type { Range, Virtualizer } from "@tanstack/react-virtual";
import { useCallback, useLayoutEffect, useRef, useState } from "react";
import type { FocusEvent, RefObject } from "react";
import type { Row } from "./thread-rows.ts";

/** Pixels from the end within which the thread follows what is added. */
const endZone = 80;

const estimates: Readonly<Record<Row["kind"], number>> = {
  day: 44,
  user: 84,
  answer: 180,
  tools: 34,
  card: 290,
  notice: 64,
  told: 34,
  live: 60,
};

export interface ThreadScroll {
  readonly box: RefObject<HTMLDivElement | null>;
  readonly virtualizer: Virtualizer<HTMLDivElement, HTMLElement>;
  readonly isAtEnd: boolean;
  /** Look where the thread stands; called when it scrolls. */
  readonly look: () => void;
  readonly onRowFocus: (index: number) => void;
  readonly onRowBlur: (event: FocusEvent<HTMLElement>) => void;
}

/** A thread that draws only the rows in sight, stays at its end while there, and keeps its place while earlier rows come. */
export function useThreadScroll(rows: readonly Row[]): ThreadScroll {
  const box = useRef<HTMLDivElement>(null);
  const [isAtEnd, setAtEnd] = useState(true);
  const atEnd = useRef(true);
  const [focused, setFocused] = useState<number | null>(null);

  const virtualizer = useVirtualizer<HTMLDivElement, HTMLElement>({
    count: rows.length,
    getScrollElement: () => box.current,
    getItemKey: useCallback((index: number) => rows[index]?.key ?? index, [rows]),
    estimateSize: (index) => estimates[rows[index]?.kind ?? "tools"],
    overscan: 6,
    anchorTo: "end",
    followOnAppend: true,
    scrollEndThreshold: endZone,
    // A row that holds the focus stays: else the focus falls to the page when the row scrolls away.
    rangeExtractor: useCallback(
      (range: Range) => {
        const indexes = defaultRangeExtractor(range);
        if (focused === null || focused >= range.count || indexes.includes(focused)) return indexes;
        return [...indexes, focused].toSorted((a, b) => a - b);
      },
      [focused],
    ),
  });

  const look = useCallback(() => {
    const element = box.current;
    if (!element) return;
    // The virtualizer's own word is one event old here.
    atEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < endZone;
    setAtEnd(atEnd.current);
  }, []);

  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    virtualizer.scrollToEnd();
    // The thread gets smaller when the composer grows, and its rows higher than they were thought: nobody follows that but us.
    const observer = new ResizeObserver(() => {
      if (atEnd.current) virtualizer.scrollToEnd();
      else look();
    });
    observer.observe(element);
    for (const inner of element.children) observer.observe(inner);
    return () => observer.disconnect();
  }, [virtualizer, look]);

  return {
    box,
    virtualizer,
    isAtEnd,
    look,
    onRowFocus: setFocused,
    onRowBlur: (event) => {
      if (!event.currentTarget.contains(event.relatedTarget)) setFocused(null);
    },
  };
}
