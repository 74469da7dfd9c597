import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { ReactNode } from "react";
import { Icon, Spinner } from "./icons.tsx";
import { usePanel, useSnapshot } from "./panel-context.ts";
import { RowView } from "./row-view.tsx";
import { toRows } from "./thread-rows.ts";
import type { Row } from "./thread-rows.ts";
import { useThreadScroll } from "./use-thread-scroll.ts";
import { WaitingBar } from "./waiting-bar.tsx";

/** Pixels from the start within which earlier messages are asked for. */
const startZone = 600;

/** The messages of the open chat. Drawn anew for each chat. */
export function Thread(): ReactNode {
  const { client, language } = usePanel();
  const messages = useSnapshot(({ chat }) => chat.messages);
  const rowKeys = useSnapshot(({ chat }) => chat.rowKeys);
  const liveKey = useSnapshot(({ chat }) => chat.turn?.rowKey ?? null);
  const earlier = useSnapshot(({ chat }) => chat.earlier);
  const before = useRef<readonly Row[]>([]);
  // Text that grows changes no row: the row of the answer under way reads it by itself.
  const rows = useMemo(() => {
    before.current = toRows({ messages, rowKeys, liveKey }, before.current);
    return before.current;
  }, [messages, rowKeys, liveKey]);
  const { box, virtualizer, isAtEnd, look, onRowFocus, onRowBlur } = useThreadScroll(rows);
  const items = virtualizer.getVirtualItems();
  const newest = messages.at(-1)?.seq ?? 0;
  const [seen, setSeen] = useState(newest);
  if (isAtEnd && seen !== newest) setSeen(newest);
  const isNew = newest > seen;

  const wantsEarlier = useCallback((): void => {
    const element = box.current;
    if (element && element.scrollTop < startZone && earlier === "idle") void client.loadEarlier();
  }, [box, client, earlier]);
  // A page that does not fill the thread asks for the next at once. So does a thread that its user holds at the top while a
  // page comes in: no scrolling tells of it.
  useEffect(() => {
    const frame = requestAnimationFrame(wantsEarlier);
    return () => cancelAnimationFrame(frame);
  }, [wantsEarlier, messages]);

  const showRow = useCallback((index: number) => virtualizer.scrollToIndex(index, { align: "center" }), [virtualizer]);
  return (
    <div className="cs-thread-frame">
      {earlier !== "idle" && (
        <div className="cs-earlier">
          {earlier === "loading" ? (
            <>
              <Spinner />
              {language.thread.earlier}
            </>
          ) : (
            <>
              {language.thread.earlierFailed}
              <button type="button" className="cs-link" onClick={() => void client.loadEarlier()}>
                {language.panel.retry}
              </button>
            </>
          )}
        </div>
      )}
      <div
        ref={box}
        className="cs-thread"
        role="log"
        aria-live="off"
        aria-label={language.thread.label}
        // A frame that scrolls must be reachable by keyboard.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        onScroll={() => {
          look();
          wantsEarlier();
        }}
      >
        <div className="cs-rows" style={{ height: virtualizer.getTotalSize() }}>
          {items.map((item) => {
            const row = rows[item.index];
            return row === undefined ? null : (
              <div
                key={item.key}
                ref={virtualizer.measureElement}
                data-index={item.index}
                className="cs-row"
                style={{ transform: `translateY(${item.start}px)` }}
                onFocus={() => onRowFocus(item.index)}
                onBlur={onRowBlur}
              >
                <RowView row={row} />
              </div>
            );
          })}
        </div>
      </div>
      <WaitingBar rows={rows} visible={virtualizer.range} show={showRow} />
      {!isAtEnd && (
        <button
          type="button"
          className="cs-to-end"
          data-new={isNew}
          aria-label={isNew ? undefined : language.thread.toEnd}
          title={language.thread.toEnd}
          onClick={() => virtualizer.scrollToEnd({ behavior: "auto" })}
        >
          {isNew && language.thread.news}
          <Icon name="down" />
        </button>
      )}
    </div>
  );
}
