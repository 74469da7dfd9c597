import { useEffect, useMemo, useRef } from "react";
import { useExternalStoreRuntime } from "@assistant-ui/react";
import type { AssistantRuntime, ThreadMessageLike } from "@assistant-ui/react";
import type { AssistantClient } from "../client/client.ts";
import { createFiles } from "../client/files.ts";
import { useAssistant } from "../react/panel-context.ts";
import { sayFailure } from "../react/say.ts";
import { useLanguage } from "../react/use-language.ts";
import { toAttachmentAdapter, toFileIds } from "./attachment-adapter.ts";
import { toShownMessages, toStoredMessages } from "./to-messages.ts";

export interface CountersignRuntimeOptions {
  /** A BCP 47 tag. Default: the user's own, as the session tells it, else the browser's. */
  readonly locale?: string | undefined;
}

const asItIs = (message: ThreadMessageLike): ThreadMessageLike => message;

/**
 * A runtime of assistant-ui over a client: its open chat as the thread, its chats as the thread list, its files as
 * attachments. Connects the client as long as it is used. A question that was refused comes back to the composer.
 * Cards are drawn by `toCountersignToolkit`; without it a card is a tool call of the name `countersign_card` that
 * nothing can confirm. There is no edit, reload or branch: what is stored of a chat stays.
 */
export function useCountersignRuntime(
  client: AssistantClient,
  { locale }: CountersignRuntimeOptions = {},
): AssistantRuntime {
  const language = useLanguage(client, locale);
  const spoken = useRef(language);
  spoken.current = language;
  const chat = useAssistant(client, (snapshot) => snapshot.chat);
  const chats = useAssistant(client, (snapshot) => snapshot.chats);
  const blocked = useAssistant(client, (snapshot) => snapshot.blocked);
  const files = useMemo(() => createFiles(client), [client]);
  useEffect(() => client.connect(), [client]);
  useEffect(() => files.follow(), [files]);

  const { messages, cards, turn, sending, draft, refusal, conversation, id } = chat;
  const stored = useMemo(() => {
    const base = client.options.baseUrl.replace(/\/+$/, "");
    const thumbnailOf = (file: { readonly id: string }): string => `${base}/attachments/${file.id}/thumbnail`;
    return toStoredMessages({ messages, cards }, { language, thumbnailOf });
  }, [client, messages, cards, language]);
  const shown = useMemo(() => {
    const told = [blocked ?? chat.failure, refusal].flatMap((one) => (one === null ? [] : [sayFailure(one, language)]));
    return toShownMessages(stored, { turn, sending, draft }, told);
  }, [stored, turn, sending, draft, refusal, blocked, chat.failure, language]);

  const threads = useMemo(() => {
    // The open chat may be older than those that were listed.
    const isListed = conversation === null || chats.items.some((one) => one.id === conversation.id);
    const all = isListed ? chats.items : [...chats.items, conversation];
    return all.map((one) => ({ id: one.id, title: one.title ?? undefined, status: "regular" as const }));
  }, [chats.items, conversation]);
  const adapters = useMemo(
    () => ({
      attachments: toAttachmentAdapter({ client, files, language: () => spoken.current }),
      threadList: {
        threadId: id ?? undefined,
        threads,
        isLoading: chats.status === "loading",
        onSwitchToNewThread: () => client.openChat(null),
        onSwitchToThread: (threadId: string) => client.openChat(threadId),
        onRename: async (threadId: string, title: string) => void (await client.renameChat(threadId, title)),
        onDelete: async (threadId: string) => void (await client.removeChat(threadId)),
      },
    }),
    [client, files, threads, chats.status, id],
  );

  const runtime = useExternalStoreRuntime<ThreadMessageLike>({
    messages: shown,
    convertMessage: asItIs,
    isRunning: turn !== null || sending !== "no",
    isLoading: chat.status === "loading",
    isDisabled: blocked !== null || chat.status === "gone",
    hasEarlier: chat.hasEarlier,
    onLoadEarlier: () => client.loadEarlier(),
    async onNew({ content, attachments = [] }) {
      client.setDraft(content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n"));
      await client.send(toFileIds(files.of(client.getSnapshot().chat.key), attachments));
    },
    async onCancel() {
      if (client.getSnapshot().chat.turn === null) client.keepEditing();
      else await client.stop();
    },
    adapters,
  });

  // assistant-ui's composer is empty once it sent; what was not taken is given back, for the user to send or to change.
  useEffect(() => {
    const { composer } = runtime.thread;
    if (sending === "no" && draft.text !== "" && composer.getState().text === "") composer.setText(draft.text);
  }, [runtime, sending, draft.text, refusal, chat.key]);
  return runtime;
}
