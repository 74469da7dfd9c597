import type { ReactNode } from "react";
import type { CardView, Failure } from "../client/snapshot.ts";
import { Icon, Spinner } from "./icons.tsx";
import type { IconName } from "./icons.tsx";
import type { Language } from "./language/language.ts";
import { OpenHolder } from "./open-holder.tsx";
import { usePanel } from "./panel-context.ts";
import { sayRefusedClick } from "./say.ts";
import { toClockTime } from "./time-text.ts";
import { VisibleText } from "./visible-text.tsx";

interface CardFootProps {
  readonly view: CardView;
  readonly titleId: string;
  /** Whether all of the change could be read. */
  readonly isRead: boolean;
  /** When it was settled, if that is known. */
  readonly settledAt: string | null;
  /** Takes the focus that a button leaves behind when it goes. */
  readonly onClick: () => void;
}

/** The end of a card: its buttons, what is being done, or what became of it. The places are the same height, so nothing jumps. */
export function CardFoot({ view, titleId, isRead, settledAt, onClick }: CardFootProps): ReactNode {
  const { client, language } = usePanel();
  const { card, click } = view;
  const words = language.card;
  const act = (verb: "confirm" | "reject" | "repeat") => (): void => {
    onClick();
    void client[verb](card.messageId);
  };

  if (click !== null) {
    return (
      <Status icon={null} text={words[click.phase]} link={<OpenHolder chatId={click.holder} />}>
        {click.phase === "queued" && (
          <button type="button" className="cs-button" onClick={() => client.dontWait(card.messageId)}>
            {words.dontWait}
          </button>
        )}
      </Status>
    );
  }
  if (card.state === "running") return <Status icon={null} text={words.states.running} />;
  if (card.state === "waiting") {
    return (
      <>
        {view.refusal !== null && <Refusal failure={view.refusal} language={language} />}
        <div className="cs-foot">
          <button
            type="button"
            className="cs-button cs-primary"
            aria-describedby={titleId}
            disabled={!isRead}
            onClick={act("confirm")}
          >
            {words.confirm}
          </button>
          <button type="button" className="cs-button" aria-describedby={titleId} onClick={act("reject")}>
            {words.reject}
          </button>
          {!isRead && <span className="cs-quiet">{words.readOn}</span>}
        </div>
      </>
    );
  }
  const text = card.state === "confirmed" && card.finished === false ? words.unfinished : words.states[card.state];
  return (
    <>
      {view.refusal !== null && <Refusal failure={view.refusal} language={language} />}
      <Status icon={toStateIcon(view)} text={text} time={settledAt === null ? null : toClockTime(settledAt, language)}>
        {card.repeatable && (
          <button type="button" className="cs-button" aria-describedby={titleId} onClick={act("repeat")}>
            <Icon name="again" />
            {words.repeat}
          </button>
        )}
        {card.state === "unavailable" && card.rejectable && (
          <button type="button" className="cs-button" aria-describedby={titleId} onClick={act("reject")}>
            {words.rejectUnavailable}
          </button>
        )}
      </Status>
    </>
  );
}

/** The drawing of what a card is now. */
export function toStateIcon({ card }: CardView): IconName {
  switch (card.state) {
    case "waiting":
    case "running":
      return "sign";
    case "confirmed":
      return card.finished === false ? "warning" : "check";
    case "rejected":
      return "close";
    case "expired":
      return "clock";
    case "changed":
      return "again";
    case "failed":
      return "warning";
    case "unavailable":
      return "info";
  }
}

interface StatusProps {
  readonly icon: IconName | null;
  readonly text: string;
  readonly time?: string | null;
  readonly link?: ReactNode;
  readonly children?: ReactNode;
}

function Status({ icon, text, time = null, link, children }: StatusProps): ReactNode {
  return (
    <div className="cs-foot">
      <p className="cs-status">
        {icon === null ? <Spinner /> : <Icon name={icon} />}
        <span>
          {text} {time !== null && <span className="cs-quiet">{time}</span>}
          {link}
        </span>
      </p>
      {children}
    </div>
  );
}

function Refusal({ failure, language }: { readonly failure: Failure; readonly language: Language }): ReactNode {
  return (
    <p className="cs-refusal" role="alert">
      <Icon name="warning" />
      <span>
        <strong>{language.card.notDone}</strong> <VisibleText text={sayRefusedClick(failure, language)} />
      </span>
    </p>
  );
}
