import type { Message } from "../wire/messages.ts";
import type { Chat, Fence } from "./chat.ts";
import { cleanText } from "./clean.ts";
import { toConversation } from "./conversation-row.ts";
import { finishTurn, type FinishRow } from "./finish.sql.ts";
import { toMessageRow, toWire } from "./message-row.ts";
import { toNewRows, type NewRow } from "./new-row.ts";
import { storeMessages, type StoredRow } from "./store.sql.ts";
import { storeQuestion, type QuestionRow } from "./store-question.sql.ts";
import { titleFromText } from "./title.ts";
import type { ChatTools } from "./tools.ts";

/** What a turn stores, each step one fenced statement; what was stored is told after its commit. */
export function createTurnMessages(tools: ChatTools): Pick<Chat, "storeQuestion" | "store" | "finish"> {
  const { database, events } = tools;

  return {
    async storeQuestion(fence, message) {
      const text = cleanText(message.text);
      const title = titleFromText(text);
      const { userId, conversationId, token } = fence;
      const statement = storeQuestion({ userId, conversationId, token, id: message.id, text, title });
      const [row] = await database.query<QuestionRow>(statement);
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
        } as const;
        events.stored(fence, [toWire(toMessageRow(stored), { conversationId, titleOf: tools.core.titleOf })]);
        if (seq === 1 && isConversation(row)) {
          events.happened(fence, { type: "conversation", conversation: toConversation(row) });
        }
      }
      return { held, gone: held && seq === null, stopRequested: row?.stop_requested ?? false, lastSeq: seq };
    },

    async store(fence, messages) {
      const { userId, conversationId, token } = fence;
      const rows = toNewRows(messages);
      const stored = await database.query<StoredRow>(storeMessages({ userId, conversationId, token, rows }));
      const held = stored[0]?.held ?? false;
      const lastSeq = stored.at(-1)?.seq ?? null;
      events.stored(fence, toStored(fence, rows, stored));
      const gone = held && lastSeq === null && rows.length > 0;
      return { held, gone, stopRequested: stored[0]?.stop_requested ?? false, lastSeq };
    },

    async finish(fence, end) {
      const { userId, conversationId, token, turnId } = fence;
      const rows = toNewRows(end.messages);
      const { how, rounds } = end;
      const stored = await database.query<FinishRow>(finishTurn({ userId, conversationId, token, how, rounds, rows }));
      const ended = stored[0]?.ended ?? false;
      const asked = stored[0]?.asked ?? false;
      events.stored(fence, toStored(fence, rows, stored));
      if (ended && turnId !== null) events.happened(fence, { type: "turn_ended", turnId, how, asked });
      return { ended, asked };
    },
  };

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
