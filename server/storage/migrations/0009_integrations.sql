-- What other programs do with a community: webhooks that call them, API keys with which they call.

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
