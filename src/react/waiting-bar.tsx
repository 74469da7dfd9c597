import { useEffect, useMemo, useState } from "react";
import type { ReactNode } from "react";
import { Icon } from "./icons.tsx";
import { usePanel, useSnapshot } from "./panel-context.ts";
import type { Row } from "./thread-rows.ts";

interface WaitingBarProps {
  readonly rows: readonly Row[];
  /** The rows in sight; null before the first was drawn. */
  readonly visible: { readonly startIndex: number; readonly endIndex: number } | null;
  readonly show: (index: number) => void;
}

/** Tells of changes that wait for their user out of sight, and leads to the oldest. */
export function WaitingBar({ rows, visible, show }: WaitingBarProps): ReactNode {
  const { client, language } = usePanel();
  const messages = useSnapshot(({ chat }) => chat.messages);
  const cards = useSnapshot(({ chat }) => chat.cards);
  const known = useSnapshot(({ chat }) => chat.waiting);
  const [wanted, setWanted] = useState<string | null>(null);

  const waiting = useMemo(() => {
    const first = messages[0]?.seq ?? 0;
    const before = known.filter(({ seq }) => seq < first);
    return [...before, ...messages.filter(({ id }) => cards[id]?.card.state === "waiting")].map(({ id }) => id);
  }, [messages, cards, known]);
  const placeOf = (id: string | null): number => rows.findIndex((row) => row.kind === "card" && row.message.id === id);

  const place = placeOf(wanted);
  useEffect(() => {
    if (place < 0) return;
    show(place);
    setWanted(null);
  }, [place, show]);

  const [oldest] = waiting;
  const isInSight = (id: string): boolean => {
    const index = placeOf(id);
    return visible !== null && index >= visible.startIndex && index <= visible.endIndex;
  };
  if (visible === null || oldest === undefined || waiting.some(isInSight)) return null;

  // It may lie before what is loaded: pages are asked for until it is there. The thread keeps its place meanwhile.
  const reveal = async (): Promise<void> => {
    setWanted(oldest);
    const isMissing = (): boolean => {
      const { chat } = client.getSnapshot();
      return chat.hasEarlier && chat.earlier !== "failed" && !chat.messages.some(({ id }) => id === oldest);
    };
    while (isMissing()) await client.loadEarlier();
  };
  return (
    <button type="button" className="cs-waiting" onClick={() => void reveal()}>
      <Icon name="sign" />
      <span>{language.thread.waiting(waiting.length)}</span>
      <strong>{language.thread.show}</strong>
    </button>
  );
}
