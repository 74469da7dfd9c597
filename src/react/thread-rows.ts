import type { AssistantMessage, Message, NoticeMessage, ToolMessage, UserMessage } from "../wire/messages.ts";
import { toDayKey } from "./time-text.ts";

/** One row of the thread. Rows whose content is the same are the same objects from one list to the next. */
export type Row =
  | { readonly kind: "day"; readonly key: string; readonly time: string }
  | { readonly kind: "user"; readonly key: string; readonly message: UserMessage }
  | { readonly kind: "answer"; readonly key: string; readonly message: AssistantMessage }
  | { readonly kind: "tools"; readonly key: string; readonly messages: readonly ToolMessage[] }
  | { readonly kind: "card"; readonly key: string; readonly message: ToolMessage; readonly settledAt: string | null }
  | { readonly kind: "notice"; readonly key: string; readonly message: NoticeMessage; readonly question: string | null }
  | { readonly kind: "told"; readonly key: string; readonly message: NoticeMessage }
  | { readonly kind: "live"; readonly key: string };

/** What of a chat makes its rows. */
export interface ThreadContent {
  readonly messages: readonly Message[];
  readonly rowKeys: Readonly<Record<string, string>>;
  /** The row of the answer under way; null when no turn runs. */
  readonly liveKey: string | null;
}

/** The rows of a chat, oldest first. `before` are the rows as they were. */
export function toRows(content: ThreadContent, before: readonly Row[]): readonly Row[] {
  const { messages, liveKey } = content;
  const rows: Row[] = [];
  const settled = new Map<string, string>();
  for (const message of messages) {
    if (message.role === "notice" && message.confirmationId !== null) {
      settled.set(message.confirmationId, message.createdAt);
    }
  }
  const days = new Set<string>();
  let day = "";
  let question: string | null = null;
  for (const [index, message] of messages.entries()) {
    const thisDay = toDayKey(message.createdAt);
    if (thisDay !== day) {
      // By its day it keeps its key while earlier messages come; a day can come twice when the time zone or a clock was set back.
      const key = days.has(thisDay) ? `day:${thisDay}:${message.id}` : `day:${thisDay}`;
      rows.push({ kind: "day", key, time: message.createdAt });
      days.add(thisDay);
    }
    day = thisDay;
    if (message.role === "user") question = message.text;
    const isLast = index === messages.length - 1;
    addRow(rows, { message, content, settled, question: isLast && liveKey === null ? question : null });
  }
  if (liveKey !== null) rows.push({ kind: "live", key: liveKey });
  const known = new Map(before.map((row) => [row.key, row]));
  return rows.map((row) => {
    const same = known.get(row.key);
    return same !== undefined && isSame(same, row) ? same : row;
  });
}

interface RowOf {
  readonly message: Message;
  readonly content: ThreadContent;
  /** When each card was settled, by its confirmation. */
  readonly settled: ReadonlyMap<string, string>;
  readonly question: string | null;
}

function addRow(rows: Row[], { message, content, settled, question }: RowOf): void {
  const key = content.rowKeys[message.id] ?? message.id;
  const last = rows.at(-1);
  switch (message.role) {
    case "user":
      rows.push({ kind: "user", key, message });
      return;
    case "assistant":
      // An answer that only asked for tools has nothing to read.
      if (message.text !== "") rows.push({ kind: "answer", key, message });
      return;
    case "tool":
      if (message.confirmationId !== null) {
        rows.push({ kind: "card", key, message, settledAt: settled.get(message.confirmationId) ?? null });
      } else if (last?.kind === "tools") rows.splice(-1, 1, { ...last, messages: [...last.messages, message] });
      else rows.push({ kind: "tools", key, messages: [message] });
      return;
    case "notice":
      if (message.outcome === null) rows.push({ kind: "notice", key, message, question });
      // Right below its card the card itself says it.
      else if (last?.kind !== "card" || last.message.confirmationId !== message.confirmationId) {
        rows.push({ kind: "told", key, message });
      }
  }
}

function isSame(a: Row, b: Row): boolean {
  if (a.kind === "tools" && b.kind === "tools") {
    return (
      a.messages.length === b.messages.length && a.messages.every((message, index) => message === b.messages[index])
    );
  }
  if (a.kind === "card" && b.kind === "card") return a.message === b.message && a.settledAt === b.settledAt;
  if (a.kind === "notice" && b.kind === "notice") return a.message === b.message && a.question === b.question;
  if ("message" in a && "message" in b) return a.kind === b.kind && a.message === b.message;
  return a.kind === b.kind;
}
