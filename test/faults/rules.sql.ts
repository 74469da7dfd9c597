/**
 * The rules that the rows alone can break, each as a query for what breaks it. Deleted chats are left out: their rows
 * go whenever a sweeper comes by. A row's `xmin` is the transaction that wrote it last.
 */
export const rules: Readonly<Record<string, string>> = {
  "two turns of a user stored messages at a time": `
    with told as (
      select user_id, turn_id, created_at, lag(turn_id) over (partition by user_id order by created_at, seq) as before
      from countersign.messages where turn_id is not null
    )
    select user_id, turn_id, count(*) as pieces from told where turn_id is distinct from before
    group by 1, 2 having count(*) > 1`,

  "a turn that stored its question has no last word": `
    select t.id, t.how from countersign.turns t
    join countersign.conversations c on c.user_id = t.user_id and c.id = t.conversation_id and c.deleted_at is null
    left join lateral (
      select role, tool_calls, tool_status from countersign.messages m
      where m.user_id = t.user_id and m.turn_id = t.id order by seq desc limit 1
    ) last on true
    where t.user_message_id is not null and not coalesce(
      last.role = 'notice' or last.tool_status = 'needs_confirmation' or (last.role = 'assistant' and last.tool_calls is null), false)`,

  "a turn that never stored its question left a message": `
    select t.id, m.id as message from countersign.turns t
    join countersign.messages m on m.user_id = t.user_id and m.turn_id = t.id where t.user_message_id is null`,

  "a message was stored after its turn had ended": `
    select t.id, m.role, m.seq, t.how from countersign.turns t
    join countersign.messages m on m.user_id = t.user_id and m.turn_id = t.id
    where t.ended_at is not null and m.xmin::text::bigint > t.xmin::text::bigint
      and m.tool_status is distinct from 'needs_confirmation'`,

  "the numbers of a chat have a gap": `
    select c.id, c.last_seq, count(m.id) as messages, max(m.seq) as newest from countersign.conversations c
    left join countersign.messages m on m.user_id = c.user_id and m.conversation_id = c.id
    where c.deleted_at is null group by c.user_id, c.id having count(m.id) <> c.last_seq or coalesce(max(m.seq), 0) <> c.last_seq`,

  "a card's notice says what its row does not": `
    select n.confirmation_id, n.tool_outcome, n.finished, r.status, r.succeeded from countersign.messages n
    join countersign.conversations c on c.user_id = n.user_id and c.id = n.conversation_id and c.deleted_at is null
    left join countersign.confirmations r on r.user_id = n.user_id and r.id = n.confirmation_id
    where n.role = 'notice' and n.confirmation_id is not null and not coalesce(case n.tool_outcome
      when 'confirmed' then r.status = 'used' and case when n.finished then r.succeeded else r.succeeded is null end
      when 'failed' then r.status = 'used' and not r.succeeded
      when 'rejected' then r.status = 'rejected'
      when 'changed' then r.status = 'replaced'
      when 'expired' then r.id is null or r.status in ('expired', 'replaced')
    end, false)`,

  "a card and its notice disagree on whether it waits": `
    select m.confirmation_id, m.told, count(n.id) as notices from countersign.messages m
    left join countersign.messages n on n.user_id = m.user_id and n.conversation_id = m.conversation_id
      and n.confirmation_id = m.confirmation_id and n.role = 'notice'
    where m.tool_status = 'needs_confirmation' group by m.user_id, m.id having count(n.id) <> m.told::int`,

  "a card was changed, and its new card is not right behind its notice": `
    select n.confirmation_id, r.replaced_by, f.confirmation_id as next from countersign.messages n
    join countersign.conversations c on c.user_id = n.user_id and c.id = n.conversation_id and c.deleted_at is null
    left join countersign.confirmations r on r.user_id = n.user_id and r.id = n.confirmation_id
    left join countersign.messages f on f.user_id = n.user_id and f.follows_id = n.confirmation_id
    where n.tool_outcome = 'changed' and (f.seq is distinct from n.seq + 1 or f.confirmation_id is distinct from r.replaced_by)`,

  "a card follows another that has no notice": `
    select f.confirmation_id, f.follows_id from countersign.messages f
    left join countersign.messages n on n.user_id = f.user_id and n.confirmation_id = f.follows_id and n.role = 'notice'
    where f.follows_id is not null and not coalesce(n.seq < f.seq and n.tool_outcome in ('changed', 'expired'), false)`,

  "what is reserved was never settled": `
    select user_id, period, reserved_micros from countersign.spend where reserved_micros <> 0`,

  "less was counted as spent than providers said": `
    select s.user_id, s.spent_micros, said.micros from countersign.spend s
    join (select user_id, to_char(at at time zone 'UTC', 'YYYY-MM') as period, sum(cost_micros) as micros
          from countersign.ai_requests group by 1, 2) said using (user_id, period)
    where s.spent_micros < said.micros`,
};

/** What is still under way, or waits for somebody who is gone. */
export const unsettled = `
  select 'a turn is open' as what, id::text as id from countersign.turns where ended_at is null
  union all select 'a lock is held', kind from countersign.locks
  union all select 'a call of a model runs', id::text from countersign.ai_requests where status = 'running'
  union all select 'a spent row has no notice', r.id::text from countersign.confirmations r
    join countersign.messages m on m.user_id = r.user_id and m.confirmation_id = r.id and m.role = 'tool' and not m.told
    join countersign.conversations c on c.user_id = m.user_id and c.id = m.conversation_id and c.deleted_at is null
    where r.status = 'used'`;

/** What each card's call asked for, as it is stored. */
export const askedNames = `
  select m.confirmation_id, r.status, (call ->> 'arguments')::jsonb ->> 'name' as name
  from countersign.messages m
  join countersign.messages a on a.user_id = m.user_id and a.id = m.assistant_message_id
  cross join lateral jsonb_array_elements(a.tool_calls) call
  left join countersign.confirmations r on r.user_id = m.user_id and r.id = m.confirmation_id
  where m.tool_status = 'needs_confirmation' and call ->> 'id' = m.tool_call_id`;

/** How many journal rows each tagged question's turn has. */
export const journalled = `
  select substring(m.text from '#(\\d+)') as tag, count(r.id)::int as rows from countersign.messages m
  left join countersign.ai_requests r on r.user_id = m.user_id and r.turn_id = m.turn_id and r.status <> 'refused'
  where m.role = 'user' group by 1`;
