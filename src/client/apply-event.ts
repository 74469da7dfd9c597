import type { RunningTurn, ServerEvent } from "../wire/events.ts";
import type { Message } from "../wire/messages.ts";
import { emptyDraft, lastSeqOf } from "./snapshot.ts";
import type { ChatView, LiveTurn } from "./snapshot.ts";

// What an event makes of a chat. Decides no request: what is to be read anew is the caller's to see.

export function applyEvent(chat: ChatView, event: ServerEvent): ChatView {
  switch (event.type) {
    case "hello":
      return { ...chat, conversation: event.conversation, turn: event.turn && toLive(chat, event.turn) };
    case "turn":
      return { ...chat, turn: toLive(chat, event.turn) };
    case "message":
      return addMessage(chat, event.message);
    case "message_changed":
      return {
        ...chat,
        messages: chat.messages.map((message) => (message.id === event.message.id ? event.message : message)),
      };
    case "delta":
      return addText(chat, event);
    case "retract":
      return { ...chat, turn: chat.turn && { ...chat.turn, text: "" } };
    case "turn_ended":
      return settleComposer({
        ...chat,
        turn: chat.turn?.turnId === event.turnId ? null : chat.turn,
        unasked: event.asked ? null : event.turnId,
      });
    case "bye":
      return event.reason === "deleted" ? { ...chat, status: "gone", turn: null } : chat;
    case "conversation":
    case "card":
    default:
      // The list's to take in, or an event of a newer server: nothing changes here.
      return chat;
  }
}

function toLive(chat: ChatView, turn: RunningTurn): LiveTurn {
  const rowKey = `${turn.turnId}:${lastSeqOf(chat)}`;
  const own = chat.turn?.turnId === turn.turnId ? chat.turn : { rowKey, stopAsked: false };
  // What comes after "stopping" is not kept, so it is not shown.
  return { ...own, ...turn, text: turn.activity === "stopping" ? "" : turn.text };
}

function addText(
  chat: ChatView,
  delta: { readonly turnId: string; readonly at: number; readonly text: string },
): ChatView {
  const turn = chat.turn;
  if (turn === null || turn.turnId !== delta.turnId || turn.activity === "stopping") return chat;
  // A piece that leaves a gap came from another node after one that was lost; the stored answer will be whole.
  if (delta.at > turn.text.length) return chat;
  return { ...chat, turn: { ...turn, activity: "answering", text: turn.text.slice(0, delta.at) + delta.text } };
}

function addMessage(chat: ChatView, message: Message): ChatView {
  if (message.seq <= lastSeqOf(chat)) return chat;
  const next: ChatView = { ...chat, messages: [...chat.messages, message] };
  if (message.role === "user") return isOwnQuestion(chat, message.turnId) ? clearComposer(next) : next;
  const turn = chat.turn;
  if (message.role !== "assistant" || turn?.turnId !== message.turnId) return next;
  return {
    ...next,
    rowKeys: { ...chat.rowKeys, [message.id]: turn.rowKey },
    turn: { ...turn, text: "", rowKey: `${turn.turnId}:${message.seq}` },
  };
}

function isOwnQuestion(chat: ChatView, turnId: string | null): boolean {
  return turnId !== null && chat.draft.turnId === turnId;
}

function clearComposer(chat: ChatView): ChatView {
  return { ...chat, draft: emptyDraft, sending: "no", refusal: null };
}

/** Clears the composer if the message its text became is there, and gives it back if its turn ended without it: both may be told before the request is answered. */
export function settleComposer(chat: ChatView): ChatView {
  if (chat.draft.turnId === null) return chat;
  if (chat.messages.some((message) => message.role === "user" && isOwnQuestion(chat, message.turnId))) {
    return clearComposer(chat);
  }
  if (chat.unasked !== chat.draft.turnId) return chat;
  // Its text was not stored: sent again it is a new message.
  const draft = { ...chat.draft, clientId: null, turnId: null };
  return { ...chat, draft, sending: "no", refusal: { code: "not_asked", status: 0 } };
}
