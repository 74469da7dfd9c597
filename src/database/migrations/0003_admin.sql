-- What administrators list across users. `user_id <> ''` and the list of statuses are partial in form: a statement that
-- works for one user never takes these indexes, however they look while a table is small.

-- who has a value of their own
create index settings_of_users on settings (key, user_id) where user_id <> '';

-- the site's spending of a period is the sum of its users'
create index spend_of_users on spend (period) where user_id <> '';

-- flags of all users, newest first
create index flags_of_users on flags (at desc, turn_id desc) where user_id <> '';

-- calls of models that failed, were refused or lost
create index ai_requests_trouble on ai_requests (at desc, id desc) where status in ('error', 'refused', 'lost');
