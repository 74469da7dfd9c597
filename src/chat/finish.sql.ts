import { sql, type Statement } from "../database/sql.ts";
import type { NewRow } from "./new-row.ts";

/** One row for each stored message; one row with `seq` null when none was stored. */
export interface FinishRow {
  readonly ended: boolean;
  readonly asked: boolean;
  readonly id: string | null;
  readonly seq: number | null;
  readonly created_at: Date | null;
}

/**
 * A turn's last messages, its end and the release of its lock. Done once, whoever tries: the lock's row is deleted by its
 * token. Messages of a turn that never stored its question are left out.
 */
export function finishTurn(to: {
  readonly userId: string;
  readonly conversationId: string;
  readonly token: string;
  readonly how: string;
  readonly rounds: number;
  readonly rows: readonly NewRow[];
}): Statement {
  return sql`
with fence as (
  delete from locks where user_id = ${to.userId} and token = ${to.token}::uuid and kind = 'turn'
  returning turn_id
), ended as (
  update turns t set ended_at = clock_timestamp(), how = ${to.how}, rounds = ${to.rounds}::int
  where t.user_id = ${to.userId} and t.id = (select turn_id from fence) and t.ended_at is null
  returning t.id, t.user_message_id is not null as asked
), touched as (
  update conversations c set last_seq = c.last_seq + ${to.rows.length}::int, last_message_at = clock_timestamp()
  from ended
  where c.user_id = ${to.userId} and c.id = ${to.conversationId}::uuid and c.deleted_at is null and ended.asked
    and ${to.rows.length}::int > 0
  returning c.last_seq - ${to.rows.length}::int as before, ended.id as turn_id
), stored as (
  insert into messages (user_id, conversation_id, seq, turn_id, id, role, text, tool_calls, tool_call_id, tool_name, tool_status,
    tool_result, confirmation_id, assistant_message_id, code, ai_request_id, model, input_tokens, output_tokens, cost_micros, latency_ms)
  select ${to.userId}, ${to.conversationId}::uuid, t.before + m.place, t.turn_id, m.id, m.role, m.text, m.tool_calls, m.tool_call_id, m.tool_name,
    m.tool_status, m.tool_result, m.confirmation_id, m.assistant_message_id, m.code, m.ai_request_id, m.model, m.input_tokens, m.output_tokens,
    m.cost_micros, m.latency_ms
  from touched t, jsonb_to_recordset(${JSON.stringify(to.rows)}::jsonb) as m (place int, id uuid, role text, text text, tool_calls jsonb,
    tool_call_id text, tool_name text, tool_status text, tool_result text, confirmation_id uuid, assistant_message_id uuid, code text,
    ai_request_id uuid, model text, input_tokens int, output_tokens int, cost_micros bigint, latency_ms int)
  order by m.place
  returning id, seq, created_at
)
select e.id is not null as ended, coalesce(e.asked, false) as asked, s.id, s.seq, s.created_at
from (select) nothing left join ended e on true left join stored s on true
order by s.seq`;
}
