import type { Conversation } from "../wire/messages.ts";
import { toDaysAgo } from "./time-text.ts";

export type ChatAge = "today" | "yesterday" | "week" | "older";

export interface ChatGroup {
  readonly age: ChatAge;
  readonly chats: readonly Conversation[];
}

/** Groups chats, newest first, by the day of their last message. */
export function groupChats(chats: readonly Conversation[], now: number): readonly ChatGroup[] {
  const groups = new Map<ChatAge, Conversation[]>();
  for (const chat of chats) {
    const ago = toDaysAgo(chat.lastMessageAt ?? chat.createdAt, now);
    const age = ago <= 0 ? "today" : ago === 1 ? "yesterday" : ago < 7 ? "week" : "older";
    groups.set(age, [...(groups.get(age) ?? []), chat]);
  }
  return Array.from(groups, ([age, grouped]) => ({ age, chats: grouped }));
}
