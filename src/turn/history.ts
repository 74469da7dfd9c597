import type { StoredMessage } from "../chat/stored-message.ts";
import type { PromptCall, PromptMessage, PromptResult } from "../model/model.ts";
import { isBlank } from "../model/split-thinking.ts";
import { toCallWords } from "./call-words.ts";
import { cutText } from "./cut-text.ts";
import { type AnswerBlock, type HistoryBlock, type HistoryCall, toHistoryBlocks } from "./history-blocks.ts";
import { toSentName } from "./tool-names.ts";

/**
 * What the model gets of earlier turns: the newest that fits, in a shape that every provider takes, whatever is stored.
 * Each user's message is followed by an answer, each answer by exactly one result for each of its calls, and after
 * results the answer goes on.
 */
export interface History {
  /** Begins with a user's message and ends with an answer; or empty. */
  readonly messages: readonly PromptMessage[];
  /** What became of cards whose call is not among the messages, to stand before the next question. */
  readonly remarks: readonly string[];
}

export interface HistoryRoom {
  /** UTF-16 units of everything that is sent: texts, names, arguments, results. */
  readonly characters: number;
  /** False: no tool is shown, so that past calls have to go as text. */
  readonly toolsVisible: boolean;
}

const unanswered = "(This message got no answer.)";
const stopped = "(The answer ended here.)";
const noText = "(no text)";
/** What sending a call costs beside its name, arguments and result: its id twice, or the words around it. */
const aroundCall = 60;

export function toHistory(rows: readonly StoredMessage[], room: HistoryRoom): History {
  const kept = keepNewest(toHistoryBlocks(rows), room.characters);
  const start = kept.findIndex(({ kind }) => kind === "user");
  const sent = new Set(
    kept.flatMap((block, index) => (block.kind === "answer" && start !== -1 && index > start ? [block.id] : [])),
  );
  const messages: PromptMessage[] = [];
  const newId = createIds();
  let remarks: string[] = [];
  for (const block of kept) {
    if (block.kind === "remark") {
      if (block.answerId === null || !sent.has(block.answerId)) remarks.push(block.text);
    } else if (block.kind === "user") {
      close(messages);
      messages.push({ role: "user", text: withRemarks(remarks, isBlank(block.text) ? noText : block.text) });
      remarks = [];
    } else if (messages.length > 0) {
      addAnswer(messages, room.toolsVisible ? toSent(block, newId) : toText(block));
    }
  }
  close(messages);
  return { messages, remarks };
}

/** A user's message with what it should know of earlier cards before it. */
export function withRemarks(remarks: readonly string[], text: string): string {
  return remarks.length === 0 ? text : `${remarks.join("\n")}\n\n${text}`;
}

/** Drops the oldest first. A turn that is cut keeps its question, which what is left of it answers. */
function keepNewest(blocks: readonly HistoryBlock[], characters: number): readonly HistoryBlock[] {
  const kept: HistoryBlock[] = [];
  let left = characters;
  let at = blocks.length - 1;
  let hasAnswer = false;
  for (; at >= 0; at--) {
    let block = blocks[at];
    if (block === undefined) break;
    const room =
      block.kind === "answer" ? left - Math.min(costOfQuestion(blocks, at), Math.floor(characters / 3)) : left;
    if (block.kind === "answer" && !hasAnswer) block = shrink(block, room);
    if (costOf(block) > room) break;
    left -= costOf(block);
    hasAnswer ||= block.kind === "answer";
    kept.unshift(block);
  }
  const first = kept.findIndex((block) => block.kind !== "remark");
  const question = first === -1 || kept[first]?.kind === "user" ? undefined : findQuestion(blocks, at + 1);
  if (question === undefined) return kept;
  const cut = { ...question, text: cutText(question.text, Math.max(0, left - around)) };
  return [...kept.slice(0, first), cut, ...kept.slice(first)];
}

const around = Math.max(unanswered.length, stopped.length, noText.length) + 4;

function costOf(block: HistoryBlock): number {
  if (block.kind !== "answer") return Math.max(block.text.length, isBlank(block.text) ? noText.length : 0) + around;
  return block.calls.reduce((sum, call) => sum + costOfCall(call), block.text.length + around);
}

const costOfCall = (call: HistoryCall): number =>
  call.name.length + call.argumentsText.length + call.result.length + aroundCall;

function findQuestion(
  blocks: readonly HistoryBlock[],
  before: number,
): Extract<HistoryBlock, { readonly kind: "user" }> | undefined {
  for (let at = before - 1; at >= 0; at--) {
    const block = blocks[at];
    if (block?.kind === "user") return block;
  }
  return undefined;
}

function costOfQuestion(blocks: readonly HistoryBlock[], at: number): number {
  const question = findQuestion(blocks, at);
  return question === undefined ? 0 : costOf(question);
}

/** The newest answer, however large, is worth sending in part: text, arguments and results are cut to their shares. */
function shrink(answer: AnswerBlock, room: number): AnswerBlock {
  if (costOf(answer) <= room) return answer;
  const share = Math.floor(room / 4);
  const each = Math.floor((share - around) / Math.max(1, answer.calls.length)) - aroundCall;
  return {
    ...answer,
    text: cutText(answer.text, Math.max(0, share * 2 - around)),
    calls: answer.calls.map((call) => ({
      ...call,
      ...(call.argumentsText.length > each && { arguments: {}, argumentsText: "{}" }),
      result: cutText(call.result, Math.max(0, each)),
    })),
  };
}

/** Sees to it that a user's message may follow. */
function close(messages: PromptMessage[]): void {
  const last = messages.at(-1);
  if (last === undefined || last.role === "assistant") return;
  messages.push({ role: "assistant", text: last.role === "user" ? unanswered : stopped, calls: [] });
}

interface Sent {
  readonly text: string;
  readonly calls: readonly PromptCall[];
  readonly results: readonly PromptResult[];
}

function addAnswer(messages: PromptMessage[], answer: Sent): void {
  const { text, calls, results } = answer;
  if (isBlank(text) && calls.length === 0) return;
  const last = messages.at(-1);
  if (last?.role === "assistant") {
    messages.splice(-1, 1, { role: "assistant", text: joinTexts(last.text, text), calls });
  } else {
    messages.push({ role: "assistant", text: isBlank(text) ? "" : text, calls });
  }
  if (results.length > 0) messages.push({ role: "results", results });
}

const joinTexts = (...texts: readonly string[]): string => texts.filter((text) => !isBlank(text)).join("\n\n");

function toSent(answer: AnswerBlock, newId: (stored: string) => string): Sent {
  const calls: PromptCall[] = [];
  const results: PromptResult[] = [];
  for (const call of answer.calls) {
    const id = newId(call.id);
    const name = toSentName(call.name);
    calls.push({ id, name, arguments: call.arguments });
    results.push({ callId: id, name, text: call.result });
  }
  return { text: answer.text, calls, results };
}

function toText(answer: AnswerBlock): Sent {
  const told = answer.calls.map(toCallWords);
  return { text: joinTexts(answer.text, ...told), calls: [], results: [] };
}

/** Ids as stored, so that a provider's cache hits, unless one is no id that providers take or was met before. */
function createIds(): (stored: string) => string {
  const used = new Set<string>();
  let made = 0;
  return (stored) => {
    let id = stored;
    while (!/^[a-zA-Z0-9]{9}$/.test(id) || used.has(id)) id = `h${(made++).toString(36).padStart(8, "0")}`;
    used.add(id);
    return id;
  };
}
