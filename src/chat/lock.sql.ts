import { sql, type Statement } from "../database/sql.ts";

interface Held {
  readonly userId: string;
  readonly token: string;
}

export interface KeepRow {
  readonly stop_requested: boolean;
}

/** Keeps a lock; no row when it is gone. */
export function keepLock(fence: Held): Statement {
  return sql`
update locks set kept_at = clock_timestamp()
where user_id = ${fence.userId} and token = ${fence.token}::uuid
returning stop_requested_at is not null as stop_requested`;
}

/** Gives a click's lock back; a turn's lock is given back only by the statement that ends the turn. */
export function releaseClick(fence: Held): Statement {
  return sql`delete from locks where user_id = ${fence.userId} and token = ${fence.token}::uuid and kind = 'click'`;
}

/** Asks a turn to stop. It names the turn, or a late Stop would stop the next one. */
export function requestStop(userId: string, turnId: string): Statement {
  return sql`
update locks set stop_requested_at = coalesce(stop_requested_at, clock_timestamp())
where user_id = ${userId} and turn_id = ${turnId}::uuid
returning turn_id`;
}

/** Takes back a turn whose question was never stored: its row and its lock. */
export function discardTurn(fence: Held): Statement {
  return sql`
with fence as (
  delete from locks l
  where l.user_id = ${fence.userId} and l.token = ${fence.token}::uuid
    and (select t.user_message_id is null from turns t where t.user_id = ${fence.userId} and t.id = l.turn_id limit 1)
  returning l.turn_id
)
delete from turns t
where t.user_id = ${fence.userId} and t.id = (select turn_id from fence) and t.user_message_id is null
returning t.id`;
}

export interface HolderRow {
  readonly kind: "turn" | "click";
  readonly conversation_id: string;
  readonly turn_id: string | null;
  readonly card_id: string | null;
  readonly free_in_ms: number;
}

/** Who holds a user's lock now; no row when it is free or lapsed. */
export function readHolder(userId: string, holdMs: number): Statement {
  return sql`
select kind, conversation_id, turn_id, card_id,
  extract(epoch from kept_at - clock_timestamp())::float8 * 1000 + ${holdMs}::float8 as free_in_ms
from locks
where user_id = ${userId}
  and kept_at between clock_timestamp() - ${holdMs}::float8 * interval '1 millisecond'
    and clock_timestamp() + ${holdMs}::float8 * interval '1 millisecond'`;
}
