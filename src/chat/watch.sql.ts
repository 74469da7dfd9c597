import { sql, type Statement } from "../database/sql.ts";
import type { TurnEnd } from "../wire/events.ts";
import type { ConversationRow } from "./conversation-row.ts";

/** The turn that runs in a chat, by the lock that bears it. */
export interface BorneTurn {
  readonly turn_id: string | null;
  readonly stopping: boolean;
}

export interface StandRow extends BorneTurn, ConversationRow {
  readonly now: Date;
}

/** How a chat stands now: its row, and the turn that runs in it on whatever node; no row when it is deleted. */
export function readStand(of: {
  readonly userId: string;
  readonly conversationId: string;
  readonly holdMs: number;
}): Statement {
  return sql`
select clock_timestamp() as now, c.id, c.title, c.created_at, c.last_message_at, c.last_seq, l.turn_id, l.stop_requested_at is not null as stopping
from conversations c
left join locks l on l.user_id = c.user_id and l.conversation_id = c.id and l.kind = 'turn'
  and l.kept_at between clock_timestamp() - ${of.holdMs}::float8 * interval '1 millisecond'
    and clock_timestamp() + ${of.holdMs}::float8 * interval '1 millisecond'
where c.user_id = ${of.userId} and c.id = ${of.conversationId}::uuid and c.deleted_at is null`;
}

export interface PolledRow extends BorneTurn {
  readonly user_id: string;
  readonly id: string;
  readonly last_seq: number;
}

/** How the watched chats of a node stand now, in one query; a deleted chat has no row. The limits keep each look-up one of its own, as in `readCards`. */
export function pollStands(of: {
  readonly userIds: readonly string[];
  readonly conversationIds: readonly string[];
  readonly holdMs: number;
}): Statement {
  return sql`
select w.user_id, w.id, c.last_seq, l.turn_id, l.stop_requested_at is not null as stopping
from unnest(${of.userIds}::text[], ${of.conversationIds}::uuid[]) as w (user_id, id)
cross join lateral (
  select last_seq from conversations c where c.user_id = w.user_id and c.id = w.id and c.deleted_at is null limit 1
) c
left join lateral (
  select turn_id, stop_requested_at from locks l
  where l.user_id = w.user_id and l.conversation_id = w.id and l.kind = 'turn'
    and l.kept_at between clock_timestamp() - ${of.holdMs}::float8 * interval '1 millisecond'
      and clock_timestamp() + ${of.holdMs}::float8 * interval '1 millisecond'
  limit 1
) l on true`;
}

export interface EndedTurnRow {
  readonly id: string;
  readonly how: TurnEnd;
  readonly asked: boolean;
}

/** How a turn ended; no row while it runs. */
export function readEndedTurn(userId: string, turnId: string): Statement {
  return sql`
select id, how, user_message_id is not null as asked
from turns
where user_id = ${userId} and id = ${turnId}::uuid and ended_at is not null`;
}
