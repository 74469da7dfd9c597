import type { Message } from "../wire/messages.ts";
import type { Language } from "./language/language.ts";
import { sayNotice, sayOutcome } from "./say.ts";

/** A chat as plain text, as far as it is loaded: who said what, and what became of each change. */
export function toChatText(messages: readonly Message[], language: Language): string {
  return messages.flatMap((message) => toLine(message, language)).join("\n\n");
}

function toLine(message: Message, language: Language): readonly string[] {
  const { thread, card } = language;
  switch (message.role) {
    case "user":
      return [`${thread.you}: ${message.text}`];
    case "assistant":
      return message.text === "" ? [] : [`${thread.assistant}: ${message.text}`];
    case "tool":
      return message.confirmationId === null ? [] : [`[${card.kind}: ${message.title}]`];
    case "notice": {
      const text = message.outcome === null ? sayNotice(message, language) : sayOutcome(message, language);
      return [`[${message.title === null ? text : card.told(message.title, text)}]`];
    }
  }
}
