import type { OwnSettings } from "../wire/api.ts";
import type { NoticeMessage } from "../wire/messages.ts";
import { showWhole } from "./cards.ts";
import * as chats from "./chats.ts";
import { clickCard } from "./clicks.ts";
import { openChat, serverNow } from "./context.ts";
import type { Context } from "./context.ts";
import { createDrafts } from "./drafts.ts";
import { loadEarlier } from "./follow-chat.ts";
import { toRetryDelay } from "./pause.ts";
import { createRequest } from "./request.ts";
import { createConnect, retry } from "./run-client.ts";
import { keepEditing, send, setDraft, startChat, stop } from "./send.ts";
import { askSettings } from "./settings.ts";
import { initialSnapshot } from "./snapshot.ts";
import type { Failure, Snapshot } from "./snapshot.ts";
import { createStore } from "./store.ts";
import { switchChat } from "./switch-chat.ts";

// The browser's side of the assistant without any framework: what the server said, as one store of immutable
// snapshots, and the actions of its user. Decides nothing about rights, cards or turns: the server does.

export interface ClientOptions {
  /** Where the assistant is mounted, for example `/assistant`. */
  readonly baseUrl: string;
  /** Default: the global `fetch`. */
  readonly fetch?: typeof fetch;
  /** Headers of the host's own, asked for at every request. */
  readonly headers?: () => Readonly<Record<string, string>>;
  /** Milliseconds before attempt 1, 2, 3 … of what got no answer. Default: doubling from half a second to 15 s, with a random part. */
  readonly retryDelay?: (attempt: number) => number;
  /** Milliseconds without a byte after which the event stream counts as lost. Default 45,000: three heartbeats. */
  readonly silence?: number;
  /** The browser's clock in milliseconds. Default `Date.now`. */
  readonly now?: () => number;
}

/** One user's assistant in one tab. Nothing is asked of the server before `connect`. */
export interface AssistantClient {
  /** What it was made with. */
  readonly options: ClientOptions;
  subscribe(listener: () => void): () => void;
  /** The same object until something changed. */
  getSnapshot(): Snapshot;
  /** Starts: who is signed in, the chats, the chat this tab had open. Answers how to leave; it runs until the last has left. */
  connect(): () => void;
  /** Tries again whatever failed to load, and connects anew. */
  retry(): void;
  /** Milliseconds since 1970 by the server's clock, as its last answer told it. */
  serverNow(): number;
  /** Calls back with the notice of each card of the open chat, as it comes. Answers how to stop that. */
  onCardSettled(listener: (notice: NoticeMessage) => void): () => void;

  /** Reads the newest chats again. */
  loadChats(): Promise<void>;
  loadMoreChats(): Promise<void>;
  /** Lists the chats whose text has the query; all with an empty one. */
  searchChats(query: string): Promise<void>;
  renameChat(id: string, title: string): Promise<Failure | null>;
  removeChat(id: string): Promise<Failure | null>;
  /** Takes the last removal back. */
  undoRemoveChat(): Promise<Failure | null>;
  forgetRemovedChat(): void;

  /** Opens a chat, or with null a new one. */
  openChat(id: string | null): void;
  loadEarlier(): Promise<void>;
  setDraft(text: string): void;
  /** Sends the draft, with these of the chat's waiting files. It stays until the message it became is stored. */
  send(attachmentIds?: readonly string[]): Promise<void>;
  /** Makes the row of a new chat before its first message: a file needs a chat to wait in. */
  startChat(): Promise<Failure | null>;
  /** Gives the composer back before the message came back: the text stays, and sent again it is the same message. */
  keepEditing(): void;
  /** Asks the running turn to stop. */
  stop(): Promise<void>;

  /** The clicks on a card of the open chat, by its message's id. Repeated until the server has answered; the write runs once. */
  confirm(messageId: string): Promise<void>;
  reject(messageId: string): Promise<void>;
  repeat(messageId: string): Promise<void>;
  /** Gives up a click that waits for a turn or another click to end. */
  dontWait(messageId: string): void;
  /** Fetches a cut card whole. */
  showWhole(messageId: string): Promise<void>;

  loadSettings(): Promise<void>;
  saveSettings(value: OwnSettings): Promise<void>;
}

/** Milliseconds between two tellings of streamed text. */
const textEvery = 33;

/** Makes a client. Safe to call where there is no window. */
export function createClient(options: ClientOptions): AssistantClient {
  const store = createStore<Snapshot>(initialSnapshot, textEvery);
  const life = new AbortController();
  life.abort();
  const context: Context = {
    retryDelay: toRetryDelay,
    silence: 45_000,
    now: Date.now,
    ...options,
    store,
    request: createRequest({ fetch: (input, init) => fetch(input, init), ...options }),
    drafts: createDrafts(options.baseUrl),
    clock: 0,
    life,
    kept: new Map(),
    onCardSettled: new Set(),
    watch: null,
    look: undefined,
    stale: new Set(),
    settledFor: new Set(),
    giveUp: new Map(),
    next: null,
    question: 0,
  };

  return {
    options,
    subscribe: store.subscribe,
    getSnapshot: store.getSnapshot,
    connect: createConnect(context),
    retry: () => retry(context),
    serverNow: () => serverNow(context),
    onCardSettled(listener) {
      context.onCardSettled.add(listener);
      return () => context.onCardSettled.delete(listener);
    },
    loadChats: () => chats.loadChats(context),
    loadMoreChats: () => chats.loadMoreChats(context),
    searchChats: (query) => chats.searchChats(context, query),
    renameChat: (id, title) => chats.renameChat(context, id, title),
    removeChat(id) {
      if (openChat(context).id === id) switchChat(context, null);
      return chats.removeChat(context, id);
    },
    undoRemoveChat: () => chats.undoRemoveChat(context),
    forgetRemovedChat: () => chats.forgetRemovedChat(context),
    openChat: (id) => switchChat(context, id),
    loadEarlier: () => loadEarlier(context),
    setDraft: (text) => setDraft(context, text),
    send: (attachmentIds) => send(context, attachmentIds),
    startChat: () => startChat(context, openChat(context).key),
    keepEditing: () => keepEditing(context),
    stop: () => stop(context),
    confirm: (messageId) => clickCard(context, "confirm", messageId),
    reject: (messageId) => clickCard(context, "reject", messageId),
    repeat: (messageId) => clickCard(context, "repeat", messageId),
    dontWait: (messageId) => context.giveUp.get(messageId)?.abort(),
    showWhole: (messageId) => showWhole(context, messageId),
    loadSettings: () => askSettings(context),
    saveSettings: (value) => askSettings(context, value),
  };
}
