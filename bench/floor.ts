import { v7 as uuid } from "uuid";
import { found, texts } from "./host.ts";

/**
 * The floor: the durable rows of one turn, and of one held and confirmed write, written by bare `pg` in as few named
 * statements as can be, crossing every room. A statement ends where something outside the database happens that must not
 * happen before it: a model is called, a tool or a handler runs, an answer is shown. Nothing is checked, loaded or read
 * back: what is above it is what this package adds.
 */
export interface Queryable {
  query(config: { readonly name: string; readonly text: string; readonly values: unknown[] }): Promise<unknown>;
}

/** Where the floor writes. */
export interface FloorPlace {
  readonly user: string;
  readonly conversationId: string;
}

const result = JSON.stringify(found);

const run = async (client: Queryable, text: string, values: readonly unknown[]): Promise<void> => {
  await client.query({ name: names.get(text) ?? name(text), text, values: [...values] });
};

const names = new Map<string, string>();

/** Each text is prepared once on each connection. */
function name(text: string): string {
  const made = `floor_${names.size}`;
  names.set(text, made);
  return made;
}

const journal = `insert into ai_requests (user_id, id, source, task, message_id, turn_id, endpoint, model_asked, node, kept_at)`;
const journalEnd = `update ai_requests set status = 'ok', ended_at = clock_timestamp(), attempts = 1, model_answered = 'scripted',
    provider_request_id = 'scripted-request', input_tokens = 10, cached_tokens = 0, output_tokens = 5, reasoning_tokens = 0, latency_ms = 1,
    first_token_ms = 1 where user_id = $1 and id = $2`;

const begin = `with taken as (
  insert into locks (user_id, kind, token, conversation_id, turn_id, node) values ($1, 'turn', $2, $3, $4, 'floor')
), started as (
  insert into turns (user_id, id, conversation_id, client_id, session_hash, node, token, user_message_id, deadline_at)
  values ($1, $4, $3, $4::uuid::text, $9, 'floor', $2, $5, clock_timestamp() + interval '180 s')
), touched as (
  update conversations set last_seq = last_seq + 1, last_message_at = clock_timestamp() where user_id = $1 and id = $3 returning last_seq
), asked as (
  insert into messages (user_id, id, conversation_id, seq, role, text, turn_id) select $1, $5, $3, last_seq, 'user', $6, $4 from touched
) ${journal} values ($1, $7, 'agent', 'agent.chat', $8, $4, 'bench', 'bench', 'floor', clock_timestamp())`;

const answered = `with journal as (
  ${journalEnd}
), touched as (
  update conversations set last_seq = last_seq + 1, last_message_at = clock_timestamp() where user_id = $1 and id = $3 returning last_seq
) insert into messages (user_id, id, conversation_id, seq, role, text, tool_calls, ai_request_id, model, input_tokens, output_tokens, latency_ms, turn_id)
select $1, $4, $3, last_seq, 'assistant', $5, $6, $2, 'scripted', 10, 5, 1, $7 from touched`;

const counted = (bucket: string): string => `insert into rates as r (user_id, bucket, tool, window_start, used)
  values ($1, '${bucket}', '', clock_timestamp(), 1) on conflict (user_id, bucket, tool) do update set used = r.used + 1`;

const read = `with counted as (
  ${counted("reads")}
), audited as (
  insert into tool_calls (user_id, id, session_hash, tool, kind, step, via, request_id, duration_ms) values ($1, $2, $10, '${texts.read}', 'read', 'read', 'agent', $2::uuid::text, 1)
), touched as (
  update conversations set last_seq = last_seq + 1, last_message_at = clock_timestamp() where user_id = $1 and id = $3 returning last_seq
), stored as (
  insert into messages (user_id, id, conversation_id, seq, role, tool_call_id, tool_name, tool_status, tool_result, assistant_message_id, turn_id)
  select $1, $4, $3, last_seq, 'tool', 'call00001', '${texts.read}', 'ok', $5, $6, $7 from touched
) ${journal} values ($1, $8, 'agent', 'agent.chat', $9, $7, 'bench', 'bench', 'floor', clock_timestamp())`;

const ended = `with journal as (
  ${journalEnd}
), freed as (
  delete from locks where user_id = $1
), finished as (
  update turns set ended_at = clock_timestamp(), how = 'answer', rounds = 2 where user_id = $1 and id = $6
), touched as (
  update conversations set last_seq = last_seq + 1, last_message_at = clock_timestamp() where user_id = $1 and id = $3 returning last_seq
) insert into messages (user_id, id, conversation_id, seq, role, text, ai_request_id, model, input_tokens, output_tokens, latency_ms, turn_id)
select $1, $4, $3, last_seq, 'assistant', $5, $2, 'scripted', 10, 5, 1, $6 from touched`;

const sessionHash = "f".repeat(64);

/** A turn with two model calls and one read: four statements. */
export async function floorTurn(client: Queryable, { user, conversationId }: FloorPlace): Promise<void> {
  const [token, turn, question, asking, telling, one, two, toolCall, toolMessage] = ids(9);
  const calls = JSON.stringify([{ id: "call00001", providerId: "call_1", name: texts.read, arguments: "{}" }]);
  const first = [user, token, conversationId, turn, question, texts.question, one, asking, sessionHash];
  await run(client, begin, first);
  await run(client, answered, [user, one, conversationId, asking, "", calls, turn]);
  const rows = [user, toolCall, conversationId, toolMessage, result, asking, turn, two, telling, sessionHash];
  await run(client, read, rows);
  await run(client, ended, [user, two, conversationId, telling, texts.answer, turn]);
}

const hold = `with counted as (
  ${counted("holds")}
), audited as (
  insert into tool_calls (user_id, id, session_hash, tool, kind, step, via, request_id, confirmation_id, duration_ms) values ($1, $2, $9, '${texts.write}', 'write', 'hold', 'agent', $2::uuid::text, $3, 1)
), held as (
  insert into confirmations (user_id, id, session_hash, module, tool, tool_title, locale, time_zone, args_hash, preview, fingerprint, expires_at)
  values ($1, $3, $9, 'bench', '${texts.write}', 'Rename', 'en', 'UTC', $9, $4, $9, clock_timestamp() + interval '60 min')
), freed as (
  delete from locks where user_id = $1
), finished as (
  update turns set ended_at = clock_timestamp(), how = 'card', rounds = 1 where user_id = $1 and id = $8
), touched as (
  update conversations set last_seq = last_seq + 1, last_message_at = clock_timestamp() where user_id = $1 and id = $5 returning last_seq
) insert into messages (user_id, id, conversation_id, seq, role, tool_call_id, tool_name, tool_status, tool_result, confirmation_id, assistant_message_id, turn_id)
select $1, $6, $5, last_seq, 'tool', 'call00001', '${texts.write}', 'needs_confirmation', '{}', $3, $7, $8 from touched`;

const spend = `with taken as (
  insert into locks (user_id, kind, token, conversation_id, card_id, node) values ($1, 'click', $2, $3, $4, 'floor')
), counted as (
  ${counted("redeems")}
), audited as (
  insert into tool_calls (user_id, id, session_hash, tool, kind, step, via, request_id, confirmation_id) values ($1, $5, $7, '${texts.write}', 'write', 'redeem', 'agent', $5::uuid::text, $6)
) update confirmations set status = 'used', used_at = clock_timestamp(), spent_by = $5, run_until = clock_timestamp() + interval '35 s', preview = null
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
select $1, $6, $5, last_seq, 'notice', $2, '${texts.write}', 'confirmed', true from touched`;

const preview = JSON.stringify({
  title: "Rename",
  changes: [{ label: "Name", before: "a", after: "b" }],
  warnings: [],
});

/** A write that is held as its turn's card, the click that spends it, and its outcome: three statements. */
export async function floorConfirm(client: Queryable, place: FloorPlace & { readonly turn: string }): Promise<void> {
  const { user, conversationId, turn } = place;
  const [audit, row, card, asking, token, click, notice] = ids(7);
  const held = [user, audit, row, preview, conversationId, card, asking, turn, sessionHash];
  await run(client, hold, held);
  await run(client, spend, [user, token, conversationId, card, click, row, sessionHash]);
  await run(client, told, [user, row, click, card, conversationId, notice]);
}

const asked = `with taken as (
  insert into locks (user_id, kind, token, conversation_id, turn_id, node) values ($1, 'turn', $2, $3, $4, 'floor')
) insert into turns (user_id, id, conversation_id, client_id, session_hash, node, token, user_message_id, deadline_at)
  values ($1, $4, $3, $4::uuid::text, $5, 'floor', $2, $4, clock_timestamp() + interval '180 s')`;

/** The turn that a held write will end; not part of what is timed. */
export async function floorAsk(client: Queryable, { user, conversationId }: FloorPlace): Promise<string> {
  const turn = uuid();
  await run(client, asked, [user, uuid(), conversationId, turn, sessionHash]);
  return turn;
}

/** A chat that the floor writes into. */
export async function floorConversation(client: Queryable, user: string): Promise<FloorPlace> {
  const conversationId = uuid();
  const statement = "insert into conversations (user_id, id, title) values ($1, $2, 'floor')";
  await run(client, statement, [user, conversationId]);
  return { user, conversationId };
}

function ids(count: number): readonly string[] {
  return Array.from({ length: count }, () => uuid());
}
