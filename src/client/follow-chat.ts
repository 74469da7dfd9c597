import type { MessagesAnswer, WaitingCardsAnswer } from "../wire/api.ts";
import type { ServerEvent } from "../wire/events.ts";
import { applyEvent, settleComposer } from "./apply-event.ts";
import { planLook, refreshCards, settleCards } from "./cards.ts";
import { loadChats, putChat } from "./chats.ts";
import { changeChat, openChat, persist, setClock, setState } from "./context.ts";
import type { Context } from "./context.ts";
import { mergeCards } from "./merge-cards.ts";
import { lastSeqOf } from "./snapshot.ts";
import { watchChat } from "./watch-chat.ts";

// Loads the open chat and follows what happens in it.

/** Loads the newest page of the open chat, then watches it. */
export async function loadChat(context: Context): Promise<void> {
  const { key, id } = openChat(context);
  const isOpen = (): boolean => openChat(context).key === key;
  const answer = await persist(context, () => context.request<MessagesAnswer>("GET", `/conversations/${id}/messages`), {
    onRetry: () => isOpen() && setState(context, { connection: "reconnecting" }),
  });
  if (!isOpen()) return;
  if (!answer.ok) {
    const { failure } = answer;
    return changeChat(context, key, { status: failure.code === "not_found" ? "gone" : "failed", failure });
  }
  const { cards, conversation, messages, hasEarlier } = answer.value;
  setClock(context, answer.value);
  changeChat(context, key, (chat) =>
    settleComposer(mergeCards({ ...chat, status: "ready", failure: null, conversation, messages, hasEarlier }, cards)),
  );
  followChat(context);
  if (!hasEarlier) return;
  const waiting = await context.request<WaitingCardsAnswer>("GET", `/conversations/${id}/cards`);
  if (waiting.ok) changeChat(context, key, { waiting: waiting.value.messages });
}

/** Watches the open chat. Each time the stream comes, the first included, cards that lapsed are settled and the open ones read. */
export function followChat(context: Context): void {
  const { key, id } = openChat(context);
  unfollowChat(context);
  if (id === null) return;
  context.watch = watchChat(context, {
    conversationId: id,
    lastSeq: () => lastSeqOf(openChat(context)),
    onConnection: (connection, failure) => {
      if (failure?.code === "not_found") changeChat(context, key, { status: "gone" });
      else {
        // Titles, and chats of other tabs, are told to nobody who is away.
        if (connection === "live" && context.store.get().connection === "reconnecting") void loadChats(context);
        setState(context, { connection, blocked: failure ?? null });
      }
    },
    onEvent: (event) => {
      if (event.type === "hello") {
        setClock(context, event);
        void settleCards(context);
      }
      hear(context, event);
    },
  });
}

export function unfollowChat(context: Context): void {
  context.watch?.();
  context.watch = null;
}

function hear(context: Context, event: ServerEvent): void {
  const before = openChat(context);
  if (event.type === "message" && event.message.seq > lastSeqOf(before) + 1) {
    // A number is missing between what is there and what came: the newest page is taken anew.
    unfollowChat(context);
    return void loadChat(context);
  }
  if (event.type === "delta") {
    // Text comes many times a second: those who draw it are told together.
    return context.store.updateSoon((state) => ({ ...state, chat: applyEvent(state.chat, event) }));
  }
  changeChat(context, before.key, (chat) => applyEvent(chat, event));
  if (event.type === "conversation") putChat(context, event.conversation);
  if (event.type === "card") refreshCards(context, [event.messageId]);
  const { conversation, messages } = openChat(context);
  if (!("message" in event) || messages === before.messages) return;
  const { message } = event;
  const isNew = event.type === "message";
  if (isNew && conversation) putChat(context, { ...conversation, lastMessageAt: message.createdAt });
  if (message.role === "tool" && message.confirmationId) refreshCards(context, [message.id]);
  if (message.role !== "notice" || !message.outcome) return;
  refreshCards(context);
  // The end of an open notice comes as a change of it: its outcome was told before.
  if (isNew) context.onCardSettled.forEach((listener) => listener(message));
}

/** Puts the page before the loaded messages in front of them. */
export async function loadEarlier(context: Context): Promise<void> {
  const { key, id, messages, hasEarlier, earlier } = openChat(context);
  if (!hasEarlier || earlier === "loading") return;
  changeChat(context, key, { earlier: "loading" });
  const path = `/conversations/${id}/messages?before=${messages[0]?.seq}`;
  const answer = await context.request<MessagesAnswer>("GET", path);
  if (!answer.ok) return changeChat(context, key, { earlier: "failed" });
  const { value } = answer;
  changeChat(context, key, (chat) =>
    mergeCards(
      { ...chat, earlier: "idle", hasEarlier: value.hasEarlier, messages: [...value.messages, ...chat.messages] },
      value.cards,
    ),
  );
  planLook(context);
}
