-- All tables begin their keys with user_id, so that every one of them can be distributed by user with no join across users.
-- Times are clock_timestamp(): a statement that waited for a row judges after the wait.

-- settings (settings): a setting of the site (user_id '') or of a user
create table settings (
  user_id text not null default '',
  key text not null,
  value jsonb not null,
  version bigint not null default 1,
  changed_at timestamptz not null default clock_timestamp(),
  primary key (user_id, key)
);

-- Of the indexes of a table that look equally cheap while it is small, the planner takes the one made last, and
-- connections keep that plan while the table grows. So an index comes after those it has to win against: a primary key
-- after a list, an index of one purpose after the primary key. A test of the chat room counts pages.

-- conversations (chat)
create table conversations (
  user_id text not null,
  id uuid not null,
  title text,
  renamed boolean not null default false,
  last_seq integer not null default 0,
  last_message_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  deleted_at timestamptz
) with (fillfactor = 70);
create index conversations_list on conversations (user_id, (coalesce(last_message_at, created_at)) desc, id desc) where deleted_at is null;
create index conversations_deleted on conversations (deleted_at) where deleted_at is not null;
alter table conversations add primary key (user_id, id);

-- turns (chat): one answer under way or ended
create table turns (
  user_id text not null,
  id uuid not null,
  conversation_id uuid not null,
  client_id text not null,
  session_hash text not null,
  node text not null,
  token uuid not null,
  -- null until the user's message is stored; read through UPDATE … RETURNING, never through EXISTS
  user_message_id uuid,
  deadline_at timestamptz not null,
  started_at timestamptz not null default clock_timestamp(),
  ended_at timestamptz,
  how text,
  rounds integer not null default 0,
  foreign key (user_id, conversation_id) references conversations (user_id, id) on delete cascade,
  constraint turns_ended_has_how check ((ended_at is null) = (how is null)),
  constraint turns_how check (how in ('answer', 'card', 'notice', 'stopped', 'deadline', 'interrupted', 'chat_gone'))
) with (fillfactor = 70);
create index turns_recent on turns (user_id, started_at);
alter table turns add primary key (user_id, id);
create index turns_open on turns (started_at) where ended_at is null;
create unique index turns_one_open on turns (user_id) where ended_at is null;
-- partial in form alone: so that no search for anything else takes it
create unique index turns_client on turns (user_id, conversation_id, client_id) where client_id is not null;

-- messages (chat)
create table messages (
  user_id text not null,
  id uuid not null,
  conversation_id uuid not null,
  seq integer not null,
  role text not null,
  text text,
  -- [{ id (ours), providerId, name, arguments (text) , … }]
  tool_calls jsonb,
  tool_call_id text,
  tool_name text,
  tool_status text,
  tool_result text,
  confirmation_id uuid,
  -- the confirmation this card continues, after `changed` or "Ask again"
  follows_id uuid,
  -- of a card: set by the statement that stores its notice, and only there; exists for the partial index messages_open_cards
  told boolean not null default false,
  assistant_message_id uuid,
  code text,
  tool_outcome text,
  finished boolean,
  ai_request_id uuid,
  model text,
  input_tokens integer,
  output_tokens integer,
  cost_micros bigint,
  latency_ms integer,
  turn_id uuid,
  created_at timestamptz not null default clock_timestamp(),
  foreign key (user_id, conversation_id) references conversations (user_id, id) on delete cascade,
  constraint messages_role check (role in ('user', 'assistant', 'tool', 'notice')),
  constraint messages_tool_status check (tool_status in ('ok', 'error', 'denied', 'needs_confirmation')),
  constraint messages_outcome check (tool_outcome in ('confirmed', 'rejected', 'expired', 'changed', 'failed')),
  constraint messages_tool check (role <> 'tool' or (tool_status is not null and tool_name is not null and tool_call_id is not null and assistant_message_id is not null)),
  constraint messages_card check (tool_status is distinct from 'needs_confirmation' or (role = 'tool' and confirmation_id is not null)),
  constraint messages_card_notice check (role <> 'notice' or confirmation_id is null or (tool_outcome is not null and tool_name is not null and finished is not null)),
  constraint messages_notice check (role <> 'notice' or code is not null or confirmation_id is not null),
  constraint messages_told check (not told or tool_status = 'needs_confirmation')
) with (fillfactor = 90);
create unique index messages_seq on messages (user_id, conversation_id, seq);
alter table messages add primary key (user_id, id);
create unique index messages_one_notice on messages (user_id, conversation_id, confirmation_id) where role = 'notice' and confirmation_id is not null;
create unique index messages_one_card on messages (user_id, conversation_id, confirmation_id) where role = 'tool' and confirmation_id is not null;
create unique index messages_one_follower on messages (user_id, follows_id) where follows_id is not null;
create index messages_open_cards on messages (user_id, conversation_id, seq) where tool_status = 'needs_confirmation' and not told;
create index messages_unfinished on messages (user_id, conversation_id) where role = 'notice' and finished = false;

-- locks (chat): a user's lock now. No index on kept_at: keeps stay HOT updates, and only live locks have a row.
create table locks (
  user_id text primary key,
  kind text not null,
  token uuid not null,
  conversation_id uuid not null,
  turn_id uuid,
  -- the message id of the card a click works on; null while cards are settled
  card_id uuid,
  node text not null,
  kept_at timestamptz not null default clock_timestamp(),
  stop_requested_at timestamptz,
  constraint locks_kind check (kind in ('turn', 'click')),
  constraint locks_turn check ((kind = 'turn') = (turn_id is not null))
) with (fillfactor = 50);

-- confirmations (core): one held write
create table confirmations (
  user_id text not null,
  id uuid not null,
  -- of the session that asked; for audit only, a row is bound to its user
  session_hash text not null,
  module text not null,
  tool text not null,
  tool_title text not null,
  locale text,
  time_zone text,
  args_hash text not null,
  -- null once settled
  preview jsonb,
  fingerprint text not null,
  status text not null default 'held',
  replaced_by uuid,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  used_at timestamptz,
  rejected_at timestamptz,
  -- the execution (tool_calls.id) that spent the row: how a spend whose answer was lost is told from another's
  spent_by uuid,
  run_until timestamptz,
  finished_at timestamptz,
  succeeded boolean,
  primary key (user_id, id),
  constraint confirmations_status check (status in ('held', 'used', 'rejected', 'replaced', 'expired')),
  constraint confirmations_used check ((status = 'used') = (used_at is not null)),
  constraint confirmations_spent check ((used_at is null) = (spent_by is null) and (used_at is null) = (run_until is null)),
  constraint confirmations_rejected check ((status = 'rejected') = (rejected_at is not null)),
  constraint confirmations_replaced check ((status = 'replaced') = (replaced_by is not null)),
  constraint confirmations_preview check (status = 'held' or preview is null),
  constraint confirmations_ended check ((finished_at is null) = (succeeded is null))
) with (fillfactor = 70);
create unique index confirmations_replaced_by on confirmations (user_id, replaced_by) where replaced_by is not null;
create index confirmations_retention on confirmations (expires_at) where status in ('held', 'expired', 'rejected');

-- tool_calls (core): one execution, for audit. Never arguments, previews or results.
create table tool_calls (
  user_id text not null,
  id uuid not null,
  at timestamptz not null default clock_timestamp(),
  session_hash text not null,
  tool text not null,
  kind text not null,
  step text not null,
  via text not null,
  request_id text not null,
  code text,
  confirmation_id uuid,
  duration_ms integer,
  primary key (user_id, id),
  constraint tool_calls_kind check (kind in ('read', 'write', 'unknown')),
  constraint tool_calls_step check (step in ('read', 'hold', 'redeem', 'reject'))
) with (fillfactor = 80);
-- no index by user and time: ids are in the order of time, so the primary key is one
create index tool_calls_at on tool_calls (at);

-- rates (core): one fixed window's counter; tool '' counts the user overall
create table rates (
  user_id text not null,
  bucket text not null,
  tool text not null default '',
  window_start timestamptz not null,
  used integer not null,
  primary key (user_id, bucket, tool)
) with (fillfactor = 50);

-- endpoints (model): a named way to reach one model, made by an admin (those in code have no row). user_id is always ''.
create table endpoints (
  user_id text not null default '',
  name text not null,
  provider text not null,
  base_url text,
  model text not null,
  credential_env text,
  credential_sealed bytea,
  capabilities jsonb not null default '{}',
  context_tokens integer,
  price jsonb,
  defaults jsonb not null default '{}',
  enabled boolean not null default true,
  version bigint not null default 1,
  changed_at timestamptz not null default clock_timestamp(),
  primary key (user_id, name),
  constraint endpoints_site check (user_id = '')
);

-- ai_requests (model): the journal, one row per complete()
create table ai_requests (
  user_id text not null,
  id uuid not null,
  at timestamptz not null default clock_timestamp(),
  source text not null,
  task text not null,
  message_id uuid,
  turn_id uuid,
  endpoint text not null,
  model_asked text not null,
  model_answered text,
  provider_request_id text,
  status text not null default 'running',
  code text,
  http_status integer,
  attempts integer not null default 0,
  input_tokens integer,
  cached_tokens integer,
  output_tokens integer,
  reasoning_tokens integer,
  cost_micros bigint,
  reserved_micros bigint not null default 0,
  latency_ms integer,
  first_token_ms integer,
  content jsonb,
  node text not null,
  kept_at timestamptz not null default clock_timestamp(),
  ended_at timestamptz,
  primary key (user_id, id),
  constraint ai_requests_status check (status in ('running', 'ok', 'error', 'refused', 'lost')),
  constraint ai_requests_ended check ((status = 'running') = (ended_at is null))
) with (fillfactor = 70);
create index ai_requests_recent on ai_requests (user_id, at desc);
create index ai_requests_at on ai_requests (at);
create index ai_requests_running on ai_requests (kept_at) where status = 'running';

-- spend (model): what a user ('' = the site) spent and has reserved in a UTC day or month
create table spend (
  user_id text not null,
  period text not null,
  spent_micros bigint not null default 0,
  reserved_micros bigint not null default 0,
  primary key (user_id, period),
  constraint spend_amounts check (spent_micros >= 0 and reserved_micros >= 0)
) with (fillfactor = 50);

-- flags (model): one off-purpose report of a turn
create table flags (
  user_id text not null,
  turn_id uuid not null,
  at timestamptz not null default clock_timestamp(),
  reason text not null,
  cleared_at timestamptz,
  primary key (user_id, turn_id)
);
create index flags_recent on flags (user_id, at) where cleared_at is null;
