-- What a user's message was sent with, as its readers are shown it: [{ id, name, type, size, picture }]; null for none.
alter table messages add column files jsonb;
alter table messages add constraint messages_files check (files is null or (role = 'user' and jsonb_typeof(files) = 'array'));

-- attachments (attachment): one file of a chat
create table attachments (
  user_id text not null,
  id uuid not null,
  conversation_id uuid not null,
  -- the message it was sent with; null while it waits in the composer
  message_id uuid,
  name text not null,
  -- the media type found in the content; null until it was read
  type text,
  -- bytes; while it is received, those kept free for it
  size bigint not null,
  state text not null default 'uploading',
  -- of the node that receives or reads it
  lease uuid,
  leased_until timestamptz,
  -- since when it waits; it is deleted when that is long ago
  unlinked_at timestamptz default clock_timestamp(),
  code text,
  text text,
  -- whether the file holds more text than is kept
  text_cut boolean not null default false,
  -- a random name in the storage
  storage_key uuid not null,
  -- whether the storage holds it whole
  stored boolean not null default false,
  created_at timestamptz not null default clock_timestamp(),
  -- without a cascade: the files in the storage go before their rows, and the rows before their chat
  foreign key (user_id, conversation_id) references conversations (user_id, id),
  constraint attachments_state check (state in ('uploading', 'reading', 'ready', 'failed')),
  constraint attachments_code check (code in ('unreadable', 'too_large', 'encrypted', 'unsupported_type', 'timeout', 'interrupted')),
  constraint attachments_failed check ((state = 'failed') = (code is not null)),
  constraint attachments_leased check ((state in ('uploading', 'reading')) = (lease is not null and leased_until is not null)),
  constraint attachments_ready check (state <> 'ready' or type is not null),
  constraint attachments_linked check ((message_id is null) = (unlinked_at is not null)),
  constraint attachments_sent check (message_id is null or state = 'ready'),
  constraint attachments_size check (size >= 0)
) with (fillfactor = 70);
create index attachments_of_message on attachments (user_id, message_id) where message_id is not null;
create index attachments_waiting on attachments (user_id, conversation_id) where message_id is null;
create index attachments_of_chat on attachments (user_id, conversation_id, id);
alter table attachments add primary key (user_id, id);
create unique index attachments_storage_key on attachments (user_id, storage_key);
create index attachments_leases on attachments (leased_until) where leased_until is not null;
create index attachments_unlinked on attachments (unlinked_at) where unlinked_at is not null;
