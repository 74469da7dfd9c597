-- The office's own tables. Amounts are in cents; a version counts the changes of a row, so that a write can say what it saw.
create table if not exists customers (
  id integer generated always as identity primary key,
  name text not null unique,
  contact text not null,
  email text not null,
  phone text not null,
  city text not null,
  credit_limit_cents bigint not null check (credit_limit_cents >= 0),
  version integer not null default 1
);

create table if not exists invoices (
  number text primary key,
  customer_id integer not null references customers (id),
  subject text not null,
  amount_cents bigint not null check (amount_cents > 0),
  issued_on date not null,
  due_on date not null,
  status text not null default 'open' check (status in ('open', 'paid', 'void')),
  paid_on date,
  void_reason text,
  reminders integer not null default 0,
  version integer not null default 1
);
create index if not exists invoices_customer on invoices (customer_id);

create table if not exists tasks (
  number integer generated always as identity (start with 101) primary key,
  title text not null,
  customer_id integer references customers (id),
  due_on date,
  done_on date,
  created_by text not null,
  version integer not null default 1
);

-- One row a write that was done, under the key it came with: the same write again changes nothing.
create table if not exists done_writes (
  key uuid primary key,
  tool text not null,
  by_user text not null,
  at timestamptz not null default clock_timestamp()
);

create table if not exists secrets (
  name text primary key,
  value text not null
);

create or replace function tell_change() returns trigger language plpgsql as $$
begin
  perform pg_notify('demo_changes', tg_table_name || ' ' || (to_jsonb(new) ->> tg_argv[0]));
  return null;
end $$;
create or replace trigger customers_change after insert or update on customers for each row execute function tell_change('id');
create or replace trigger invoices_change after insert or update on invoices for each row execute function tell_change('number');
create or replace trigger tasks_change after insert or update on tasks for each row execute function tell_change('number');
