-- The sweepers look for rows that a click has spent and nobody told of, from the newest they know on.
create index confirmations_spent on confirmations (used_at) where status = 'used';
