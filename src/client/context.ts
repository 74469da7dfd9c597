import type { NoticeMessage } from "../wire/messages.ts";
import type { Drafts } from "./drafts.ts";
import { pause } from "./pause.ts";
import { isPassing } from "./request.ts";
import type { Answer, Request } from "./request.ts";
import type { ChatView, Failure, Snapshot } from "./snapshot.ts";
import type { Store } from "./store.ts";

type Timer = ReturnType<typeof setTimeout>;

/** What the actions of one client share: its state, the ways out of it, and what is under way. */
export interface Context {
  readonly store: Store<Snapshot>;
  readonly request: Request;
  readonly drafts: Drafts;
  /** Milliseconds before attempt 1, 2, 3 … */
  readonly retryDelay: (attempt: number) => number;
  readonly silence: number;
  /** The browser's clock, in milliseconds, and what the server's is ahead of it. */
  readonly now: () => number;
  clock: number;
  /** Fires when the last that connected has left; read at the start of what is to end with it. */
  life: AbortController;
  /** Chats that were open before, by key: a click or a send in them goes on. */
  readonly kept: Map<string, ChatView>;
  readonly onCardSettled: Set<(notice: NoticeMessage) => void>;
  /** Ends the watch over the open chat. */
  watch: (() => void) | null;
  /** When the cards are looked at next. */
  look: Timer | undefined;
  /** Cards to be read again with the next request. */
  readonly stale: Set<string>;
  /** Cards that read `unavailable` and were settled for once already. */
  readonly settledFor: Set<string>;
  /** Ends the wait of a queued click, by its card, or of a send, by its chat. */
  readonly giveUp: Map<string, AbortController>;
  /** Where the list of chats goes on, and the number of its newest question: only that one's answer counts. */
  next: string | null;
  question: number;
}

/** The open chat. */
export function openChat({ store }: Context): ChatView {
  return store.get().chat;
}

/** The chat with this key, open or kept. */
export function chatByKey(context: Context, key: string): ChatView | undefined {
  const open = openChat(context);
  return open.key === key ? open : context.kept.get(key);
}

export function setState({ store }: Context, change: Partial<Snapshot>): void {
  store.update((state) => ({ ...state, ...change }));
}

/** Changes a chat wherever it is, and its draft in storage with it; a chat that is gone from memory is left alone. */
export function changeChat(
  context: Context,
  key: string,
  change: Partial<ChatView> | ((chat: ChatView) => ChatView),
): void {
  const before = chatByKey(context, key);
  if (!before) return;
  const chat = typeof change === "function" ? change(before) : { ...before, ...change };
  if (context.kept.has(key)) context.kept.set(key, chat);
  else setState(context, { chat });
  if (chat.draft !== before.draft) context.drafts.write(chat.id, chat.draft);
}

export function setClock(context: Context, { now }: { readonly now: string }): void {
  context.clock = Date.parse(now) - context.now();
}

/** Milliseconds by the server's clock. */
export function serverNow({ now, clock }: Context): number {
  return now() + clock;
}

/** How often a server that answers with faults is asked; one that does not answer is asked until it does. */
const faultyAnswers = 6;

/** Asks again as long as nobody can tell what became of the request, or the server only was not ready. */
export async function persist<Value>(
  context: Context,
  ask: () => Promise<Answer<Value>>,
  options: { readonly signal?: AbortSignal; readonly onRetry?: (failure: Failure) => void } = {},
): Promise<Answer<Value>> {
  const { signal = context.life.signal, onRetry } = options;
  for (let attempt = 1; ; attempt += 1) {
    const answer = await ask();
    if (answer.ok || signal.aborted || !isPassing(answer.failure)) return answer;
    const { status, retryAfter = 0 } = answer.failure;
    if (status > 0 && attempt >= faultyAnswers) return answer;
    onRetry?.(answer.failure);
    await pause(Math.max(retryAfter * 1000, context.retryDelay(attempt)), signal);
    if (signal.aborted) return answer;
  }
}
