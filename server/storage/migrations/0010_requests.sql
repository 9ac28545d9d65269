-- What the instance remembers of requests.

-- Answers of idempotent commands, written in the transaction of their effect.
create table idempotency_keys (
  user_id uuid not null references users on delete cascade,
  key text not null,
  route text not null,
  request_hash bytea not null,
  status integer not null,
  answer jsonb not null,
  created_at timestamptz not null default now(),
  primary key (user_id, key)
);
create index idempotency_keys_age on idempotency_keys (created_at);

-- Unlogged: a count must not wait for the disk, and may begin anew after a crash.
create unlogged table rate_limits (
  key text primary key,
  window_start timestamptz not null,
  count integer not null
);
