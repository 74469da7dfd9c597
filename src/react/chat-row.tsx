import { useRef, useState } from "react";
import type { ReactNode } from "react";
import type { Conversation } from "../wire/messages.ts";
import { Menu } from "./menu.tsx";
import { usePanel } from "./panel-context.ts";

interface ChatRowProps {
  readonly chat: Conversation;
  readonly isOpen: boolean;
  readonly onOpen: () => void;
}

/** One chat of the list: opened, renamed in place, or deleted. */
export function ChatRow({ chat, isOpen, onOpen }: ChatRowProps): ReactNode {
  const { client, language } = usePanel();
  const [isRenaming, setRenaming] = useState(false);
  const title = chat.title ?? language.chats.untitled;
  if (isRenaming) return <RenameField chat={chat} title={title} onDone={() => setRenaming(false)} />;
  return (
    <li className="cs-chat" data-open={isOpen}>
      <button type="button" className="cs-chat-open" aria-current={isOpen} title={title} onClick={onOpen}>
        <bdi>{title}</bdi>
      </button>
      <Menu
        label={language.chats.menuOf(title)}
        items={[
          { icon: "edit", text: language.chats.rename, onChoose: () => setRenaming(true) },
          {
            icon: "remove",
            text: language.chats.remove,
            isDanger: true,
            onChoose: () => void client.removeChat(chat.id),
          },
        ]}
      />
    </li>
  );
}

interface RenameFieldProps {
  readonly chat: Conversation;
  readonly title: string;
  readonly onDone: () => void;
}

function RenameField({ chat, title, onDone }: RenameFieldProps): ReactNode {
  const { client, language } = usePanel();
  const [text, setText] = useState(title);
  // Enter saves, and so does the loss of focus that comes with it: only the first counts.
  const isOver = useRef(false);
  const end = async (isKept: boolean): Promise<void> => {
    if (isOver.current) return;
    isOver.current = true;
    const name = text.trim();
    if (isKept && name !== "" && name !== title) await client.renameChat(chat.id, name);
    onDone();
  };
  return (
    <li className="cs-chat" data-open="true">
      <input
        ref={selectAll}
        className="cs-input"
        value={text}
        maxLength={200}
        aria-label={language.chats.nameOf}
        onChange={(event) => setText(event.target.value)}
        onBlur={() => void end(true)}
        onKeyDown={(event) => {
          if (event.key === "Enter" && !event.nativeEvent.isComposing) void end(true);
          if (event.key !== "Escape") return;
          event.preventDefault();
          event.stopPropagation();
          void end(false);
        }}
      />
    </li>
  );
}

function selectAll(field: HTMLInputElement | null): void {
  field?.select();
}
