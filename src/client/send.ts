import type { ConversationAnswer, StartTurnAnswer, StartTurnRequest } from "../wire/api.ts";
import { settleComposer } from "./apply-event.ts";
import { putChat } from "./chats.ts";
import { changeChat, chatByKey, openChat, persist } from "./context.ts";
import type { Context } from "./context.ts";
import { followChat } from "./follow-chat.ts";
import type { Answer } from "./request.ts";
import { emptyDraft } from "./snapshot.ts";
import type { Failure } from "./snapshot.ts";

// Sending and stopping. The composer keeps its text until the message it became is stored, whatever happens between.

export function setDraft(context: Context, text: string): void {
  const { key, draft, sending } = openChat(context);
  if (sending === "no" && text !== draft.text)
    changeChat(context, key, { draft: { ...emptyDraft, text }, refusal: null });
}

/** Sends the open chat's draft, with these of its waiting files. */
export async function send(context: Context, attachmentIds: readonly string[] = []): Promise<void> {
  const { key, draft, sending } = openChat(context);
  const { text } = draft;
  if (sending !== "no" || !(text.trim() || attachmentIds.length)) return;
  // Unique in the chat is enough; `randomUUID` exists on https and localhost alone.
  const clientId = draft.clientId ?? `${context.now()}-${Math.random()}`;
  const ended = new AbortController();
  context.giveUp.set(key, ended);
  const signal = AbortSignal.any([ended.signal, context.life.signal]);
  changeChat(context, key, { sending: "sending", refusal: null, draft: { ...draft, clientId } });
  const answer = await persist(context, () => ask(context, key, { text, clientId, attachmentIds }), {
    signal,
    onRetry: () => changeChat(context, key, { sending: "retrying" }),
  });
  if (answer.ok) {
    const { turnId } = answer.value;
    changeChat(context, key, (chat) =>
      // Its stored message may have come first, and another text may be there by now.
      chat.draft.clientId === clientId ? settleComposer({ ...chat, draft: { ...chat.draft, turnId } }) : chat,
    );
  } else if (context.giveUp.get(key) === ended) {
    changeChat(context, key, { sending: "no", refusal: signal.aborted ? null : answer.failure });
  }
}

/** One attempt: the chat first if it has no row yet, then its turn. */
async function ask(context: Context, key: string, message: StartTurnRequest): Promise<Answer<StartTurnAnswer>> {
  const failure = await startChat(context, key);
  if (failure) return { ok: false, failure };
  return context.request("POST", `/conversations/${chatByKey(context, key)?.id}/turns`, message);
}

/** Makes the row of a new chat, if it has none yet. */
export async function startChat(context: Context, key: string): Promise<Failure | null> {
  if (chatByKey(context, key)?.id !== null) return null;
  const made = await context.request<ConversationAnswer>("POST", "/conversations");
  if (!made.ok) return made.failure;
  const { conversation } = made.value;
  const { id } = conversation;
  context.drafts.write(null, emptyDraft);
  changeChat(context, key, (chat) => ({ ...chat, id, conversation, draft: { ...chat.draft } }));
  putChat(context, conversation);
  if (openChat(context).key === key) {
    context.drafts.writeOpen(id);
    followChat(context);
  }
  return null;
}

/** Gives the composer back before the message came back. Sent again without an answer it is the same message; a turn that was started and stored nothing is not started again. */
export function keepEditing(context: Context): void {
  const { key, draft } = openChat(context);
  context.giveUp.get(key)?.abort();
  context.giveUp.delete(key);
  changeChat(context, key, { sending: "no", draft: draft.turnId ? { ...draft, clientId: null } : draft });
}

/** Asks the running turn to stop. */
export async function stop(context: Context): Promise<void> {
  const { key, id, turn } = openChat(context);
  if (!turn || turn.stopAsked) return;
  changeChat(context, key, { refusal: null, turn: { ...turn, stopAsked: true } });
  const path = `/conversations/${id}/turns/${turn.turnId}/stop`;
  const answer = await context.request("POST", path);
  if (answer.ok || answer.failure.code === "not_running") return;
  changeChat(context, key, (chat) => ({
    ...chat,
    refusal: answer.failure,
    turn: chat.turn && { ...chat.turn, stopAsked: false },
  }));
}
