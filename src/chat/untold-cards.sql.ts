import { sql, type Statement } from "../database/sql.ts";

/** The chats of those among these confirmations whose card has no notice, each look-up one of its own, as in `readCards`. */
export function readUntold(of: {
  readonly userIds: readonly string[];
  readonly confirmationIds: readonly string[];
}): Statement {
  return sql`
select w.user_id as "userId", w.id as "confirmationId", m.conversation_id as "conversationId"
from unnest(${of.userIds}::text[], ${of.confirmationIds}::uuid[]) as w (user_id, id)
cross join lateral (
  select conversation_id from messages m
  where m.user_id = w.user_id and m.tool_status = 'needs_confirmation' and not m.told and m.confirmation_id = w.id
  limit 1
) m
cross join lateral (
  select 1 from conversations c where c.user_id = w.user_id and c.id = m.conversation_id and c.deleted_at is null limit 1
) c`;
}
