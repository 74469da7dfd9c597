import type { CardState } from "../../wire/cards.ts";
import type { ToolStatus } from "../../wire/messages.ts";
import type { AttachmentCode, CheckCode, NoticeCode, ProblemCode } from "../../wire/reasons.ts";
import { en } from "./en.ts";
import { ru } from "./ru.ts";

/** Reasons that only the browser knows: no answer, an answer that is not the assistant's, a message that was not stored. */
type OwnCode = "offline" | "unreadable" | "not_asked";

/** Core's codes beside a refused click, and `other` for a tool's own without a sentence. */
type RefusedCode = CheckCode | "mismatch" | "preview_failed" | "handler_failed" | "timeout" | "other";

/** Every text of the panel in one language. */
export interface Language {
  readonly code: string;
  /** The tag by which numbers and times are written. */
  readonly locale: string;
  readonly panel: {
    readonly name: string;
    readonly greeting: (name: string | null) => string;
    readonly promise: string;
    readonly demo: (model: string) => string;
    readonly retry: string;
    readonly close: string;
    readonly more: string;
    readonly loading: string;
    readonly reconnecting: string;
    readonly offline: string;
    readonly chatGone: string;
    readonly copyChat: string;
    readonly copied: string;
  };
  readonly chats: {
    readonly title: string;
    readonly open: string;
    readonly new: string;
    readonly untitled: string;
    readonly search: string;
    readonly empty: string;
    readonly nothingFound: (query: string) => string;
    readonly more: string;
    readonly rename: string;
    readonly remove: string;
    readonly nameOf: string;
    readonly removed: (title: string) => string;
    readonly undo: string;
    readonly menuOf: (title: string) => string;
    readonly today: string;
    readonly yesterday: string;
    readonly week: string;
    readonly older: string;
  };
  readonly thread: {
    readonly label: string;
    readonly earlier: string;
    readonly earlierFailed: string;
    readonly toEnd: string;
    /** Beside the arrow to the end: something came that was not read. */
    readonly news: string;
    readonly you: string;
    readonly assistant: string;
    readonly starting: string;
    readonly thinking: string;
    readonly answering: string;
    readonly stopping: string;
    readonly tool: (title: string) => string;
    readonly tools: Readonly<Record<ToolStatus, (title: string) => string>>;
    readonly copy: string;
    readonly copyCode: string;
    readonly code: string;
    readonly table: string;
    readonly cost: string;
    readonly tokens: (input: number, output: number) => string;
    readonly costUnknown: string;
    /** Below an answer that is drawn in part. */
    readonly cut: string;
    readonly answerReady: string;
    readonly again: string;
    readonly waiting: (count: number) => string;
    readonly show: string;
  };
  readonly composer: {
    readonly label: string;
    readonly placeholder: string;
    readonly send: string;
    readonly stop: string;
    readonly sending: string;
    readonly slow: string;
    readonly retrying: string;
    readonly keepEditing: string;
    readonly left: (count: number) => string;
    readonly hint: string;
    /** Leads to the chat that goes first; null: its title is not known. */
    readonly openOther: (title: string | null) => string;
  };
  readonly files: {
    readonly attach: string;
    readonly takePhoto: string;
    readonly label: string;
    readonly drop: string;
    readonly uploading: string;
    readonly reading: string;
    readonly remove: (name: string) => string;
    readonly again: string;
    readonly download: string;
    /** Why a message cannot be sent yet. */
    readonly notReady: string;
    readonly takeOut: string;
    /** Why a file could not be read. */
    readonly codes: Readonly<Record<AttachmentCode, string>>;
  };
  readonly card: {
    readonly kind: string;
    readonly states: Readonly<Record<CardState, string>>;
    /** A change that was started and whose end is not known. */
    readonly unfinished: string;
    readonly confirm: string;
    readonly reject: string;
    readonly rejectUnavailable: string;
    readonly repeat: string;
    readonly sending: string;
    readonly queued: string;
    readonly retrying: string;
    readonly dontWait: string;
    readonly timeLeft: (time: string) => string;
    readonly details: string;
    readonly argumentsOf: string;
    readonly before: string;
    readonly after: string;
    readonly nothing: string;
    readonly emptyText: string;
    readonly removed: string;
    readonly yes: string;
    readonly no: string;
    readonly unchanged: string;
    readonly warning: string;
    readonly noChanges: string;
    readonly cut: string;
    readonly showAll: string;
    readonly showAllFailed: string;
    readonly readOn: string;
    readonly whole: string;
    readonly notDone: string;
    readonly waits: (title: string) => string;
    /** What became of a card, where its notice stands far from it. */
    readonly told: (title: string, state: string) => string;
  };
  /** Characters in a value that would not be seen. */
  readonly marks: {
    readonly direction: string;
    readonly invisible: string;
    readonly control: string;
    readonly space: string;
    readonly broken: string;
    readonly many: (count: number) => string;
  };
  readonly settings: {
    readonly title: string;
    readonly about: string;
    readonly label: string;
    readonly placeholder: string;
    readonly save: string;
    readonly cancel: string;
    readonly saving: string;
    readonly model: string;
    readonly turns: string;
    readonly budget: string;
    readonly message: string;
    readonly files: string;
    readonly perHour: (amount: string) => string;
    readonly perDay: (amount: string) => string;
    readonly perMonth: (amount: string) => string;
    readonly characters: (count: string) => string;
    readonly upTo: (count: string, size: string) => string;
  };
  /** What the notice of a turn says, and what can be done. */
  readonly notices: Readonly<Record<NoticeCode, string>>;
  /** Why something that was asked for was not done. */
  readonly refusals: Readonly<Record<ProblemCode | OwnCode, string>>;
  /** Why a click was refused; the card still waits. */
  readonly refused: Readonly<Record<RefusedCode, string>>;
}

const languages: readonly Language[] = [en, ru];

/** The first of these locales that there is a language for; English when there is none. */
export function toLanguage(...locales: readonly (string | null | undefined)[]): Language {
  for (const locale of locales) {
    const found = languages.find(({ code }) => locale?.toLowerCase().split("-")[0] === code);
    if (found) return { ...found, locale: locale ?? found.code };
  }
  return en;
}
