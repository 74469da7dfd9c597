import { useEffect, useState } from "react";
import type { ReactNode } from "react";
import { usePanel } from "./panel-context.ts";
import { toNextTick, toTimeLeft } from "./time-text.ts";

const circle = 2 * Math.PI * 6;

interface CardTimeProps {
  readonly createdAt: string;
  readonly expiresAt: string;
}

/** How long a card still waits, by the server's clock: in words, and as a ring that runs out. */
export function CardTime({ createdAt, expiresAt }: CardTimeProps): ReactNode {
  const { client, language } = usePanel();
  const [, tick] = useState(0);
  const end = Date.parse(expiresAt);
  const left = Math.max(0, end - client.serverNow());
  useEffect(() => {
    if (left === 0) return;
    const timer = setTimeout(() => tick((count) => count + 1), toNextTick(left));
    return () => clearTimeout(timer);
  });
  const share = Math.min(1, left / Math.max(1, end - Date.parse(createdAt)));
  return (
    <span className="cs-time" data-soon={left < 5 * 60_000}>
      <svg viewBox="0 0 16 16" aria-hidden="true" focusable="false">
        <circle cx="8" cy="8" r="6" />
        <circle cx="8" cy="8" r="6" strokeDasharray={`${share * circle} ${circle}`} transform="rotate(-90 8 8)" />
      </svg>
      <time dateTime={expiresAt}>{language.card.timeLeft(toTimeLeft(left, language))}</time>
    </span>
  );
}
