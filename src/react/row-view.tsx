import { memo } from "react";
import type { ReactNode } from "react";
import type { NoticeMessage, ToolMessage } from "../wire/messages.ts";
import { Answer } from "./answer.tsx";
import { Card } from "./card.tsx";
import { SentFiles } from "./file-chips.tsx";
import { Icon } from "./icons.tsx";
import { usePanel } from "./panel-context.ts";
import { isWorthAsking, sayNotice, sayOutcome } from "./say.ts";
import type { Row } from "./thread-rows.ts";
import { toClockTime, toDayName } from "./time-text.ts";

/** One row of the thread. */
export const RowView = memo(function RowView({ row }: { readonly row: Row }): ReactNode {
  const { language, client } = usePanel();
  switch (row.kind) {
    case "day":
      return <p className="cs-day">{toDayName(row.time, client.serverNow(), language)}</p>;
    case "user":
      return (
        <div className="cs-question">
          <span className="cs-hidden">{language.thread.you}: </span>
          <SentFiles files={row.message.files} />
          {row.message.text !== "" && <p dir="auto">{row.message.text}</p>}
          <time className="cs-quiet" dateTime={row.message.createdAt}>
            {toClockTime(row.message.createdAt, language)}
          </time>
        </div>
      );
    case "answer":
    case "live":
      return <Answer message={row.kind === "live" ? null : row.message} />;
    case "tools":
      return <Tools messages={row.messages} />;
    case "card":
      return <Card message={row.message} settledAt={row.settledAt} />;
    case "notice":
      return <Notice message={row.message} question={row.question} />;
    case "told":
      return (
        <p className="cs-told">
          <Icon name={row.message.outcome === "confirmed" ? "check" : "info"} />
          <span>{language.card.told(row.message.title ?? "", sayOutcome(row.message, language))}</span>
        </p>
      );
  }
});

/** What was looked up for an answer, by the titles people read. */
function Tools({ messages }: { readonly messages: readonly ToolMessage[] }): ReactNode {
  const { thread } = usePanel().language;
  return (
    <ul className="cs-lookups">
      {messages.map(({ id, status, title }) => (
        <li key={id} data-status={status}>
          <Icon name={status === "ok" ? "check" : status === "error" ? "warning" : "close"} />
          {thread.tools[status](title)}
        </li>
      ))}
    </ul>
  );
}

function Notice({
  message,
  question,
}: {
  readonly message: NoticeMessage;
  readonly question: string | null;
}): ReactNode {
  const { language, client } = usePanel();
  const again = (): void => {
    if (question === null) return;
    client.setDraft(question);
    void client.send();
  };
  return (
    <div className="cs-notice" data-quiet={message.code === "stopped"}>
      <Icon name={message.code === "stopped" ? "stop" : "warning"} />
      <p>{sayNotice(message, language)}</p>
      {question !== null && isWorthAsking(message) && (
        <button type="button" className="cs-button" onClick={again}>
          <Icon name="again" />
          {language.thread.again}
        </button>
      )}
    </div>
  );
}
