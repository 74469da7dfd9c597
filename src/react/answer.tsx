import { memo, useState } from "react";
import type { ReactNode } from "react";
import type { LiveTurn } from "../client/snapshot.ts";
import type { AssistantMessage, MessageUsage } from "../wire/messages.ts";
import { CopyButton } from "./copy-button.tsx";
import { Icon } from "./icons.tsx";
import type { Language } from "./language/language.ts";
import { Markdown } from "./markdown.tsx";
import { usePanel, useSnapshot } from "./panel-context.ts";
import { toClockTime, toDollars } from "./time-text.ts";

/** An answer: the one under way while `message` is null, then the stored one. It is one row all along, so that nothing is drawn anew when it is stored. */
export const Answer = memo(function Answer({ message }: { readonly message: AssistantMessage | null }): ReactNode {
  const { language } = usePanel();
  const turn = useSnapshot(({ chat }) => (message === null ? chat.turn : null));
  const text = message?.text ?? turn?.text ?? "";
  return (
    <div className="cs-answer">
      <span className="cs-hidden">{language.thread.assistant}: </span>
      {text !== "" && <Markdown text={text} />}
      {message !== null && <AnswerTools message={message} />}
      {turn !== null && (
        <p className="cs-activity">
          <span className="cs-dots" aria-hidden="true">
            <i />
            <i />
            <i />
          </span>
          <span>{toActivity(turn, language)}</span>
        </p>
      )}
    </div>
  );
});

function toActivity({ activity, toolTitle }: LiveTurn, { thread }: Language): string {
  if (activity === "tool") return toolTitle === null ? thread.thinking : thread.tool(toolTitle);
  return thread[activity];
}

/** What can be done with an answer, and what it cost on demand. */
function AnswerTools({ message }: { readonly message: AssistantMessage }): ReactNode {
  const { language } = usePanel();
  const { thread } = language;
  const [isOpen, setOpen] = useState(false);
  return (
    <div className="cs-tools" data-open={isOpen}>
      <CopyButton text={() => message.text} label={thread.copy} />
      <button
        type="button"
        className="cs-tool"
        aria-expanded={isOpen}
        aria-label={thread.cost}
        title={thread.cost}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name="info" />
      </button>
      <time className="cs-quiet" dateTime={message.createdAt}>
        {toClockTime(message.createdAt, language)}
      </time>
      {isOpen && <span className="cs-quiet">{toCost(message.usage, language)}</span>}
    </div>
  );
}

function toCost(usage: MessageUsage | null, language: Language): string {
  const { model, inputTokens, outputTokens, costMicros, latencyMs } = usage ?? {};
  const seconds = new Intl.NumberFormat(language.locale, {
    style: "unit",
    unit: "second",
    unitDisplay: "short",
    maximumFractionDigits: 1,
  });
  const parts = [
    model,
    costMicros == null ? null : toDollars(costMicros, language),
    inputTokens == null || outputTokens == null ? null : language.thread.tokens(inputTokens, outputTokens),
    latencyMs == null ? null : seconds.format(latencyMs / 1000),
  ].filter((part) => part != null);
  return parts.length === 0 ? language.thread.costUnknown : parts.join(" · ");
}
