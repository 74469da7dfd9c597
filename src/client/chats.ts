import type { ConversationAnswer, ConversationsAnswer } from "../wire/api.ts";
import type { Conversation } from "../wire/messages.ts";
import { setState } from "./context.ts";
import type { Context } from "./context.ts";
import type { Answer } from "./request.ts";
import type { ChatList, Failure } from "./snapshot.ts";

// The list of a user's chats: paged, searched, renamed, removed and taken back.

function listOf({ store }: Context): ChatList {
  return store.get().chats;
}

function set(context: Context, change: Partial<ChatList>): void {
  setState(context, { chats: { ...listOf(context), ...change } });
}

/** Reads the newest page, or with `before` a further one. `keep`: what was paged in behind the newest stays. */
async function read(context: Context, { before, keep }: { before: string | null; keep: boolean }): Promise<void> {
  const mine = (context.question += 1);
  const { query } = listOf(context);
  const search = new URLSearchParams({ query, ...(before === null ? {} : { before }) });
  const answer = await context.request<ConversationsAnswer>("GET", `/conversations?${search}`);
  if (mine !== context.question) return;
  const { items } = listOf(context);
  if (!answer.ok) {
    // A list that is there stays there.
    const status = items.length > 0 ? "ready" : "failed";
    return set(context, { status, failure: answer.failure, loadingMore: false });
  }
  const { conversations } = answer.value;
  const last = conversations.at(-1);
  const older = keep && last ? items.filter((item) => timeOf(item) < timeOf(last)) : [];
  if (older.length === 0) context.next = answer.value.next;
  set(context, {
    status: "ready",
    failure: null,
    loadingMore: false,
    hasMore: context.next !== null,
    items: [...(before === null ? [] : items), ...conversations, ...older],
  });
}

/** Puts a chat as it is now in its place, newest first. */
export function putChat(context: Context, conversation: Conversation): void {
  const { chats, chat } = context.store.get();
  const others = chats.items.filter(({ id }) => id !== conversation.id);
  if (chat.id === conversation.id) setState(context, { chat: { ...chat, conversation } });
  // A search shows what was found for it, not what is newest.
  if (chats.query && others.length === chats.items.length) return;
  set(context, { items: [...others, conversation].toSorted((a, b) => timeOf(b).localeCompare(timeOf(a))) });
}

export function loadChats(context: Context): Promise<void> {
  return read(context, { before: null, keep: true });
}

export async function loadMoreChats(context: Context): Promise<void> {
  if (context.next === null || listOf(context).loadingMore) return;
  set(context, { loadingMore: true });
  await read(context, { before: context.next, keep: false });
}

export function searchChats(context: Context, query: string): Promise<void> {
  set(context, { query });
  return read(context, { before: null, keep: false });
}

/** Asks for a change of a chat, and puts the chat in its place as it is then. */
async function changeBy(context: Context, ask: Promise<Answer<ConversationAnswer>>): Promise<Failure | null> {
  const answer = await ask;
  if (!answer.ok) return answer.failure;
  putChat(context, answer.value.conversation);
  return null;
}

export function renameChat(context: Context, id: string, title: string): Promise<Failure | null> {
  return changeBy(context, context.request("PATCH", `/conversations/${id}`, { title }));
}

export async function removeChat(context: Context, id: string): Promise<Failure | null> {
  const { items } = listOf(context);
  const removed = items.find((item) => item.id === id) ?? null;
  set(context, { removed, items: items.filter((item) => item !== removed) });
  const answer = await context.request("DELETE", `/conversations/${id}`);
  if (answer.ok || !removed) return null;
  set(context, { removed: null });
  putChat(context, removed);
  return answer.failure;
}

/** Takes the last removal back. */
export async function undoRemoveChat(context: Context): Promise<Failure | null> {
  const failure = await changeBy(
    context,
    context.request("POST", `/conversations/${listOf(context).removed?.id}/restore`),
  );
  if (!failure) forgetRemovedChat(context);
  return failure;
}

export function forgetRemovedChat(context: Context): void {
  set(context, { removed: null });
}

/** ISO times in UTC: their order as text is their order in time. */
function timeOf({ lastMessageAt, createdAt }: Conversation): string {
  return lastMessageAt ?? createdAt;
}
