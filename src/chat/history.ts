import type { Chat } from "./chat.ts";
import type { Statement } from "../database/sql.ts";
import { readHistory, readNews, type HistoryRow } from "./history.sql.ts";
import type { StoredMessage } from "./stored-message.ts";
import type { ChatTools } from "./tools.ts";

// One piece is enough for most windows. The next one is as long as what is left needs by the messages read so far.
const firstPiece = 64;
const longestPiece = 1_024;

const atEnd = 2_147_483_647;

export interface HistoryWindow {
  readonly userId: string;
  readonly conversationId: string;
  readonly characters: number;
  readonly beforeSeq: number;
}

/** What the model may get of earlier turns, read backwards only as far as it fits. */
export function createHistory(tools: Pick<ChatTools, "database">): Pick<Chat, "history"> {
  return { history: (userId, window) => readWindow(tools, { userId, ...window }, null) };
}

/** The newest piece of a chat, as it is before a message that is stored with it. */
export function firstPieceBefore(of: Omit<HistoryWindow, "beforeSeq"> & { readonly messageId: string }): Statement {
  const { messageId, ...where } = of;
  return readHistory({ ...where, beforeSeq: atEnd, limit: firstPiece, except: messageId });
}

/** A window, from its first piece on where that was read already. */
export async function readWindow(
  { database }: Pick<ChatTools, "database">,
  window: HistoryWindow,
  first: readonly HistoryRow[] | null,
): Promise<readonly StoredMessage[]> {
  const { userId, conversationId, characters, beforeSeq } = window;
  const pieceOf = (where: { readonly beforeSeq: number; readonly limit: number; readonly characters: number }) =>
    readHistory({ ...where, userId, conversationId, except: null });
  const found: HistoryRow[] = [];
  let piece = first;
  if (piece === null) {
    const news = readNews(userId, conversationId, beforeSeq);
    const newest = pieceOf({ beforeSeq, limit: firstPiece, characters });
    const [told = [], rows = []] = await database.together([news, newest]);
    // Those of the two statements.
    found.push(...(told as readonly HistoryRow[]));
    piece = rows as readonly HistoryRow[];
  }
  let left = characters;
  for (let limit = firstPiece; ;) {
    found.push(...piece);
    const last = piece.at(-1);
    // Fewer than asked for: the chat's beginning, or a message that does not fit.
    if (last === undefined || piece.length < limit || last.seq === 1) return found.toReversed().map(toStoredMessage);
    left -= last.running;
    const wanted = Math.ceil((1.2 * left * piece.length) / Math.max(1, last.running));
    limit = Math.max(firstPiece, Math.min(wanted, longestPiece));
    piece = await database.query<HistoryRow>(pieceOf({ beforeSeq: last.seq, limit, characters: left }));
  }
}

function toStoredMessage(row: HistoryRow): StoredMessage {
  return {
    id: row.id,
    seq: row.seq,
    role: row.role,
    text: row.text,
    calls: row.tool_calls ?? [],
    callId: row.tool_call_id,
    tool: row.tool_name,
    status: row.tool_status,
    result: row.tool_result,
    confirmationId: row.confirmation_id,
    followsId: row.follows_id,
    assistantMessageId: row.assistant_message_id,
    code: row.code,
    outcome: row.tool_outcome,
    finished: row.finished,
    turnId: row.turn_id,
    files: row.files ?? [],
  };
}
