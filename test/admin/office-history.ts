import path from "node:path";
import pg from "pg";

/** A month of an office at work, written into the demo's own database: what its administrator's pages have to show. */
export async function writeOfficeHistory(home: string): Promise<void> {
  await inDemo(home, async (client) => {
    await client.query(calls);
    await client.query(realUsers("ai_requests"));
    await client.query("update ai_requests set input_tokens = null, output_tokens = null where status = 'refused'");
    await client.query(spending);
    await client.query(toolCalls);
    await client.query(realUsers("tool_calls"));
    await client.query(flags);
    await client.query(realUsers("flags"));
    await client.query(endpoints);
    await client.query(ownValues);
    await client.query(realUsers("settings"));
    await client.query(running);
  });
}

/** A turn that runs on a node of its own from now on; its lock is kept for longer than a busy machine takes to look. */
export async function writeRunningTurn(home: string): Promise<void> {
  await inDemo(home, async (client) => {
    await client.query("delete from locks where user_id = 'maja-at-work'");
    await client.query("update turns set ended_at = clock_timestamp(), how = 'stopped' where user_id = 'maja-at-work'");
    await client.query(running);
  });
}

async function inDemo(home: string, write: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ host: path.join(home, "postgres"), user: "countersign", database: "postgres" });
  await client.connect();
  try {
    await client.query("set search_path = countersign");
    await write(client);
  } finally {
    await client.end();
  }
}

// Numbers that look like life and are the same each time: every third user more, fewer at the week's end.
const calls = `
  insert into ai_requests (user_id, id, at, source, task, endpoint, model_asked, model_answered, status, code, http_status,
    attempts, input_tokens, cached_tokens, output_tokens, cost_micros, latency_ms, first_token_ms, node, ended_at)
  select (array['maja', 'tom', 'ines', 'maja', 'olu', 'maja', 'tom'])[1 + n % 7], gen_random_uuid(),
    clock_timestamp() - d * interval '1 day' - n * interval '9 minutes', 'agent', 'agent.chat',
    case when n % 6 = 0 then 'claude' else 'gpt' end, case when n % 6 = 0 then 'claude-sonnet-5' else 'gpt-5-mini' end, null,
    case when (n + d) % 23 = 0 then 'error' when (n + d) % 31 = 0 then 'refused' else 'ok' end,
    case when (n + d) % 23 = 0 then (array['rate_limited', 'provider_overloaded', 'timeout'])[1 + n % 3]
      when (n + d) % 31 = 0 then 'budget_user' end,
    case when (n + d) % 23 = 0 then 429 end, 1 + (n % 11) / 10, 1800 + (n * 397) % 5200, 900, 120 + (n * 61) % 640,
    case when (n + d) % 31 = 0 then 0 else 3200 + (n * 811 + d * 97) % 21000 end, 700 + (n * 313) % 5200, 320 + (n * 53) % 700,
    'node-1', clock_timestamp()
  from generate_series(0, 44) d, generate_series(0, 14 + (d * 7) % 22) n
  where (extract(isodow from clock_timestamp() - d * interval '1 day') < 6 or n < 6)`;

// The demo's people by the ids that its sign-in gave them.
const realUsers = (table: string): string => `
  update ${table} t set user_id = u.id from demo_auth."user" u where u.email = t.user_id || '@larkspur.example'`;

const spending = `
  insert into spend (user_id, period, spent_micros)
  select r.user_id, to_char(r.at at time zone 'UTC', f.format), sum(r.cost_micros)
  from ai_requests r, (values ('YYYY-MM-DD'), ('YYYY-MM')) as f (format) where r.user_id <> ''
  group by 1, 2 on conflict do nothing`;

const toolCalls = `
  insert into tool_calls (user_id, id, at, session_hash, tool, kind, step, via, request_id, code, confirmation_id, duration_ms)
  select (array['maja', 'maja', 'tom', 'ines'])[1 + n % 4], gen_random_uuid(), clock_timestamp() - n * interval '17 minutes',
    md5(n::text), (array['billing.invoices_find', 'billing.invoice_mark_paid', 'crm.customers_find', 'tasks.task_add'])[1 + n % 4],
    case when n % 2 = 0 then 'read' else 'write' end,
    case when n % 2 = 0 then 'read' else (array['hold', 'redeem', 'reject'])[1 + n % 3] end, 'agent', gen_random_uuid()::text,
    case when n % 13 = 5 then 'forbidden' when n % 17 = 3 then 'rate_limited' end, null, 12 + (n * 37) % 800
  from generate_series(1, 130) n`;

const flags = `
  insert into flags (user_id, turn_id, at, reason, cleared_at)
  select case when n < 6 then 'olu' else 'tom' end, gen_random_uuid(), clock_timestamp() - n * interval '47 minutes',
    (array['asks for help with homework', 'wants a poem', 'plans a holiday'])[1 + n % 3], case when n > 7 then clock_timestamp() end
  from generate_series(1, 12) n`;

const endpoints = `
  insert into endpoints (user_id, name, provider, model, base_url, credential_env, price, context_tokens, enabled, capabilities)
  values ('', 'claude', 'anthropic', 'claude-sonnet-5', null, 'ANTHROPIC_KEY_OF_OFFICE', '{"input": 3, "output": 15}', 200000, true, '{"images": true}'),
    ('', 'house', 'openai-compatible', 'llama-4-70b', 'https://models.larkspur.example/v1', null, '{"input": 0.2, "output": 0.4}', 128000, false, '{}')
  on conflict do nothing`;

const ownValues = `
  insert into settings (user_id, key, value) values ('', 'siteBudgetDay', '2'), ('', 'siteBudgetMonth', '20'),
    ('tom', 'userBudgetDay', '0.5'), ('tom', 'endpoint', '"claude"'), ('olu', 'endpoint', '"house"')
  on conflict do nothing`;

const running = `
  with chat as (
    insert into conversations (user_id, id) values ('maja-at-work', gen_random_uuid()) returning user_id, id
  ), turn as (
    insert into turns (user_id, id, conversation_id, client_id, session_hash, node, token, deadline_at, started_at)
    select user_id, gen_random_uuid(), id, 'history', 'hash', 'office-1-4711-8f3c01aa', gen_random_uuid(),
      clock_timestamp() + interval '10 minutes', clock_timestamp() - interval '23 seconds' from chat
    returning user_id, id, conversation_id, token
  )
  insert into locks (user_id, kind, token, conversation_id, turn_id, node, kept_at)
  select user_id, 'turn', token, conversation_id, id, 'office-1-4711-8f3c01aa', clock_timestamp() + interval '10 minutes' from turn`;
