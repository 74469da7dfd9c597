import { memo, useState } from "react";
import type { ReactNode } from "react";
import type { AssistantMessage, MessageUsage } from "../wire/messages.ts";
import { CopyButton } from "./copy-button.tsx";
import { Icon } from "./icons.tsx";
import type { Language } from "./language/language.ts";
import { Markdown } from "./markdown.tsx";
import { usePanel } from "./panel-context.ts";
import { toClockTime, toDollars } from "./time-text.ts";

/** A stored answer, with what it cost on demand. */
export const Answer = memo(function Answer({ message }: { readonly message: AssistantMessage }): ReactNode {
  const { language } = usePanel();
  const [isOpen, setOpen] = useState(false);
  const { thread } = language;
  return (
    <div className="cs-answer">
      <span className="cs-hidden">{thread.assistant}: </span>
      <Markdown text={message.text} />
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
    </div>
  );
});

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
