import { useEffect, useRef, useState } from "react";
import type { ReactNode, RefObject } from "react";
import { useAnnouncements } from "./announce.ts";
import { DropZone } from "./attach.tsx";
import { BlockedBar, ConnectionBar, DemoBar } from "./bars.tsx";
import { ChatHeader } from "./chat-header.tsx";
import { ChatList } from "./chat-list.tsx";
import { Composer, useComposerFocus } from "./composer.tsx";
import { Icon } from "./icons.tsx";
import { MyAssistant } from "./my-assistant.tsx";
import { usePanel, useSnapshot } from "./panel-context.ts";
import { sayFailure } from "./say.ts";
import { Thread } from "./thread.tsx";

/** Pixels of the panel's own width below which the chats lie in a drawer. */
const wide = 720;

/** The panel's parts and where they stand: beside each other, or on a phone the chats in a drawer. */
export function PanelLayout({ suggestions }: { readonly suggestions: readonly string[] }): ReactNode {
  const frame = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const isWide = useWide(frame);
  const [isDrawerOpen, setDrawerOpen] = useState(false);
  const [isSettingsOpen, setSettingsOpen] = useState(false);
  useAnnouncements();
  useComposerFocus(field);

  const openSettings = (): void => {
    setDrawerOpen(false);
    setSettingsOpen(true);
  };
  return (
    <div ref={frame} className="cs-layout" data-wide={isWide}>
      {isWide && <ChatList onOpen={() => {}} onSettings={openSettings} />}
      <DropZone>
        <ChatHeader onChats={isWide ? null : () => setDrawerOpen(true)} onSettings={openSettings} />
        <DemoBar />
        <div className="cs-body">
          <ConnectionBar />
          <ChatBody field={field} suggestions={suggestions} />
        </div>
        <BlockedBar />
        <Composer field={field} />
      </DropZone>
      {!isWide && isDrawerOpen && <Drawer onClose={() => setDrawerOpen(false)} onSettings={openSettings} />}
      {isSettingsOpen && <MyAssistant onClose={() => setSettingsOpen(false)} />}
    </div>
  );
}

interface ChatBodyProps {
  readonly field: RefObject<HTMLTextAreaElement | null>;
  readonly suggestions: readonly string[];
}

function ChatBody({ field, suggestions }: ChatBodyProps): ReactNode {
  const { client, language } = usePanel();
  const { panel } = language;
  const key = useSnapshot(({ chat }) => chat.key);
  const status = useSnapshot(({ chat }) => chat.status);
  const failure = useSnapshot(({ chat }) => chat.failure);
  const isEmpty = useSnapshot(({ chat }) => chat.messages.length === 0 && chat.turn === null);
  const name = useSnapshot(({ me }) => me?.displayName ?? null);
  const isBlocked = useSnapshot(({ blocked }) => blocked !== null);

  if (status === "loading") return <div className="cs-loading" aria-label={panel.loading} role="status" />;
  if (status === "gone") {
    return (
      <div className="cs-state">
        <p>{panel.chatGone}</p>
        <button type="button" className="cs-button" onClick={() => client.openChat(null)}>
          {language.chats.new}
        </button>
      </div>
    );
  }
  if (status === "failed") {
    return (
      <div className="cs-state" role="alert">
        <p>{failure === null ? panel.offline : sayFailure(failure, language)}</p>
        <button type="button" className="cs-button" onClick={client.retry}>
          {panel.retry}
        </button>
      </div>
    );
  }
  if (!isEmpty) return <Thread key={key} />;
  return (
    <div className="cs-empty">
      <span className="cs-badge">
        <Icon name="sign" />
      </span>
      <p className="cs-greeting">{panel.greeting(name?.split(" ")[0] ?? null)}</p>
      <p className="cs-quiet">{panel.promise}</p>
      <ul>
        {(isBlocked ? [] : suggestions).map((text) => (
          <li key={text}>
            <button
              type="button"
              className="cs-suggestion"
              onClick={() => {
                client.setDraft(text);
                field.current?.focus();
                void client.send();
              }}
            >
              {text}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

interface DrawerProps {
  readonly onClose: () => void;
  readonly onSettings: () => void;
}

function Drawer({ onClose, onSettings }: DrawerProps): ReactNode {
  const { language } = usePanel();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    // A click beside the drawer closes it, as Escape and its button do.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions
    <dialog
      ref={dialog}
      className="cs-drawer"
      aria-label={language.chats.title}
      onClose={onClose}
      onClick={(event) => {
        if (event.target === event.currentTarget) onClose();
      }}
    >
      <div>
        <header>
          <h3>{language.chats.title}</h3>
          <button type="button" className="cs-tool" aria-label={language.panel.close} onClick={onClose}>
            <Icon name="close" />
          </button>
        </header>
        <ChatList onOpen={onClose} onSettings={onSettings} />
      </div>
    </dialog>
  );
}

/** Whether the panel has room for the chats beside the thread, whatever the window's size. */
function useWide(frame: RefObject<HTMLElement | null>): boolean {
  const [isWide, setWide] = useState(true);
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const observer = new ResizeObserver(() => setWide(element.clientWidth >= wide));
    observer.observe(element);
    return () => observer.disconnect();
  }, [frame]);
  return isWide;
}
