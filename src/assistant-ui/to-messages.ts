// A chat as messages of assistant-ui: one message for each question, one for all that a turn answered to it. What the
// model wrote becomes text and nothing else; cards and notices are parts whose names no tool can take.
import type { ThreadMessageLike } from "@assistant-ui/react";
import type { ChatView } from "../client/snapshot.ts";
import type { Language } from "../react/language/language.ts";
import { sayNotice, sayOutcome } from "../react/say.ts";
import type { Message, SentFile, ToolMessage, UserMessage } from "../wire/messages.ts";

/** The name of the part that is a card; its `toolCallId` is the card's message. */
export const cardTool = "countersign_card";
/** The name of the part that is a sentence of the product's own. */
export const noticeTool = "countersign_notice";

type Part = Exclude<ThreadMessageLike["content"], string>[number];
type Content = Part[];

export type StoredChat = Pick<ChatView, "messages" | "cards">;

/** What the stored messages are made with. */
export interface ToMessages {
  readonly language: Language;
  /** Where a sent picture is seen small. */
  readonly thumbnailOf: (file: SentFile) => string;
}

/** The stored messages, oldest first. */
export function toStoredMessages(chat: StoredChat, tools: ToMessages): readonly ThreadMessageLike[] {
  const results = new Map(chat.messages.flatMap((one) => (one.role === "tool" ? [[one.callId, one] as const] : [])));
  const made: (ThreadMessageLike & { readonly content: Content })[] = [];
  const used = new Set<string>();
  let turnId: string | null = null;
  for (const message of chat.messages) {
    if (message.role === "user") {
      made.push(toQuestion(message, tools));
      turnId = null;
      continue;
    }
    const parts = toParts(message, { chat, results, language: tools.language });
    if (parts.length === 0) continue;
    const last = made.at(-1);
    if (last?.role === "assistant" && turnId !== null && turnId === message.turnId) {
      last.content.push(...parts);
      continue;
    }
    ({ turnId } = message);
    // A turn has one message, unless something stands between its parts.
    const id: string = turnId === null || used.has(turnId) ? message.id : toTurnKey(turnId);
    if (turnId !== null) used.add(turnId);
    const createdAt = new Date(message.createdAt);
    made.push({ role: "assistant", id, createdAt, content: parts, status: { type: "complete", reason: "stop" } });
  }
  return made;
}

/** The key of the message that holds what a turn answered: the same while it grows and when it is stored. */
export function toTurnKey(turnId: string): string {
  return `turn:${turnId}`;
}

/** The stored messages with what is under way: a question being sent, an answer that grows, what was refused. */
export function toShownMessages(
  stored: readonly ThreadMessageLike[],
  chat: Pick<ChatView, "turn" | "sending" | "draft">,
  told: readonly string[],
): readonly ThreadMessageLike[] {
  const { turn, sending, draft } = chat;
  const shown = [...stored];
  if (sending !== "no") {
    shown.push({
      role: "user",
      id: `sending:${draft.clientId ?? ""}`,
      content: [{ type: "text", text: draft.text }],
      metadata: { isOptimistic: true },
    });
  }
  if (turn !== null) {
    const key = toTurnKey(turn.turnId);
    // Something may stand between what was stored of the turn and what it writes now.
    const id = shown.slice(0, -1).some((one) => one.id === key) ? `${key}:more` : key;
    const text: Content = turn.text === "" ? [] : [{ type: "text", text: turn.text }];
    const last = shown.at(-1);
    const before = last?.id === id && typeof last.content !== "string" ? (shown.pop(), last.content) : [];
    shown.push({ role: "assistant", id, content: [...before, ...text], status: { type: "running" } });
  }
  for (const [index, text] of told.entries()) {
    const id = `told:${index}`;
    shown.push({ role: "assistant", id, content: [toNotice(id, text)], status: { type: "complete", reason: "stop" } });
  }
  return shown;
}

function toQuestion(message: UserMessage, { thumbnailOf }: ToMessages): ThreadMessageLike & { content: Content } {
  return {
    role: "user",
    id: message.id,
    createdAt: new Date(message.createdAt),
    content: message.text === "" ? [] : [{ type: "text", text: message.text }],
    attachments: message.files.map((file) => ({
      id: file.id,
      type: file.picture ? ("image" as const) : ("document" as const),
      name: file.name,
      contentType: file.type,
      status: { type: "complete" as const },
      content: file.picture ? [{ type: "image" as const, image: thumbnailOf(file) }] : [],
    })),
  };
}

interface PartsOf {
  readonly chat: StoredChat;
  readonly results: ReadonlyMap<string, ToolMessage>;
  readonly language: Language;
}

function toParts(message: Exclude<Message, UserMessage>, { chat, results, language }: PartsOf): Content {
  switch (message.role) {
    case "assistant": {
      const text: Content = message.text === "" ? [] : [{ type: "text", text: message.text }];
      return [...text, ...message.calls.flatMap((call) => toCall(call, results.get(call.id)))];
    }
    case "tool": {
      if (message.confirmationId === null) return [];
      const state = chat.cards[message.id]?.card.state ?? "loading";
      return [{ type: "tool-call", toolName: cardTool, toolCallId: message.id, args: {}, result: { state } }];
    }
    case "notice": {
      if (message.outcome === null) return [toNotice(message.id, sayNotice(message, language))];
      // The card itself says what became of it; where the card is not among the messages, a sentence does.
      const hasCard = chat.messages.some((one) => one.role === "tool" && one.confirmationId === message.confirmationId);
      const told = language.card.told(message.title ?? "", sayOutcome(message, language));
      return hasCard ? [] : [toNotice(message.id, told)];
    }
  }
}

/** A read, or a call that was refused; one that is a card is shown as that card. Arguments never reach a browser. */
function toCall(
  call: { readonly id: string; readonly name: string; readonly title: string },
  result: ToolMessage | undefined,
): Content {
  if (result?.status === "needs_confirmation") return [];
  const status = result?.status ?? "unknown";
  // A model can call names that nobody offered, ours too.
  const toolName = call.name === cardTool || call.name === noticeTool ? `tool:${call.name}` : call.name;
  return [
    {
      type: "tool-call",
      toolName,
      toolCallId: call.id,
      args: {},
      ...(result !== undefined && { result: { title: call.title, status }, isError: status !== "ok" }),
    },
  ];
}

function toNotice(id: string, text: string): Part {
  return { type: "tool-call", toolName: noticeTool, toolCallId: id, args: { text }, result: {} };
}
