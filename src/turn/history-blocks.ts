import type { StoredCall, StoredMessage } from "../chat/stored-message.ts";
import { cleanText } from "../database/clean-text.ts";
import { type SentArguments, toSentArguments } from "./sent-arguments.ts";
import { type CardState, toCardRemark, toCardWords } from "./card-words.ts";

/**
 * Stored rows as what is sent or dropped as one: a user's message, an answer with exactly one result for each of its
 * calls, or a remark on a card. Whatever is broken in the rows ends here.
 */
export type HistoryBlock =
  | { readonly kind: "user"; readonly text: string }
  | AnswerBlock
  /** Needed only when the answer that holds the card's call is not sent; null when there is none. */
  | { readonly kind: "remark"; readonly text: string; readonly answerId: string | null };

export interface AnswerBlock {
  readonly kind: "answer";
  readonly id: string;
  readonly text: string;
  readonly calls: readonly HistoryCall[];
}

export interface HistoryCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: SentArguments;
  readonly argumentsText: string;
  readonly result: string;
}

/** Rows of one chat, in any order and in any state, as blocks in the order of the chat. */
export function toHistoryBlocks(rows: readonly StoredMessage[]): readonly HistoryBlock[] {
  const ordered = inOrder(rows);
  const outcomes = new Map<string, StoredMessage>();
  const followed = new Set<string>();
  for (const row of ordered) {
    if (row.role === "notice" && row.confirmationId !== null) outcomes.set(row.confirmationId, row);
    if (row.role === "tool" && row.followsId !== null) followed.add(row.followsId);
  }
  const stateOf = (confirmationId: string): CardState => {
    const notice = outcomes.get(confirmationId);
    return { outcome: notice?.outcome ?? null, finished: notice?.finished ?? true };
  };
  const { answers, answerOfCard } = pairCalls(ordered);

  return ordered.flatMap((row): HistoryBlock[] => {
    if (row.role === "user") return [{ kind: "user", text: clean(row.text) }];
    if (row.role === "assistant") return [toAnswer(row, answers.get(row.id) ?? [], stateOf)];
    const { confirmationId, tool } = row;
    if (confirmationId === null || tool === null || followed.has(confirmationId)) return [];
    // A waiting card is told at its own place, a settled one at its notice's.
    const teller = outcomes.get(confirmationId) ?? row;
    if (teller !== row) return [];
    const text = toCardRemark(clean(tool), stateOf(confirmationId));
    return [{ kind: "remark", text, answerId: answerOfCard.get(confirmationId) ?? null }];
  });
}

/** What one stored call was answered with. */
interface Slot {
  readonly call: StoredCall;
  result: StoredMessage | null;
  card: StoredMessage | null;
}

function pairCalls(ordered: readonly StoredMessage[]): {
  readonly answers: ReadonlyMap<string, readonly Slot[]>;
  readonly answerOfCard: ReadonlyMap<string, string>;
} {
  const answers = new Map<string, readonly Slot[]>();
  const answerOfCard = new Map<string, string>();
  const lastWithCall = new Map<string, string>();
  for (const row of ordered) {
    if (row.role !== "assistant") continue;
    const slots = readCalls(row.calls).map((call): Slot => ({ call, result: null, card: null }));
    answers.set(row.id, slots);
    for (const { call } of slots) lastWithCall.set(call.id, row.id);
  }
  for (const row of ordered) {
    if (row.role !== "tool" || row.callId === null) continue;
    const named = row.assistantMessageId !== null && answers.has(row.assistantMessageId);
    const answerId = named ? row.assistantMessageId : lastWithCall.get(row.callId);
    const slots = (answers.get(answerId ?? "") ?? []).filter(({ call }) => call.id === row.callId);
    if (row.confirmationId === null) {
      const free = slots.find((slot) => slot.result === null);
      if (free !== undefined) free.result = row;
    } else if (slots[0] !== undefined && answerId != null) {
      slots[0].card = row; // rows are in order: the newest card of a call is the last one seen
      answerOfCard.set(row.confirmationId, answerId);
    }
  }
  return { answers, answerOfCard };
}

function toAnswer(row: StoredMessage, slots: readonly Slot[], stateOf: (id: string) => CardState): AnswerBlock {
  const calls = slots.map(({ call, result, card }): HistoryCall => {
    const words = card?.confirmationId == null ? null : toCardWords(stateOf(card.confirmationId));
    const args = toSentArguments(call.arguments);
    return {
      id: call.id,
      name: clean(call.name),
      arguments: args,
      argumentsText: JSON.stringify(args),
      result: words ?? (result === null ? "not run" : clean(result.result)),
    };
  });
  return { kind: "answer", id: row.id, text: clean(row.text), calls };
}

const roles: ReadonlySet<string> = new Set(["user", "assistant", "tool", "notice"]);

function inOrder(rows: readonly StoredMessage[]): readonly StoredMessage[] {
  const known = new Map<string, StoredMessage>();
  for (const row of rows) if (roles.has(row.role) && !known.has(row.id)) known.set(row.id, row);
  return [...known.values()].toSorted((one, other) => one.seq - other.seq);
}

/** The calls of a stored answer that have a name; rows of an older version may hold anything. */
function readCalls(stored: unknown): readonly StoredCall[] {
  const calls: readonly unknown[] = Array.isArray(stored) ? stored : [];
  return calls.flatMap((call): StoredCall[] => {
    if (typeof call !== "object" || call === null) return [];
    const { id, name, arguments: args } = call as Partial<Record<keyof StoredCall, unknown>>;
    if (typeof name !== "string" || name.trim() === "") return [];
    return [
      {
        id: typeof id === "string" ? id : "",
        providerId: null,
        name,
        arguments: typeof args === "string" ? args : JSON.stringify(args ?? {}),
      },
    ];
  });
}

const clean = (text: unknown): string => (typeof text === "string" ? cleanText(text) : "");
