import { sql, type Statement } from "../database/sql.ts";
import type { RunningTurnEntry } from "./chat-admin.ts";

export interface RunningTurnRow extends RunningTurnEntry {
  readonly now: Date;
}

/** The turns that run now, oldest first. */
export function selectRunningTurns(limit: number): Statement {
  return sql`
select t.user_id as "userId", t.id as "turnId", t.conversation_id as "conversationId", t.node, t.started_at as "startedAt",
  t.deadline_at as "deadlineAt", l.stop_requested_at is not null as "stopRequested", l.kept_at as "keptAt",
  clock_timestamp() as now
from turns t left join locks l on l.user_id = t.user_id and l.turn_id = t.id
where t.ended_at is null
order by t.started_at
limit ${limit}::int`;
}
