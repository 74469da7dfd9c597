import { sql, type Statement } from "../database/sql.ts";

interface Batch {
  readonly afterHours: number;
  readonly limit: number;
}

/** Deletes messages of chats that were deleted long enough ago. */
export function deleteMessages({ afterHours, limit }: Batch): Statement {
  return sql`
with dead as materialized (
  select m.user_id, m.id
  from conversations c join messages m on m.user_id = c.user_id and m.conversation_id = c.id
  where c.deleted_at < (select clock_timestamp() - ${afterHours}::float8 * interval '1 hour')
  limit ${limit}::int
)
delete from messages m using dead
where m.user_id = dead.user_id and m.id = dead.id
returning 1`;
}

/** Deletes the chats that have no message left, with their turns: in the order turns, conversations. */
export function deleteConversations({ afterHours, limit }: Batch): Statement {
  return sql`
with dead as materialized (
  select c.user_id, c.id
  from conversations c
  where c.deleted_at < (select clock_timestamp() - ${afterHours}::float8 * interval '1 hour')
    and not exists (select from messages m where m.user_id = c.user_id and m.conversation_id = c.id)
  limit ${limit}::int
), answers as (
  delete from turns t using dead where t.user_id = dead.user_id and t.conversation_id = dead.id and t.ended_at is not null returning 1
)
delete from conversations c using dead, (select count(*) from answers) first
where c.user_id = dead.user_id and c.id = dead.id
  and not exists (select from turns t where t.user_id = c.user_id and t.conversation_id = c.id and t.ended_at is null)
returning 1`;
}
