import type { ReactNode } from "react";

const paths = {
  menu: "M3 5.5h14M3 10h14M3 14.5h9",
  plus: "M10 4v12M4 10h12",
  send: "M10 16V4.5M4.8 9.5 10 4.2l5.2 5.3",
  stop: "M6.5 6.5h7v7h-7z",
  dots: "M4.6 10.4v-.8M10 10.4v-.8M15.4 10.4v-.8",
  copy: "M7.5 7.5V5a1.5 1.5 0 0 1 1.5-1.5h6A1.5 1.5 0 0 1 16.5 5v6a1.5 1.5 0 0 1-1.5 1.5h-2.5M5 7.5h6A1.5 1.5 0 0 1 12.5 9v6a1.5 1.5 0 0 1-1.5 1.5H5A1.5 1.5 0 0 1 3.5 15V9A1.5 1.5 0 0 1 5 7.5z",
  check: "m4.5 10.5 3.7 3.7 7.3-8",
  close: "m5.5 5.5 9 9M14.5 5.5l-9 9",
  clock: "M10 5.8V10l2.8 1.8M17 10a7 7 0 1 1-14 0 7 7 0 0 1 14 0z",
  again: "M16.2 9A6.3 6.3 0 0 0 4.9 6.3L3.3 8M3.3 4.2V8h3.8M3.8 11a6.3 6.3 0 0 0 11.3 2.7l1.6-1.7M16.7 15.8V12h-3.8",
  warning:
    "M10 7.8v3.4M10 13.9h.01M8.8 3.7 2.6 14.4a1.4 1.4 0 0 0 1.2 2.1h12.4a1.4 1.4 0 0 0 1.2-2.1L11.2 3.7a1.4 1.4 0 0 0-2.4 0z",
  search: "m13.3 13.3 3.4 3.4M15 9A6 6 0 1 1 3 9a6 6 0 0 1 12 0z",
  edit: "m11.6 5.1 3.3 3.3M4 12.6 12.8 3.8a1.6 1.6 0 0 1 2.3 0l1.1 1.1a1.6 1.6 0 0 1 0 2.3L7.4 16 3.5 16.5z",
  remove:
    "M3.8 5.8h12.4M8 5.5V4.3a1 1 0 0 1 1-1h2a1 1 0 0 1 1 1v1.2M5.2 5.8l.7 9.4a1.5 1.5 0 0 0 1.5 1.4h5.2a1.5 1.5 0 0 0 1.5-1.4l.7-9.4M8.3 9v4.2M11.7 9v4.2",
  info: "M10 9.3v4.2M10 6.6h.01M17 10a7 7 0 1 1-14 0 7 7 0 0 1 14 0z",
  sign: "M3 16.5h14M5 13.3c2.5 0 7.4-8.6 5.2-9.6-2-.9-4.3 7-2.7 9 1.5 1.8 3-3.4 4.3-3.2 1.1.2-.3 3 .9 3.5.9.3 1.7-.9 3.1-.9",
  arrow: "M4 10h11.5M11.5 5.8l4.2 4.2-4.2 4.2",
  down: "M10 4v11.5M5 10.6l5 5 5-5",
  clip: "m16 9.4-6.2 6.2a3.6 3.6 0 0 1-5.1-5.1L11 4.2a2.4 2.4 0 0 1 3.4 3.4l-6.2 6.2a1.2 1.2 0 0 1-1.7-1.7l5.6-5.6",
  camera:
    "M4 6.5h2.3l1.2-1.9h5l1.2 1.9H16a1.2 1.2 0 0 1 1.2 1.2v7a1.2 1.2 0 0 1-1.2 1.2H4a1.2 1.2 0 0 1-1.2-1.2v-7A1.2 1.2 0 0 1 4 6.5zM12.7 11a2.7 2.7 0 1 1-5.4 0 2.7 2.7 0 0 1 5.4 0z",
  file: "M11.5 3H6.3A1.3 1.3 0 0 0 5 4.3v11.4A1.3 1.3 0 0 0 6.3 17h7.4a1.3 1.3 0 0 0 1.3-1.3V6.5zM11.3 3v3.7H15",
  picture:
    "M4.8 3.8h10.4a1 1 0 0 1 1 1v10.4a1 1 0 0 1-1 1H4.8a1 1 0 0 1-1-1V4.8a1 1 0 0 1 1-1zM4 14l3.6-3.6 3 3 2-2 3.4 3.4M12.8 7.6h.01",
  person: "M13 7a3 3 0 1 1-6 0 3 3 0 0 1 6 0zM4 16.6a6 6 0 0 1 12 0",
  offline:
    "M3 3.5 17 16.5M5.6 10.6a6.6 6.6 0 0 1 2-1.3M3 7.6a10 10 0 0 1 2.6-1.7M9.3 5a10 10 0 0 1 7.7 2.6M12.4 9.3c.7.3 1.4.7 2 1.3M10 15h.01",
} as const;

export type IconName = keyof typeof paths;

/** A drawing beside words that say the same: hidden from those who hear the page. */
export function Icon({ name }: { readonly name: IconName }): ReactNode {
  return (
    <svg className="cs-icon" viewBox="0 0 20 20" aria-hidden="true" focusable="false">
      <path d={paths[name]} />
    </svg>
  );
}

export function Spinner(): ReactNode {
  return <span className="cs-spinner" aria-hidden="true" />;
}
