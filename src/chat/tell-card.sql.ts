import { sql, type Statement } from "../database/sql.ts";
import type { MessageRow } from "./message-row.ts";

export interface ToldRow {
  /** The notice that was stored now; null when there was one already or the chat is gone. */
  readonly seq: number | null;
  readonly stored_at: Date | null;
  readonly card_seq: number | null;
  readonly card_at: Date | null;
  readonly card_call_id: string | null;
  readonly card_tool: string | null;
  /** The open notice that was given its end now. */
  readonly upgraded: UpgradedRow | null;
  /** Whether the card had a notice before this statement. */
  readonly told_before: boolean;
  readonly chat_there: boolean;
}

/** The upgraded notice, as JSON writes it. */
export type UpgradedRow = Omit<MessageRow, "created_at"> & { readonly created_at: string };

/**
 * Stores a card's notice, and the new card right after it; or gives an open notice its end; and gives the click's lock
 * back. Not fenced: the unique index on a card's notice is its guard. When it is hit, the whole statement is back, the
 * release too.
 */
export function tellCard(to: {
  readonly userId: string;
  readonly conversationId: string;
  readonly confirmationId: string;
  readonly tool: string;
  readonly outcome: string;
  readonly finished: boolean;
  readonly noticeId: string;
  readonly nextConfirmationId: string | null;
  readonly nextCardId: string;
  readonly releaseToken: string | null;
}): Statement {
  return sql`
with freed as (
  delete from locks where user_id = ${to.userId} and token = ${to.releaseToken}::uuid and kind = 'click' returning 1
), before as materialized (
  select exists (select from conversations where user_id = ${to.userId} and id = ${to.conversationId}::uuid and deleted_at is null) as chat_there,
    exists (select from messages where user_id = ${to.userId} and conversation_id = ${to.conversationId}::uuid
      and confirmation_id = ${to.confirmationId}::uuid and role = 'notice') as told
  from (select count(*) from freed) released
), touched as (
  update conversations c
  set last_seq = c.last_seq + case when ${to.nextConfirmationId}::uuid is null then 1 else 2 end, last_message_at = clock_timestamp()
  from before
  where c.user_id = ${to.userId} and c.id = ${to.conversationId}::uuid and c.deleted_at is null and not before.told
  returning c.last_seq - case when ${to.nextConfirmationId}::uuid is null then 1 else 2 end as before
), told as (
  insert into messages (user_id, id, conversation_id, seq, role, confirmation_id, tool_name, tool_outcome, finished)
  select ${to.userId}, ${to.noticeId}::uuid, ${to.conversationId}::uuid, t.before + 1, 'notice', ${to.confirmationId}::uuid, ${to.tool},
    ${to.outcome}, ${to.finished}::boolean
  from touched t
  returning seq, created_at
), card as (
  insert into messages (user_id, id, conversation_id, seq, role, tool_status, confirmation_id, follows_id, tool_name, tool_call_id, assistant_message_id)
  select ${to.userId}, ${to.nextCardId}::uuid, ${to.conversationId}::uuid, told.seq + 1, 'tool', 'needs_confirmation', ${to.nextConfirmationId}::uuid,
    ${to.confirmationId}::uuid, o.tool_name, o.tool_call_id, o.assistant_message_id
  from told, messages o
  where ${to.nextConfirmationId}::uuid is not null and o.user_id = ${to.userId} and o.conversation_id = ${to.conversationId}::uuid
    and o.confirmation_id = ${to.confirmationId}::uuid and o.role = 'tool'
  returning seq, created_at, tool_call_id, tool_name
), marked as (
  update messages m set told = true
  from told
  where m.user_id = ${to.userId} and m.conversation_id = ${to.conversationId}::uuid and m.confirmation_id = ${to.confirmationId}::uuid and m.role = 'tool'
), upgraded as (
  update messages n set tool_outcome = ${to.outcome}, finished = true
  from before
  where n.user_id = ${to.userId} and n.conversation_id = ${to.conversationId}::uuid and n.confirmation_id = ${to.confirmationId}::uuid
    and n.role = 'notice' and n.finished = false and before.told and before.chat_there
    and ${to.finished}::boolean and ${to.outcome} in ('confirmed', 'failed')
  returning n.id, n.seq, n.role, n.confirmation_id, n.tool_name, n.tool_outcome, n.finished, n.created_at
)
select told.seq, told.created_at as stored_at, card.seq as card_seq, card.created_at as card_at, card.tool_call_id as card_call_id,
  card.tool_name as card_tool, (select to_jsonb(upgraded) from upgraded) as upgraded, before.told as told_before, before.chat_there
from before left join told on true left join card on true`;
}
