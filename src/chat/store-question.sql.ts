import { sql, type Statement } from "../database/sql.ts";
import type { ConversationRow } from "./conversation-row.ts";

export interface QuestionRow extends Partial<ConversationRow> {
  readonly held: boolean;
  readonly stop_requested: boolean;
  readonly seq: number | null;
  readonly stored_at: Date | null;
}

/** Stores the user's message, notes on the turn that it has a question, and gives the chat its title when it has none. Answers as `storeMessages` does. */
export function storeQuestion(to: {
  readonly userId: string;
  readonly conversationId: string;
  readonly token: string;
  readonly id: string;
  readonly text: string;
  readonly title: string | null;
}): Statement {
  return sql`
with fence as (
  update locks set kept_at = clock_timestamp()
  where user_id = ${to.userId} and token = ${to.token}::uuid
  returning turn_id, stop_requested_at is not null as stop_requested
), asked as (
  update turns t set user_message_id = ${to.id}::uuid
  where t.user_id = ${to.userId} and t.id = (select turn_id from fence) and t.ended_at is null
    and exists (select from conversations where user_id = ${to.userId} and id = ${to.conversationId}::uuid and deleted_at is null)
  returning t.id
), touched as (
  update conversations c set last_seq = c.last_seq + 1, last_message_at = clock_timestamp(),
    title = case when c.renamed then c.title else coalesce(c.title, ${to.title}) end
  from asked
  where c.user_id = ${to.userId} and c.id = ${to.conversationId}::uuid and c.deleted_at is null
  returning c.id, c.title, c.created_at, c.last_message_at, c.last_seq, asked.id as turn_id
), stored as (
  insert into messages (user_id, id, conversation_id, seq, role, text, turn_id)
  select ${to.userId}, ${to.id}::uuid, t.id, t.last_seq, 'user', ${to.text}, t.turn_id from touched t
  returning seq, created_at
)
select f.stop_requested is not null as held, coalesce(f.stop_requested, false) as stop_requested, s.seq, s.created_at as stored_at,
  t.id, t.title, t.created_at, t.last_message_at, t.last_seq
from (select) nothing left join fence f on true left join touched t on true left join stored s on true`;
}
