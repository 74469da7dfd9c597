import { memo, useId, useRef } from "react";
import type { ReactNode } from "react";
import type { ToolMessage } from "../wire/messages.ts";
import { CardContent } from "./card-content.tsx";
import { CardFoot, toStateIcon } from "./card-foot.tsx";
import { CardTime } from "./card-time.tsx";
import { Icon } from "./icons.tsx";
import { useKept, usePanel, useSnapshot } from "./panel-context.ts";
import { VisibleText } from "./visible-text.tsx";

interface CardProps {
  readonly message: ToolMessage;
  readonly settledAt: string | null;
}

/** A write that waits for its user, and what became of it. Stands beside what the model wrote, never in it. */
export const Card = memo(function Card({ message, settledAt }: CardProps): ReactNode {
  const { language } = usePanel();
  const view = useSnapshot(({ chat }) => chat.cards[message.id]);
  const [wasRead, setRead] = useKept(`read:${message.id}`, false);
  const box = useRef<HTMLElement>(null);
  const titleId = useId();
  if (view === undefined) {
    return (
      <article className="cs-card" data-state="loading" aria-busy="true">
        <h3 className="cs-card-tool">{message.title}</h3>
      </article>
    );
  }
  const { card, shown } = view;
  const isRead = !card.cut && (view.whole !== "yes" || wasRead);
  return (
    <article
      ref={box}
      className="cs-card"
      data-state={card.state}
      data-open-end={card.finished === false}
      data-compact={shown === null}
      aria-labelledby={titleId}
      tabIndex={-1}
    >
      <header className="cs-card-head">
        <span className="cs-badge">
          <Icon name={toStateIcon(view)} />
        </span>
        <div className="cs-card-title">
          <h3 id={titleId} className="cs-card-tool">
            <VisibleText text={card.title} />
          </h3>
          {shown !== null && (
            <p>
              <VisibleText text={shown.title} />
            </p>
          )}
        </div>
        {card.state === "waiting" && card.expiresAt !== null && (
          <CardTime createdAt={message.createdAt} expiresAt={card.expiresAt} />
        )}
      </header>
      <CardContent view={view} onRead={() => !wasRead && setRead(true)} />
      <CardFoot
        view={view}
        titleId={titleId}
        isRead={isRead}
        settledAt={settledAt}
        onClick={() => box.current?.focus({ preventScroll: true })}
      />
      <span className="cs-hidden">{language.card.states[card.state]}</span>
    </article>
  );
});
