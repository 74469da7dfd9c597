import { useCallback, useMemo, useState } from "react";
import type { ReactNode } from "react";
import type { ToolCallMessagePartProps, Toolkit } from "@assistant-ui/react";
import type { AssistantClient } from "../client/client.ts";
import { createFiles } from "../client/files.ts";
import { adoptingStyles } from "../react/adopting-styles.ts";
import { Card } from "../react/card.tsx";
import { Icon } from "../react/icons.tsx";
import { PanelContext, useAssistant } from "../react/panel-context.ts";
import type { Panel } from "../react/panel-context.ts";
import { sheets } from "../react/styles/sheets.ts";
import { useLanguage } from "../react/use-language.ts";
import { cardTool, noticeTool } from "./to-messages.ts";

const alone = `
.cs-panel.cs-part { height: auto; min-height: 0; overflow: visible; container-type: inline-size; background: none; }
`;
const adopt = adoptingStyles([...sheets, alone]);

interface Drawn {
  readonly client: AssistantClient;
  readonly locale: string | undefined;
}

/**
 * The renderers of a client's cards and notices, by the names that `useCountersignRuntime` gives their parts; for the
 * `Tools` scope of assistant-ui. A card is drawn from what the server said of it, never from the part.
 */
export function toCountersignToolkit(client: AssistantClient, options: { readonly locale?: string } = {}): Toolkit {
  const drawn: Drawn = { client, locale: options.locale };
  return {
    [cardTool]: {
      type: "backend",
      display: "standalone",
      render: ({ toolCallId }: ToolCallMessagePartProps) => <CardPart {...drawn} messageId={toolCallId} />,
    },
    [noticeTool]: {
      type: "backend",
      display: "standalone",
      render: ({ args }: ToolCallMessagePartProps<unknown>) => <NoticePart {...drawn} args={args} />,
    },
  };
}

/** A card of the open chat with its buttons; nothing where the chat has no such card. */
function CardPart({ client, locale, messageId }: Drawn & { readonly messageId: string }): ReactNode {
  const message = useAssistant(client, ({ chat }) => chat.messages.find(({ id }) => id === messageId));
  const settledAt = useAssistant(client, ({ chat }) => {
    const card = chat.messages.find(({ id }) => id === messageId);
    const of = card?.role === "tool" ? card.confirmationId : null;
    const notice = chat.messages.find((one) => one.role === "notice" && of !== null && one.confirmationId === of);
    return notice?.createdAt ?? null;
  });
  if (message?.role !== "tool" || message.confirmationId === null) return null;
  return (
    <Part client={client} locale={locale}>
      <Card message={message} settledAt={settledAt} />
    </Part>
  );
}

function NoticePart({ client, locale, args }: Drawn & { readonly args: unknown }): ReactNode {
  const text = typeof args === "object" && args !== null && "text" in args ? args.text : null;
  if (typeof text !== "string" || text === "") return null;
  return (
    <Part client={client} locale={locale}>
      <div className="cs-notice">
        <Icon name="warning" />
        <p>{text}</p>
      </div>
    </Part>
  );
}

/** What parts of the panel need around them, where there is no panel. */
function Part({ client, locale, children }: Drawn & { readonly children: ReactNode }): ReactNode {
  const language = useLanguage(client, locale);
  const [said, setSaid] = useState("");
  const say = useCallback((text: string) => setSaid(text), []);
  const [kept] = useState(() => new Map<string, unknown>());
  const panel = useMemo<Panel>(
    () => ({ client, files: createFiles(client), language, say, kept }),
    [client, language, say, kept],
  );
  return (
    <PanelContext value={panel}>
      <div ref={adopt} className="cs-panel cs-part" lang={language.code}>
        {children}
        <p className="cs-hidden" role="status">
          {said}
        </p>
      </div>
    </PanelContext>
  );
}
