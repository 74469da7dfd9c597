import type { Message } from "../wire/messages.ts";
import type { Beside } from "../database/beside.ts";
import type { Statement } from "../database/sql.ts";
import type { Chat, Fence, NewQuestion } from "./chat.ts";
import { cleanText } from "./clean.ts";
import { toConversation } from "./conversation-row.ts";
import { finishTurn, type FinishRow } from "./finish.sql.ts";
import { firstPieceBefore, readWindow } from "./history.ts";
import type { HistoryRow } from "./history.sql.ts";
import { toMessageRow, toWire, type MessageRow } from "./message-row.ts";
import { toNewRows, type NewRow } from "./new-row.ts";
import { storeMessages, type StoredRow } from "./store.sql.ts";
import { readByIds } from "./page.sql.ts";
import { storeQuestion, takeFilesBack, type QuestionRow, type TakenBackRow } from "./store-question.sql.ts";
import { titleFromFiles, titleFromText } from "./title.ts";
import type { ChatTools } from "./tools.ts";

/** What a message that is emptied of its files reads as. */
export const filesTakenBack = "(files taken back)";

/** Undoes a transaction whose question cannot have its files. */
class Unlinked extends Error {}

/** What a turn stores, each step one fenced statement; what was stored is told after its commit. */
export function createTurnMessages(
  tools: ChatTools,
): Pick<Chat, "storeQuestion" | "takeFilesBack" | "store" | "finish"> {
  const { database, events } = tools;

  return {
    async storeQuestion(fence, message) {
      const text = cleanText(message.text);
      const title = titleFromText(text) ?? titleFromFiles(message.files?.sent ?? []);
      const { userId, conversationId, token } = fence;
      const sent = message.files?.sent ?? [];
      const files = sent.length === 0 ? null : cleanText(JSON.stringify(sent));
      const statement = storeQuestion({ userId, conversationId, token, id: message.id, text, title, files });
      const asked = await ask(statement, fence, message);
      if (asked === "unlinked") {
        return { held: true, gone: false, stopRequested: false, lastSeq: null, unlinked: true };
      }
      const { row, piece } = asked;
      const seq = row?.seq ?? null;
      const held = row?.held ?? false;
      if (row?.stored_at != null && seq !== null) {
        const stored = {
          id: message.id,
          seq,
          role: "user",
          text,
          created_at: row.stored_at,
          turn_id: fence.turnId,
          files: sent,
        } as const;
        events.stored(fence, [toWire(toMessageRow(stored), { conversationId, titleOf: tools.core.titleOf })]);
        if (seq === 1 && isConversation(row)) {
          events.happened(fence, { type: "conversation", conversation: toConversation(row) });
        }
      }
      const answer = { held, gone: held && seq === null, stopRequested: row?.stop_requested ?? false, lastSeq: seq };
      if (seq === null || row === undefined) return answer;
      if (row.open_cards) return { ...answer, openCards: true };
      if (piece === null || message.history === undefined) return answer;
      const window = { userId, conversationId, beforeSeq: seq, characters: message.history.characters };
      return { ...answer, history: await readWindow(tools, window, piece) };
    },

    async takeFilesBack(fence, { id, giveBack }) {
      const { userId, conversationId, token } = fence;
      const row = await database.transaction(async (on) => {
        const statement = takeFilesBack({ userId, conversationId, token, id, emptied: filesTakenBack });
        const [taken] = await on.query<TakenBackRow>(statement);
        if (taken?.id != null) await giveBack(on);
        return taken;
      });
      if (row?.id != null) {
        const context = { conversationId, titleOf: tools.core.titleOf };
        const [found] = await database.query<MessageRow>(readByIds({ userId, conversationId, messageIds: [id] }));
        if (found !== undefined) events.changed(fence, toWire(toMessageRow(found), context));
      }
      const held = row?.held ?? false;
      return { held, gone: held && row?.id == null, stopRequested: row?.stop_requested ?? false };
    },

    async store(fence, messages, beside = []) {
      const { userId, conversationId, token } = fence;
      const rows = toNewRows(messages);
      const stored = await run<StoredRow>(storeMessages({ userId, conversationId, token, rows }), beside);
      const held = stored[0]?.held ?? false;
      const lastSeq = stored.at(-1)?.seq ?? null;
      events.stored(fence, toStored(fence, rows, stored));
      const gone = held && lastSeq === null && rows.length > 0;
      return { held, gone, stopRequested: stored[0]?.stop_requested ?? false, lastSeq };
    },

    async finish(fence, end, beside = []) {
      const { userId, conversationId, token, turnId } = fence;
      const rows = toNewRows(end.messages);
      const { how, rounds } = end;
      const statement = finishTurn({ userId, conversationId, token, how, rounds, rows });
      const stored = await run<FinishRow>(statement, beside);
      const ended = stored[0]?.ended ?? false;
      const asked = stored[0]?.asked ?? false;
      events.stored(fence, toStored(fence, rows, stored));
      if (ended && turnId !== null) events.happened(fence, { type: "turn_ended", turnId, how, asked });
      return { ended, asked };
    },
  };

  /** One statement; with files a transaction, which is undone when not all of them could be linked. */
  interface Asked {
    readonly row: QuestionRow | undefined;
    /** The newest piece of the history before it, where it was asked for. */
    readonly piece: readonly HistoryRow[] | null;
  }

  async function ask(statement: Statement, fence: Fence, message: NewQuestion): Promise<Asked | "unlinked"> {
    const { files, history } = message;
    if (files !== undefined) return askWithFiles(statement, files);
    if (history === undefined) return { row: (await database.query<QuestionRow>(statement))[0], piece: null };
    const { userId, conversationId } = fence;
    const of = { userId, conversationId, characters: history.characters, messageId: message.id };
    const [rows = [], piece = []] = await database.together([statement, firstPieceBefore(of)]);
    // Those of the two statements.
    return { row: (rows as readonly QuestionRow[])[0], piece: piece as readonly HistoryRow[] };
  }

  async function askWithFiles(
    statement: Statement,
    files: NonNullable<NewQuestion["files"]>,
  ): Promise<Asked | "unlinked"> {
    try {
      return await database.transaction(async (on) => {
        const [row] = await on.query<QuestionRow>(statement);
        if (row?.seq != null && !(await files.link(on))) throw new Unlinked();
        return { row, piece: null };
      });
    } catch (error) {
      if (error instanceof Unlinked) return "unlinked";
      throw error;
    }
  }

  /** Locks, chats and messages are locked before whatever goes along. */
  async function run<Row extends object>(statement: Statement, beside: readonly Beside[]): Promise<readonly Row[]> {
    if (beside.length === 0) return database.query<Row>(statement);
    const due = beside.map((one) => one.statement);
    const [rows = [], ...others] = await database.together([statement, ...due]);
    for (const [index, one] of beside.entries()) one.written(others[index] ?? []);
    // Those of the first statement.
    return rows as readonly Row[];
  }

  function toStored(
    fence: Fence,
    rows: readonly NewRow[],
    stored: readonly Pick<StoredRow, "id" | "seq" | "created_at">[],
  ): readonly Message[] {
    const byId = new Map(rows.map((row) => [row.id, row]));
    const context = { conversationId: fence.conversationId, titleOf: tools.core.titleOf };
    return stored.flatMap(({ id, seq, created_at }) => {
      const row = id === null ? undefined : byId.get(id);
      if (row === undefined || seq === null || created_at === null) return [];
      const { tool_calls: calls = null, ...rest } = row;
      return [toWire(toMessageRow({ ...rest, calls, seq, created_at, turn_id: fence.turnId }), context)];
    });
  }
}

function isConversation(row: QuestionRow): row is QuestionRow & Required<QuestionRow> {
  return row.id != null && row.created_at != null && row.last_seq != null;
}
