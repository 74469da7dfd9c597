import { sql, type Statement } from "../database/sql.ts";
import type { ConversationRow } from "./conversation-row.ts";

export interface QuestionRow extends Partial<ConversationRow> {
  readonly held: boolean;
  readonly stop_requested: boolean;
  readonly seq: number | null;
  readonly stored_at: Date | null;
  /** Whether the chat has cards without a notice, or with an open one. */
  readonly open_cards: boolean;
}

/** Stores the user's message, notes on the turn that it has a question, and gives the chat its title when it has none. Answers as `storeMessages` does. */
export function storeQuestion(to: {
  readonly userId: string;
  readonly conversationId: string;
  readonly token: string;
  readonly id: string;
  readonly text: string;
  readonly title: string | null;
  /** As jsonb; null for none. */
  readonly files: string | null;
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
  insert into messages (user_id, id, conversation_id, seq, role, text, turn_id, files)
  select ${to.userId}, ${to.id}::uuid, t.id, t.last_seq, 'user', ${to.text}, t.turn_id, ${to.files}::jsonb from touched t
  returning seq, created_at
)
select f.stop_requested is not null as held, coalesce(f.stop_requested, false) as stop_requested, s.seq, s.created_at as stored_at,
  t.id, t.title, t.created_at, t.last_message_at, t.last_seq,
  exists (select from messages where user_id = ${to.userId} and conversation_id = ${to.conversationId}::uuid
    and tool_status = 'needs_confirmation' and not told)
  or exists (select from messages where user_id = ${to.userId} and conversation_id = ${to.conversationId}::uuid
    and role = 'notice' and finished = false) as open_cards
from (select) nothing left join fence f on true left join touched t on true left join stored s on true`;
}

export interface TakenBackRow {
  readonly held: boolean;
  readonly stop_requested: boolean;
  /** The message, when its files were taken off it. */
  readonly id: string | null;
}

/** Takes the files off the question of the turn that holds the lock; a message without text says so. */
export function takeFilesBack(to: {
  readonly userId: string;
  readonly conversationId: string;
  readonly token: string;
  readonly id: string;
  readonly emptied: string;
}): Statement {
  return sql`
with fence as (
  update locks set kept_at = clock_timestamp()
  where user_id = ${to.userId} and token = ${to.token}::uuid
  returning turn_id, stop_requested_at is not null as stop_requested
), taken as (
  update messages m set files = null, text = case when btrim(m.text, E' \\n\\r\\t') = '' then ${to.emptied} else m.text end
  from fence
  where m.user_id = ${to.userId} and m.id = ${to.id}::uuid and m.conversation_id = ${to.conversationId}::uuid
    and m.turn_id = fence.turn_id and m.files is not null
  returning m.id
)
select f.stop_requested is not null as held, coalesce(f.stop_requested, false) as stop_requested, t.id
from (select) nothing left join fence f on true left join taken t on true`;
}
