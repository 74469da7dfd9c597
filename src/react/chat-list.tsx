import { useEffect, useRef, useState } from "react";
import type { KeyboardEvent, ReactNode } from "react";
import { ChatRow } from "./chat-row.tsx";
import { groupChats } from "./group-chats.ts";
import { Icon, Spinner } from "./icons.tsx";
import { usePanel, useSnapshot } from "./panel-context.ts";
import { sayFailure } from "./say.ts";

/** Milliseconds of rest in typing before a search is asked for. */
const searchAfter = 250;

interface ChatListProps {
  /** Called when a chat was chosen. */
  readonly onOpen: () => void;
  readonly onSettings: () => void;
}

/** The user's chats: search, a new one, and all there are by day. */
export function ChatList({ onOpen, onSettings }: ChatListProps): ReactNode {
  const { client, language } = usePanel();
  const name = useSnapshot(({ me }) => me?.displayName ?? null);
  const open = (id: string | null): void => {
    client.openChat(id);
    onOpen();
  };
  return (
    <nav className="cs-chats" aria-label={language.chats.title}>
      <button type="button" className="cs-new" onClick={() => open(null)}>
        <Icon name="plus" />
        {language.chats.new}
      </button>
      <SearchField />
      <Groups onOpen={open} />
      <Removed />
      <button type="button" className="cs-mine" onClick={onSettings}>
        <Icon name="person" />
        <span>
          {language.settings.title}
          {name !== null && <small>{name}</small>}
        </span>
      </button>
    </nav>
  );
}

function SearchField(): ReactNode {
  const { client, language } = usePanel();
  const [text, setText] = useState(() => client.getSnapshot().chats.query);
  useEffect(() => {
    if (text.trim() === client.getSnapshot().chats.query) return;
    const timer = setTimeout(() => void client.searchChats(text.trim()), searchAfter);
    return () => clearTimeout(timer);
  }, [client, text]);
  return (
    <label className="cs-search">
      <Icon name="search" />
      <input
        type="search"
        value={text}
        placeholder={language.chats.search}
        aria-label={language.chats.search}
        onChange={(event) => setText(event.target.value)}
      />
    </label>
  );
}

function Groups({ onOpen }: { readonly onOpen: (id: string) => void }): ReactNode {
  const { client, language } = usePanel();
  const { status, items, failure, query, hasMore, loadingMore } = useSnapshot(({ chats }) => chats);
  const open = useSnapshot(({ chat }) => chat.id);
  const isBlocked = useSnapshot(({ blocked }) => blocked !== null);
  const words = language.chats;

  if (status === "loading")
    return <div className="cs-chat-groups" data-state="loading" role="status" aria-label={language.panel.loading} />;
  // Why the assistant cannot be used at all is said once, beside the composer.
  if (isBlocked && items.length === 0) return <div className="cs-chat-groups" />;
  if (status === "failed" && failure !== null) {
    return (
      <div className="cs-chat-groups">
        <p className="cs-quiet">{sayFailure(failure, language)}</p>
        <button type="button" className="cs-link" onClick={client.retry}>
          {language.panel.retry}
        </button>
      </div>
    );
  }
  if (items.length === 0) {
    return (
      <div className="cs-chat-groups">
        <p className="cs-quiet">{query === "" ? words.empty : words.nothingFound(query)}</p>
      </div>
    );
  }
  return (
    <div className="cs-chat-groups" onKeyDown={moveAmongChats} role="presentation">
      {groupChats(items, client.serverNow()).map(({ age, chats }) => (
        <section key={age} aria-label={words[age]}>
          <p className="cs-group" aria-hidden="true">
            {words[age]}
          </p>
          <ul>
            {chats.map((chat) => (
              <ChatRow key={chat.id} chat={chat} isOpen={chat.id === open} onOpen={() => onOpen(chat.id)} />
            ))}
          </ul>
        </section>
      ))}
      {hasMore && (
        <button type="button" className="cs-link" disabled={loadingMore} onClick={() => void client.loadMoreChats()}>
          {loadingMore && <Spinner />}
          {words.more}
        </button>
      )}
    </div>
  );
}

/** Arrow keys go from chat to chat. */
function moveAmongChats(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const chats = Array.from(event.currentTarget.querySelectorAll<HTMLButtonElement>(".cs-chat-open"));
  const at = chats.findIndex((chat) => chat === event.target);
  if (step === undefined || at === -1) return;
  event.preventDefault();
  chats[at + step]?.focus();
}

/** Milliseconds for which a removal can be taken back here. */
const undoFor = 12_000;

function Removed(): ReactNode {
  const { client, language } = usePanel();
  const removed = useSnapshot(({ chats }) => chats.removed);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (removed === null) return;
    const timer = setTimeout(() => {
      // Who is at the button keeps it.
      if (!box.current?.matches(":hover, :focus-within")) client.forgetRemovedChat();
    }, undoFor);
    return () => clearTimeout(timer);
  }, [client, removed]);
  return (
    <div ref={box} className="cs-removed" role="status">
      {removed !== null && (
        <>
          <span>{language.chats.removed(removed.title ?? language.chats.untitled)}</span>
          <button type="button" className="cs-link" onClick={() => void client.undoRemoveChat()}>
            {language.chats.undo}
          </button>
        </>
      )}
    </div>
  );
}
