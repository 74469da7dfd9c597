import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import type { KeyboardEvent, ReactNode } from "react";
import { createClient } from "../client/client.ts";
import type { AssistantClient } from "../client/client.ts";
import { createFiles } from "../client/files.ts";
import type { NoticeMessage } from "../wire/messages.ts";
import { adoptStyles } from "./adopt-styles.ts";
import { PanelContext } from "./panel-context.ts";
import type { Panel } from "./panel-context.ts";
import { PanelLayout } from "./panel-layout.tsx";
import { useLanguage } from "./use-language.ts";

export interface AssistantPanelProps {
  /** Where the assistant is mounted, for example `/assistant`. */
  readonly baseUrl: string;
  /** A client of the host's own, for instance with headers; default: one for `baseUrl`. */
  readonly client?: AssistantClient;
  /** Default: that of the page around, by its `color-scheme`. */
  readonly theme?: "light" | "dark";
  /** A BCP 47 tag. Default: the user's own, as the session tells it, else the browser's. */
  readonly locale?: string;
  readonly className?: string;
  /** Questions to begin with, shown in an empty chat and sent with one click. */
  readonly suggestions?: readonly string[];
  /** Called when a change of the open chat was confirmed and run: the host may want to read its data again. */
  readonly onConfirmed?: (notice: NoticeMessage) => void;
}

/** The assistant as a panel that fills the element around it. */
export function AssistantPanel(props: AssistantPanelProps): ReactNode {
  const { baseUrl, client: given, theme, locale, className, suggestions = [], onConfirmed } = props;
  const client = useMemo(() => given ?? createClient({ baseUrl }), [given, baseUrl]);
  const language = useLanguage(client, locale);
  // What a server drew has no styles yet, and nobody can use it: it is shown once it is alive.
  const isAlive = useSyncExternalStore(
    () => () => {},
    () => true,
    () => false,
  );
  const [said, setSaid] = useState("");
  const say = useCallback((text: string) => setSaid(text), []);
  const kept = useRef(new Map<string, unknown>());
  const files = useMemo(() => createFiles(client), [client]);
  const panel = useMemo<Panel>(
    () => ({ client, files, language, say, kept: kept.current }),
    [client, files, language, say],
  );
  useEffect(() => client.connect(), [client]);
  useEffect(() => files.follow(), [files]);

  const told = useRef(onConfirmed);
  told.current = onConfirmed;
  useEffect(
    () => client.onCardSettled((notice) => void (notice.outcome === "confirmed" && told.current?.(notice))),
    [client],
  );

  const onKeyDown = (event: KeyboardEvent): void => {
    // What opened above the panel takes its Escape for itself.
    if (event.key !== "Escape" || event.defaultPrevented || isAbove(event.target)) return;
    if (client.getSnapshot().chat.turn !== null) void client.stop();
  };
  return (
    <PanelContext value={panel}>
      {/* Escape anywhere in the panel stops the answer; everything it does has a button of its own. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <section
        ref={adoptStyles}
        className={className === undefined ? "cs-panel" : `cs-panel ${className}`}
        data-theme={theme}
        hidden={!isAlive}
        lang={language.code}
        aria-label={language.panel.name}
        onKeyDown={onKeyDown}
      >
        <PanelLayout suggestions={suggestions} />
        <p className="cs-hidden" role="status">
          {said}
        </p>
      </section>
    </PanelContext>
  );
}

function isAbove(target: EventTarget): boolean {
  return target instanceof Element && target.closest("dialog, [popover]") !== null;
}
