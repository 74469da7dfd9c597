import type { MeAnswer } from "../wire/api.ts";
import { loadChats } from "./chats.ts";
import { changeChat, openChat, persist, setState } from "./context.ts";
import type { Context } from "./context.ts";
import { followChat, loadChat, unfollowChat } from "./follow-chat.ts";
import { switchChat } from "./switch-chat.ts";

// When a client runs: from the first that connects to the last that leaves, with the page's visibility in between.

/** Milliseconds after which a hidden tab lets go of its stream: a browser has few connections to one server. */
const hiddenFor = 60_000;

async function loadMe(context: Context): Promise<void> {
  void loadChats(context);
  const answer = await persist(context, () => context.request<MeAnswer>("GET", "/me"));
  if (!answer.ok) return setState(context, { blocked: answer.failure });
  setState(context, { me: answer.value, blocked: null });
  if (context.store.get().chats.failure) void loadChats(context);
}

/** Tries again whatever failed to load, and connects anew. */
export function retry(context: Context): void {
  const { key, status } = openChat(context);
  void loadMe(context);
  if (status === "failed") {
    changeChat(context, key, { status: "loading", failure: null });
    void loadChat(context);
  } else followChat(context);
}

/** Answers `connect`: the client runs while at least one has connected and not left. */
export function createConnect(context: Context): () => () => void {
  const users = new Set<object>();
  let hidden: ReturnType<typeof setTimeout> | undefined;
  const page = (globalThis as Partial<typeof globalThis>).document;

  function start(): void {
    context.life = new AbortController();
    // With the life's signal as its option: the listener goes when the life ends.
    page?.addEventListener("visibilitychange", onVisibility, context.life);
    const { key, id, draft } = openChat(context);
    const last = context.drafts.readOpen();
    if (draft.text === "") changeChat(context, key, { draft: context.drafts.read(id) });
    if (id === null && last !== null) switchChat(context, last);
    else followChat(context);
    void loadMe(context);
  }

  function end(): void {
    clearTimeout(hidden);
    clearTimeout(context.look);
    unfollowChat(context);
    context.life.abort();
  }

  function onVisibility(): void {
    clearTimeout(hidden);
    if (page?.hidden) {
      hidden = setTimeout(() => {
        if (openChat(context).turn === null) unfollowChat(context);
      }, hiddenFor);
    } else {
      if (context.watch === null) followChat(context);
      void loadChats(context);
    }
  }

  return () => {
    const user = {};
    users.add(user);
    if (context.life.signal.aborted) start();
    return () => {
      users.delete(user);
      // A moment later: who leaves to come back at once (a moved element, a development remount) loses nothing.
      setTimeout(() => users.size === 0 && !context.life.signal.aborted && end());
    };
  };
}
