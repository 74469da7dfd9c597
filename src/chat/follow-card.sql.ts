import { sql, type Statement } from "../database/sql.ts";

export interface FollowedRow {
  readonly chat_there: boolean;
  readonly followed_before: boolean;
  readonly notice_seq: number | null;
  readonly notice_at: Date | null;
  readonly card_seq: number | null;
  readonly card_at: Date | null;
  readonly card_call_id: string | null;
  readonly tool: string | null;
}

/**
 * Asks for a card's write again: the `expired` notice if the card has none, and the new card right after it; and gives
 * the click's lock back. Guarded by the unique indexes on a card's notice and on its follower. When one is hit, the whole
 * statement is back, the release too.
 */
export function followCard(to: {
  readonly userId: string;
  readonly conversationId: string;
  readonly confirmationId: string;
  readonly noticeId: string;
  readonly nextConfirmationId: string;
  readonly nextCardId: string;
  readonly releaseToken: string | null;
}): Statement {
  return sql`
with freed as (
  delete from locks where user_id = ${to.userId} and token = ${to.releaseToken}::uuid and kind = 'click' returning 1
), before as materialized (
  select exists (select from conversations where user_id = ${to.userId} and id = ${to.conversationId}::uuid and deleted_at is null) as chat_there,
    exists (select from messages where user_id = ${to.userId} and follows_id = ${to.confirmationId}::uuid) as followed
  from (select count(*) from freed) released
), old as materialized (
  select o.tool_name, o.tool_call_id, o.assistant_message_id,
    exists (select from messages n where n.user_id = ${to.userId} and n.conversation_id = ${to.conversationId}::uuid
      and n.confirmation_id = ${to.confirmationId}::uuid and n.role = 'notice') as told
  from messages o
  where o.user_id = ${to.userId} and o.conversation_id = ${to.conversationId}::uuid and o.confirmation_id = ${to.confirmationId}::uuid and o.role = 'tool'
), touched as (
  update conversations c set last_seq = c.last_seq + case when old.told then 1 else 2 end, last_message_at = clock_timestamp()
  from old, before
  where c.user_id = ${to.userId} and c.id = ${to.conversationId}::uuid and c.deleted_at is null and not before.followed
  returning c.last_seq
), told as (
  insert into messages (user_id, id, conversation_id, seq, role, confirmation_id, tool_name, tool_outcome, finished)
  select ${to.userId}, ${to.noticeId}::uuid, ${to.conversationId}::uuid, t.last_seq - 1, 'notice', ${to.confirmationId}::uuid, old.tool_name, 'expired', true
  from touched t, old
  where not old.told
  returning seq, created_at
), marked as (
  update messages m set told = true
  from told
  where m.user_id = ${to.userId} and m.conversation_id = ${to.conversationId}::uuid and m.confirmation_id = ${to.confirmationId}::uuid and m.role = 'tool'
), card as (
  insert into messages (user_id, id, conversation_id, seq, role, tool_status, confirmation_id, follows_id, tool_name, tool_call_id, assistant_message_id)
  select ${to.userId}, ${to.nextCardId}::uuid, ${to.conversationId}::uuid, t.last_seq, 'tool', 'needs_confirmation', ${to.nextConfirmationId}::uuid,
    ${to.confirmationId}::uuid, old.tool_name, old.tool_call_id, old.assistant_message_id
  from touched t, old
  returning seq, created_at, tool_call_id, tool_name
)
select before.chat_there, before.followed as followed_before, told.seq as notice_seq, told.created_at as notice_at, card.seq as card_seq,
  card.created_at as card_at, card.tool_call_id as card_call_id, card.tool_name as tool
from before left join told on true left join card on true`;
}
