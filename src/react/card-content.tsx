import { useLayoutEffect, useRef } from "react";
import type { ReactNode } from "react";
import type { CardView } from "../client/snapshot.ts";
import { CardChanges } from "./card-changes.tsx";
import { Icon, Spinner } from "./icons.tsx";
import { toIndentedJson } from "./indented-json.ts";
import { useKept, usePanel } from "./panel-context.ts";
import { VisibleText } from "./visible-text.tsx";

interface CardContentProps {
  readonly view: CardView;
  readonly onRead: () => void;
}

/** What a card would change, its warnings, and exactly what the tool is given. */
export function CardContent({ view, onRead }: CardContentProps): ReactNode {
  const { language, client } = usePanel();
  const { card, shown, whole } = view;
  if (shown === null) return null;
  const content = (
    <>
      <CardChanges changes={shown.changes} />
      {shown.warnings.length > 0 && (
        <ul className="cs-warnings">
          {shown.warnings.map((warning, index) => (
            // A preview never changes: a warning's place is its identity.
            // oxlint-disable-next-line react/no-array-index-key
            <li key={index}>
              <Icon name="warning" />
              <span className="cs-hidden">{language.card.warning}: </span>
              <span>
                <VisibleText text={warning} />
              </span>
            </li>
          ))}
        </ul>
      )}
      {card.arguments !== null && <CardArguments view={view} text={card.arguments} />}
    </>
  );
  if (whole === "yes" && card.state === "waiting") return <ReadThrough onRead={onRead}>{content}</ReadThrough>;
  return (
    <>
      <div className={card.cut ? "cs-cut" : undefined}>{content}</div>
      {card.cut && (
        <div className="cs-cut-note">
          <p>{whole === "failed" ? language.card.showAllFailed : language.card.cut}</p>
          <button
            type="button"
            className="cs-button"
            disabled={whole === "loading"}
            onClick={() => void client.showWhole(card.messageId)}
          >
            {whole === "loading" && <Spinner />}
            {language.card.showAll}
          </button>
        </div>
      )}
    </>
  );
}

/** A change too long for a card, in a frame of its own that tells when its end was on screen. */
function ReadThrough({ onRead, children }: { readonly onRead: () => void; readonly children: ReactNode }): ReactNode {
  const { language } = usePanel();
  const frame = useRef<HTMLElement>(null);
  const look = (): void => {
    const box = frame.current;
    if (box && box.clientHeight > 0 && box.scrollHeight - box.scrollTop - box.clientHeight < 4) onRead();
  };
  useLayoutEffect(() => {
    const box = frame.current;
    if (!box) return;
    box.focus({ preventScroll: true });
    // What fits into the frame was readable at once; what is unfolded in it makes it longer.
    const observer = new ResizeObserver(look);
    observer.observe(box);
    return () => observer.disconnect();
    // oxlint-disable-next-line react/exhaustive-deps
  }, []);
  return (
    // A frame that scrolls must be reachable by keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <section ref={frame} className="cs-whole" tabIndex={0} aria-label={language.card.whole} onScroll={look}>
      {children}
    </section>
  );
}

function CardArguments({ view, text }: { readonly view: CardView; readonly text: string }): ReactNode {
  const { language } = usePanel();
  const { card, whole } = view;
  const [isOpen, setOpen] = useKept(`details:${card.messageId}`, false);
  const content = (
    <>
      <p className="cs-quiet">
        {language.card.argumentsOf} <code>{card.tool}</code>
      </p>
      <pre>
        <VisibleText text={toIndentedJson(text)} />
      </pre>
    </>
  );
  // Of a change that must be read whole, nothing is folded away.
  if (whole === "yes") return <div className="cs-details">{content}</div>;
  return (
    <details className="cs-details" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{language.card.details}</summary>
      {content}
    </details>
  );
}
