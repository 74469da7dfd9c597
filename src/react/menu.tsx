import { useId, useRef } from "react";
import type { KeyboardEvent, ReactNode, ToggleEvent } from "react";
import { Icon } from "./icons.tsx";
import type { IconName } from "./icons.tsx";

export interface MenuItem {
  readonly icon: IconName;
  readonly text: string;
  readonly isDanger?: boolean;
  readonly onChoose: () => void;
}

interface MenuProps {
  readonly label: string;
  readonly items: readonly MenuItem[];
}

/** A button that opens a menu: the browser's own popover, so that it lies above everything and Escape closes it. */
export function Menu({ label, items }: MenuProps): ReactNode {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLDivElement>(null);

  const onToggle = (event: ToggleEvent<HTMLDivElement>): void => {
    if (event.newState !== "open" || !button.current || !list.current) return;
    const { bottom, right, top } = button.current.getBoundingClientRect();
    const { offsetHeight, offsetWidth } = list.current;
    const fitsBelow = bottom + offsetHeight + 12 < innerHeight;
    list.current.style.top = `${fitsBelow ? bottom + 4 : Math.max(8, top - offsetHeight - 4)}px`;
    list.current.style.left = `${Math.max(8, right - offsetWidth)}px`;
    move(list.current, "first");
  };
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>): void => {
    const way = ways[event.key];
    if (way === undefined) return;
    event.preventDefault();
    move(event.currentTarget, way);
  };
  const choose = (item: MenuItem): void => {
    list.current?.hidePopover();
    item.onChoose();
  };

  return (
    <>
      <button ref={button} type="button" className="cs-tool" aria-label={label} aria-haspopup="menu" popoverTarget={id}>
        <Icon name="dots" />
      </button>
      <div
        ref={list}
        id={id}
        className="cs-menu"
        role="menu"
        tabIndex={-1}
        aria-label={label}
        popover="auto"
        onToggle={onToggle}
        onKeyDown={onKeyDown}
      >
        {items.map((item) => (
          <button
            key={item.text}
            type="button"
            role="menuitem"
            tabIndex={-1}
            data-danger={item.isDanger === true}
            onClick={() => choose(item)}
          >
            <Icon name={item.icon} />
            {item.text}
          </button>
        ))}
      </div>
    </>
  );
}

type Way = "first" | "last" | "next" | "previous";

const ways: Readonly<Record<string, Way>> = { Home: "first", End: "last", ArrowDown: "next", ArrowUp: "previous" };

/** Moves the focus among the buttons of an element. */
function move(list: HTMLElement, way: Way): void {
  const buttons = Array.from(list.querySelectorAll("button"));
  const root = list.getRootNode();
  const active = root instanceof Document || root instanceof ShadowRoot ? root.activeElement : null;
  const at = buttons.findIndex((button) => button === active);
  const index = { first: 0, last: -1, next: (at + 1) % buttons.length, previous: at - 1 }[way];
  buttons.at(index)?.focus();
}
