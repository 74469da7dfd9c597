import type { ReactNode } from "react";
import { usePanel, useSnapshot } from "./panel-context.ts";

/** Names the chat that holds the user's lock, and leads there; nothing when it is the open one, or is not known. */
export function OpenHolder({ chatId }: { readonly chatId: string | undefined }): ReactNode {
  const { client, language } = usePanel();
  const isOther = useSnapshot(({ chat }) => chatId !== undefined && chat.id !== chatId);
  const title = useSnapshot(({ chats }) => chats.items.find(({ id }) => id === chatId)?.title ?? null);
  if (chatId === undefined || !isOther) return null;
  return (
    <button type="button" className="cs-link cs-holder" onClick={() => client.openChat(chatId)}>
      <span>{language.composer.openOther(title)}</span>
    </button>
  );
}
