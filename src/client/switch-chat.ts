import { openChat, setState } from "./context.ts";
import type { Context } from "./context.ts";
import { followChat, loadChat, unfollowChat } from "./follow-chat.ts";
import { emptyDraft, toBlankChat } from "./snapshot.ts";

// Which chat is open. Those that were open before are kept for a quick way back.

const keptChats = 8;

/** Opens a chat, or with null a new one. */
export function switchChat(context: Context, id: string | null): void {
  const { kept, drafts } = context;
  const before = openChat(context);
  const isNew = before.id === null && before.sending === "no";
  if (id === null ? isNew : before.id === id && before.status !== "failed") return;
  unfollowChat(context);
  if (!isNew && before.status === "ready") kept.set(before.key, before);
  for (const key of kept.keys()) if (kept.size > keptChats) kept.delete(key);
  const again = id === null ? undefined : [...kept.values()].find((chat) => chat.id === id);
  kept.delete(again?.key ?? "");
  // What is being sent belongs to the new chat before, not to this one.
  const draft = id === null && before.id === null ? emptyDraft : drafts.read(id);
  drafts.writeOpen(id);
  setState(context, {
    connection: "idle",
    chat: again ? { ...again, turn: null } : { ...toBlankChat(id, id ?? `new:${context.now()}`), draft },
  });
  if (again) followChat(context);
  else if (id !== null) void loadChat(context);
}
