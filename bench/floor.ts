import type { Client } from "pg";
import { v7 as uuid } from "uuid";

/**
 * The floor: the durable rows of one turn, and of one held and confirmed write, written by bare `pg` in as few named
 * statements as can be, crossing every room. Nothing is checked, loaded or shown: what is above it is what this package adds.
 */

const user = "floor";
const text = "Which invoices are overdue?";
const answer = "Two invoices are overdue: INV-1 and INV-2.";
const result = JSON.stringify([{ number: "INV-1" }, { number: "INV-2" }]);

const run = async (client: Client, name: string, statement: string, values: readonly unknown[]): Promise<void> => {
  await client.query({ name, text: statement, values: [...values] });
};

const begin = `with taken as (
  insert into locks (user_id, kind, token, conversation_id, turn_id, node) values ($1, 'turn', $2, $3, $4, 'floor') returning 1
), started as (
  insert into turns (user_id, id, conversation_id, client_id, session_hash, node, token, user_message_id, deadline_at)
  values ($1, $4, $3, $4::text, 'h', 'floor', $2, $5, clock_timestamp() + interval '180 s') returning 1
), touched as (
  update conversations set last_seq = last_seq + 1, last_message_at = clock_timestamp() where user_id = $1 and id = $3 returning last_seq
), asked as (
  insert into messages (user_id, id, conversation_id, seq, role, text, turn_id) select $1, $5, $3, last_seq, 'user', $6, $4 from touched
) insert into ai_requests (user_id, id, source, task, message_id, turn_id, endpoint, model_asked, node)
values ($1, $7, 'agent', 'agent.chat', $8, $4, 'bench', 'bench', 'floor')`;

const answered = `with journal as (
  update ai_requests set status = 'ok', ended_at = clock_timestamp(), attempts = 1, input_tokens = 10, output_tokens = 10, latency_ms = 1 where user_id = $1 and id = $2
), touched as (
  update conversations set last_seq = last_seq + 1, last_message_at = clock_timestamp() where user_id = $1 and id = $3 returning last_seq
) insert into messages (user_id, id, conversation_id, seq, role, text, tool_calls, ai_request_id, model, input_tokens, output_tokens, latency_ms, turn_id)
select $1, $4, $3, last_seq, 'assistant', $5, $6, $2, 'bench', 10, 10, 1, $7 from touched`;

const read = `with counted as (
  insert into rates (user_id, bucket, tool, window_start, used) values ($1, 'read', 'bench.find', clock_timestamp(), 1), ($1, 'read', '', clock_timestamp(), 1)
  on conflict (user_id, bucket, tool) do update set used = rates.used + 1
), audited as (
  insert into tool_calls (user_id, id, session_hash, tool, kind, step, via, request_id, duration_ms) values ($1, $2, 'h', 'bench.find', 'read', 'read', 'agent', 'r', 1)
), touched as (
  update conversations set last_seq = last_seq + 1, last_message_at = clock_timestamp() where user_id = $1 and id = $3 returning last_seq
), stored as (
  insert into messages (user_id, id, conversation_id, seq, role, tool_call_id, tool_name, tool_status, tool_result, assistant_message_id, turn_id)
  select $1, $4, $3, last_seq, 'tool', 'call00001', 'bench.find', 'ok', $5, $6, $7 from touched
) insert into ai_requests (user_id, id, source, task, message_id, turn_id, endpoint, model_asked, node)
values ($1, $8, 'agent', 'agent.chat', $9, $7, 'bench', 'bench', 'floor')`;

const ended = `with journal as (
  update ai_requests set status = 'ok', ended_at = clock_timestamp(), attempts = 1, input_tokens = 10, output_tokens = 10, latency_ms = 1 where user_id = $1 and id = $2
), freed as (
  delete from locks where user_id = $1
), finished as (
  update turns set ended_at = clock_timestamp(), how = 'answer', rounds = 2 where user_id = $1 and id = $6
), touched as (
  update conversations set last_seq = last_seq + 1, last_message_at = clock_timestamp() where user_id = $1 and id = $3 returning last_seq
) insert into messages (user_id, id, conversation_id, seq, role, text, ai_request_id, model, input_tokens, output_tokens, latency_ms, turn_id)
select $1, $4, $3, last_seq, 'assistant', $5, $2, 'bench', 10, 10, 1, $6 from touched`;

/** A turn with two model calls and one read: four statements. */
export async function floorTurn(client: Client, conversationId: string): Promise<void> {
  const [token, turn, question, asking, telling, one, two, toolCall, toolMessage] = Array.from({ length: 9 }, () =>
    uuid(),
  );
  const calls = JSON.stringify([{ id: "call00001", providerId: "c1", name: "bench.find", arguments: "{}" }]);
  await run(client, "floor_begin", begin, [user, token, conversationId, turn, question, text, one, asking]);
  await run(client, "floor_answered", answered, [user, one, conversationId, asking, "", calls, turn]);
  const rows = [user, toolCall, conversationId, toolMessage, result, asking, turn, two, telling];
  await run(client, "floor_read", read, rows);
  await run(client, "floor_ended", ended, [user, two, conversationId, telling, answer, turn]);
}

const hold = `with counted as (
  insert into rates (user_id, bucket, tool, window_start, used) values ($1, 'hold', 'bench.rename', clock_timestamp(), 1), ($1, 'hold', '', clock_timestamp(), 1)
  on conflict (user_id, bucket, tool) do update set used = rates.used + 1
), audited as (
  insert into tool_calls (user_id, id, session_hash, tool, kind, step, via, request_id, confirmation_id, duration_ms) values ($1, $2, 'h', 'bench.rename', 'write', 'hold', 'agent', 'r', $3, 1)
), held as (
  insert into confirmations (user_id, id, session_hash, module, tool, tool_title, args_hash, preview, fingerprint, expires_at)
  values ($1, $3, 'h', 'bench', 'bench.rename', 'Rename', 'a', $4, 'f', clock_timestamp() + interval '60 min')
), touched as (
  update conversations set last_seq = last_seq + 1, last_message_at = clock_timestamp() where user_id = $1 and id = $5 returning last_seq
) insert into messages (user_id, id, conversation_id, seq, role, tool_call_id, tool_name, tool_status, tool_result, confirmation_id, assistant_message_id)
select $1, $6, $5, last_seq, 'tool', 'call00001', 'bench.rename', 'needs_confirmation', '{}', $3, $7 from touched`;

const spend = `with taken as (
  insert into locks (user_id, kind, token, conversation_id, card_id, node) values ($1, 'click', $2, $3, $4, 'floor')
), counted as (
  insert into rates (user_id, bucket, tool, window_start, used) values ($1, 'redeem', 'bench.rename', clock_timestamp(), 1), ($1, 'redeem', '', clock_timestamp(), 1)
  on conflict (user_id, bucket, tool) do update set used = rates.used + 1
), audited as (
  insert into tool_calls (user_id, id, session_hash, tool, kind, step, via, request_id, confirmation_id) values ($1, $5, 'h', 'bench.rename', 'write', 'redeem', 'agent', 'r', $6)
) update confirmations set status = 'used', used_at = clock_timestamp(), spent_by = $2, run_until = clock_timestamp() + interval '35 s', preview = null
where user_id = $1 and id = $6 and status = 'held' and expires_at > clock_timestamp()`;

const told = `with done as (
  update confirmations set finished_at = clock_timestamp(), succeeded = true where user_id = $1 and id = $2
), audited as (
  update tool_calls set duration_ms = 1 where user_id = $1 and id = $3
), freed as (
  delete from locks where user_id = $1
), marked as (
  update messages set told = true where user_id = $1 and id = $4
), touched as (
  update conversations set last_seq = last_seq + 1, last_message_at = clock_timestamp() where user_id = $1 and id = $5 returning last_seq
) insert into messages (user_id, id, conversation_id, seq, role, confirmation_id, tool_name, tool_outcome, finished)
select $1, $6, $5, last_seq, 'notice', $2, 'bench.rename', 'confirmed', true from touched`;

const preview = JSON.stringify({
  title: "Rename",
  changes: [{ label: "Name", before: "a", after: "b" }],
  warnings: [],
});

/** A held write, its card, the click that spends it, and its outcome: three statements. */
export async function floorConfirm(client: Client, conversationId: string): Promise<void> {
  const [audit, row, card, asking, token, click, notice] = Array.from({ length: 7 }, () => uuid());
  await run(client, "floor_hold", hold, [user, audit, row, preview, conversationId, card, asking]);
  await run(client, "floor_spend", spend, [user, token, conversationId, card, click, row]);
  await run(client, "floor_told", told, [user, row, click, card, conversationId, notice]);
}

/** The chat that the floor writes into. */
export async function floorConversation(client: Client): Promise<string> {
  const id = uuid();
  await client.query("insert into conversations (user_id, id) values ($1, $2)", [user, id]);
  return id;
}
