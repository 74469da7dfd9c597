import { useEffect, useRef } from "react";
import type { Message } from "../wire/messages.ts";
import type { Language } from "./language/language.ts";
import { usePanel, useSnapshot } from "./panel-context.ts";
import { sayNotice, sayOutcome } from "./say.ts";

const longestAnnouncement = 600;

/** What a new message says to those who hear the page; null for one that says nothing new to them. */
export function toAnnouncement(message: Message, language: Language): string | null {
  switch (message.role) {
    case "assistant":
      return message.text === "" ? null : `${language.thread.answerReady}: ${cut(message.text)}`;
    case "tool":
      return message.confirmationId === null ? null : language.card.waits(message.title);
    case "notice":
      if (message.outcome === null) return sayNotice(message, language);
      return language.card.told(message.title ?? "", sayOutcome(message, language));
    case "user":
      return null;
  }
}

function cut(text: string): string {
  return text.length > longestAnnouncement ? `${text.slice(0, longestAnnouncement)}…` : text;
}

/** Says each message that comes while its chat is open; not those that were loaded with it. */
export function useAnnouncements(): void {
  const { language, say } = usePanel();
  const key = useSnapshot(({ chat }) => chat.key);
  const last = useSnapshot(({ chat }) => chat.messages.at(-1) ?? null);
  const isReady = useSnapshot(({ chat }) => chat.status === "ready");
  const said = useRef<{ readonly key: string; readonly seq: number } | null>(null);
  useEffect(() => {
    if (!isReady) return;
    const before = said.current;
    said.current = { key, seq: last?.seq ?? 0 };
    if (before?.key !== key || last === null || last.seq <= before.seq) return;
    const text = toAnnouncement(last, language);
    if (text !== null) say(text);
  }, [isReady, key, last, language, say]);
}
