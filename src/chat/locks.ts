import { createHash } from "node:crypto";
import { v7 as uuid } from "uuid";
import { refused } from "../outcome.ts";
import { acquireClick, type AcquireClickRow } from "./acquire-click.sql.ts";
import { acquireTurn, readTurnRefusal, type AcquireTurnRow, type TurnRefusalRow } from "./acquire-turn.sql.ts";
import type { Statement } from "../database/sql.ts";
import { readCards, type ReadCardRow } from "./cards.sql.ts";
import { toCardRow } from "./cards.ts";
import type { AcquireClick, AcquireTurn, AcquireTurnAnswer, CardRow, Chat, LockHolder } from "./chat.ts";
import { cleanText } from "./clean.ts";
import {
  discardTurn,
  keepLock,
  readHolder,
  releaseClick,
  requestStop,
  type HolderRow,
  type KeepRow,
} from "./lock.sql.ts";
import { isUuid } from "./is-uuid.ts";
import { tellTurnEnded } from "./turn-ended.ts";
import type { ChatTools } from "./tools.ts";
import { isUniqueViolation } from "./unique-violation.ts";

/** Who speaks now: the one lock of a user. Decides nothing about what is done under it. */
export type Locks = Pick<
  Chat,
  "acquireForTurn" | "acquireForClick" | "discardTurn" | "keep" | "releaseClick" | "requestStop" | "lockNow"
>;

// A refusal whose reason was gone when it was read is tried again, this often.
const attempts = 5;

export function createLocks(tools: ChatTools): Locks {
  const { database, node } = tools;
  const holdMs = tools.settings.fixed.lockHold;

  return {
    async acquireForTurn(request, beside = null) {
      for (let attempt = 1; ; attempt++) {
        const answer = await tryTurn(request, beside);
        if (answer !== null) return answer;
        if (attempt === attempts) return { ok: false, reason: "turn_running", holder: unknownHolder(request) };
      }
    },

    async acquireForClick(request) {
      for (let attempt = 1; ; attempt++) {
        const tried = await tryClick(request);
        if (tried === "not_found") return refused(tried);
        if (tried !== "held") {
          const { conversationId, token } = request;
          const fence = { userId: request.session.userId, conversationId, token, turnId: null };
          return { ok: true, fence, card: tried.card };
        }
        const [holder] = await database.query<HolderRow>(readHolder(request.session.userId, holdMs));
        if (holder !== undefined) return { ...refused(busyWord[holder.kind]), holder: toHolder(holder) };
        if (attempt === attempts) return refused("click_running");
      }
    },

    async discardTurn(fence) {
      const rows = await database.query(discardTurn(fence));
      const { turnId } = fence;
      if (rows.length === 0 || turnId === null) return;
      tools.events.happened(fence, { type: "turn_ended", turnId, how: "interrupted", asked: false });
    },

    async keep(fence) {
      const [row] = await database.query<KeepRow>(keepLock(fence));
      return { held: row !== undefined, stopRequested: row?.stop_requested ?? false };
    },

    async releaseClick(fence) {
      await database.query(releaseClick(fence));
    },

    async requestStop(userId, turnId) {
      if (!isUuid(turnId)) return false;
      const rows = await database.query(requestStop(userId, turnId));
      if (rows.length === 0) return false;
      tools.events.stopAsked(turnId);
      return true;
    },

    async lockNow(userId) {
      const [row] = await database.query<HolderRow>(readHolder(userId, holdMs));
      return row === undefined ? null : toHolder(row);
    },
  };

  async function tryTurn(request: AcquireTurn, beside: Statement | null): Promise<AcquireTurnAnswer | null> {
    const { session, conversationId, turnId, token, perHour, perDay } = request;
    if (!isUuid(conversationId)) return refused("not_found");
    const { userId } = session;
    const clientId = cleanText(request.clientId);
    const noticeId = uuid();
    const take = acquireTurn({
      ...{ userId, conversationId, turnId, token, clientId, node, holdMs, perHour, perDay, noticeId },
      sessionHash: createHash("sha256").update(session.ref).digest("hex"),
      deadlineSeconds: request.deadlineSeconds,
    });
    const taken = await orRaced(withLook(take, beside));
    const [rows = [], seen = null] = taken ?? [];
    // Those of the first statement.
    const [row] = rows as readonly AcquireTurnRow[];
    if (row === undefined) return null;
    if (row.acquired) {
      tellTakenOver(userId, noticeId, row);
      return { ok: true, fence: { userId, conversationId, token, turnId }, beside: seen };
    }
    if (!row.chat_there) return refused("not_found");
    const [why] = await database.query<TurnRefusalRow>(
      readTurnRefusal({ userId, conversationId, clientId, token, holdMs, perHour, perDay }),
    );
    if (why === undefined) return null;
    if (why.known_turn_id !== null) return { ok: false, reason: "already_started", turnId: why.known_turn_id };
    if (isHolder(why)) {
      const reason = why.kind === "turn" ? "turn_running" : "click_in_flight";
      return { ok: false, reason, holder: toHolder(why) };
    }
    const wait = why.over_limit_for_ms ?? 0;
    return wait > 0 ? { ok: false, reason: "turn_limit", retryAfter: Math.ceil(wait / 1000) } : null;
  }

  async function tryClick(request: AcquireClick): Promise<{ readonly card: CardRow | null } | "not_found" | "held"> {
    const { conversationId, cardId, token } = request;
    if (!isUuid(conversationId)) return "not_found";
    const { userId } = request.session;
    const noticeId = uuid();
    const take = acquireClick({ userId, conversationId, cardId, token, node, holdMs, noticeId });
    const where = { userId, conversationId, andWaiting: false, holdMs };
    const look = cardId === null ? null : readCards({ ...where, messageIds: [cardId] });
    const [rows = [], cards = []] = await withLook(take, look);
    // Those of the first statement.
    const [row] = rows as readonly AcquireClickRow[];
    if (row?.acquired !== true) return row?.chat_there === false ? "not_found" : "held";
    tellTakenOver(userId, noticeId, row);
    // Those of the second.
    const [card] = cards as readonly ReadCardRow[];
    return { card: card === undefined ? null : toCardRow(card) };
  }

  /** A statement that takes the lock, and what is looked at under it in the same round trip. */
  async function withLook(take: Statement, look: Statement | null): Promise<readonly (readonly object[])[]> {
    return look === null ? [await database.query(take)] : database.together([take, look], { flush: false });
  }

  function tellTakenOver(userId: string, noticeId: string, row: AcquireClickRow): void {
    if (row.ended_turn_id === null || row.ended_conversation_id === null) return;
    tellTurnEnded(tools, {
      place: { userId, conversationId: row.ended_conversation_id },
      turnId: row.ended_turn_id,
      asked: row.ended_asked ?? false,
      notice:
        row.notice_seq === null || row.notice_at === null
          ? null
          : { id: noticeId, seq: row.notice_seq, at: row.notice_at },
    });
  }
}

const busyWord = { turn: "turn_running", click: "click_running" } as const;

// A click is over in moments, a turn is not; neither is worth asking about later than its lock can lapse.
const askAgainAfter = { turn: 5, click: 1 } as const;

function toHolder(row: HolderRow): LockHolder {
  return {
    kind: row.kind,
    conversationId: row.conversation_id,
    turnId: row.turn_id,
    cardId: row.card_id,
    retryAfter: Math.max(1, Math.min(askAgainAfter[row.kind], Math.ceil(row.free_in_ms / 1000))),
  };
}

function isHolder(row: { readonly [Key in keyof HolderRow]: HolderRow[Key] | null }): row is HolderRow {
  return row.kind !== null;
}

function unknownHolder({ conversationId }: AcquireTurn): LockHolder {
  return { kind: "turn", conversationId, turnId: null, cardId: null, retryAfter: 1 };
}

/** Null when two starts of one user met at a unique index: the loser's statement is back, and is tried anew. */
async function orRaced<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (isUniqueViolation(error)) return null;
    throw error;
  }
}
