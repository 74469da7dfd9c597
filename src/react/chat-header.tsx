import type { ReactNode } from "react";
import { toChatText } from "./chat-text.ts";
import { canCopy, copyText } from "./copy-button.tsx";
import { Icon } from "./icons.tsx";
import { Menu } from "./menu.tsx";
import type { MenuItem } from "./menu.tsx";
import { usePanel, useSnapshot } from "./panel-context.ts";

interface ChatHeaderProps {
  /** Opens the list of chats; null when it is in sight. */
  readonly onChats: (() => void) | null;
  readonly onSettings: () => void;
}

/** The open chat's name, the way to the others, and what can be done with it. */
export function ChatHeader({ onChats, onSettings }: ChatHeaderProps): ReactNode {
  const { client, language, say } = usePanel();
  const conversation = useSnapshot(({ chat }) => chat.conversation);
  const { panel, chats, settings } = language;
  const copy = async (): Promise<void> => {
    const isCopied = await copyText(toChatText(client.getSnapshot().chat.messages, language));
    if (isCopied) say(panel.copied);
  };
  const items: readonly MenuItem[] = [
    ...(conversation !== null && canCopy()
      ? [{ icon: "copy", text: panel.copyChat, onChoose: () => void copy() } as const]
      : []),
    { icon: "person", text: settings.title, onChoose: onSettings },
    ...(conversation !== null
      ? [
          {
            icon: "remove",
            text: chats.remove,
            isDanger: true,
            onChoose: () => void client.removeChat(conversation.id),
          } as const,
        ]
      : []),
  ];
  return (
    <header className="cs-header">
      {onChats !== null && (
        <button type="button" className="cs-tool" aria-label={chats.open} title={chats.open} onClick={onChats}>
          <Icon name="menu" />
        </button>
      )}
      <h2>
        <bdi>{conversation === null ? panel.name : (conversation.title ?? chats.untitled)}</bdi>
      </h2>
      {onChats !== null && (
        <button
          type="button"
          className="cs-tool"
          aria-label={chats.new}
          title={chats.new}
          onClick={() => client.openChat(null)}
        >
          <Icon name="plus" />
        </button>
      )}
      <Menu label={panel.more} items={items} />
    </header>
  );
}
