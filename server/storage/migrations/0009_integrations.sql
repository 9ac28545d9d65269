-- What other programs do with a community, and it with them: webhooks, API keys, X.

create table webhooks (
  id uuid primary key default gen_random_uuid(),
  community_id uuid not null references communities on delete cascade,
  url text not null,
  events text[] not null,
  secret bytea not null,
  active boolean not null default true,
  -- When the server stopped it, because too much waited for it.
  paused_at timestamptz,
  created_by uuid not null references users,
  created_at timestamptz not null default now(),
  -- One address is one webhook: the same event is never posted twice to it.
  unique (community_id, url)
);
create index webhooks_community on webhooks (community_id, created_at);

-- Written in the transaction of what happened, sent afterwards; the log is the queue.
create table webhook_deliveries (
  id uuid primary key default gen_random_uuid(),
  webhook_id uuid not null references webhooks on delete cascade,
  event text not null,
  body jsonb not null,
  state text not null default 'waiting' check (state in ('waiting', 'delivered', 'failed')),
  attempts integer not null default 0,
  created_at timestamptz not null default now(),
  last_try_at timestamptz,
  next_try_at timestamptz,
  status integer,
  error text
);
create index webhook_deliveries_due on webhook_deliveries (next_try_at) where state = 'waiting';
-- How much waits for each, asked at every event.
create index webhook_deliveries_waiting on webhook_deliveries (webhook_id) where state = 'waiting';
create index webhook_deliveries_log on webhook_deliveries (webhook_id, created_at desc, id);
-- The last try of each webhook, for their list.
create index webhook_deliveries_tried on webhook_deliveries (webhook_id, last_try_at desc) where last_try_at is not null;
create index webhook_deliveries_age on webhook_deliveries (created_at);

create table api_keys (
  id uuid primary key default gen_random_uuid(),
  community_id uuid not null references communities on delete cascade,
  -- Whose right it carries: a key ends with its maker's role.
  user_id uuid not null references users on delete cascade,
  name text not null,
  scopes text[] not null,
  prefix text not null,
  hash bytea not null unique,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  last_used_at timestamptz
);
create index api_keys_community on api_keys (community_id, created_at);

-- The code that somebody posts to prove an account; only its digest, and only until it ends.
create table x_proof_codes (
  user_id uuid primary key references users on delete cascade,
  code_hash bytea not null,
  expires_at timestamptz not null
);

-- An X account that its member took off. Until the lock of its link ends it can come back to them, and is nobody else's: one
-- account at X vouches for one person at a time.
create table x_unlinked (
  user_id uuid primary key references users on delete cascade,
  x_user_id text,
  name text not null,
  until timestamptz not null
);

-- What X gave to be asked with as a member who agreed to that. Sealed (AES-256-GCM) under a key that is not in the database.
create table x_tokens (
  user_id uuid primary key references users on delete cascade,
  refresh_token bytea not null,
  access_token bytea not null,
  access_until timestamptz not null,
  since timestamptz not null
);

-- Tokens that X is still to be told to forget, whatever ended them: X may be away when that happens.
create table x_revocations (
  id bigint generated always as identity primary key,
  user_id uuid not null,
  refresh_token bytea not null,
  attempts integer not null default 0,
  created_at timestamptz not null default now(),
  next_try_at timestamptz not null default now()
);
create function x_tokens_end() returns trigger language plpgsql as $$
begin
  insert into x_revocations (user_id, refresh_token) values (old.user_id, old.refresh_token);
  return null;
end $$;
create trigger x_tokens_end after delete on x_tokens for each row execute function x_tokens_end();

-- Claims about which X is to be asked, until it has answered: the queue. While a claim is here no reviewer need look at it.
create table x_checks (
  community_id uuid not null,
  claim_id uuid not null,
  attempts integer not null default 0,
  created_at timestamptz not null,
  next_try_at timestamptz not null,
  primary key (claim_id, community_id),
  foreign key (claim_id, community_id) references claims on delete cascade
);
create index x_checks_due on x_checks (next_try_at);

-- What a community may spend at X in a calendar month (UTC), and what it has: thousandths of a dollar. No row: nothing.
create table x_budgets (
  community_id uuid primary key references communities on delete cascade,
  monthly integer not null check (monthly >= 0),
  changed_at timestamptz not null
);
create table x_spend (
  community_id uuid not null references communities on delete cascade,
  month date not null,
  thousandths integer not null default 0,
  calls integer not null default 0,
  primary key (community_id, month)
);
