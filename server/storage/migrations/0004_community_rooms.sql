-- What a leader runs a community with.

create table announcements (
  id uuid primary key default gen_random_uuid(),
  community_id uuid not null references communities on delete cascade,
  title text not null,
  body text not null,
  pinned_until timestamptz,
  created_by uuid not null references users,
  created_at timestamptz not null default now()
);
create index announcements_community on announcements (community_id, created_at desc, id);

create table leader_applications (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users on delete cascade,
  state text not null default 'submitted' check (state in ('submitted', 'approved', 'rejected')),
  about text not null,
  plan text not null,
  link text,
  submitted_at timestamptz not null default now(),
  decided_at timestamptz,
  decided_by uuid references users,
  reason text
);
create unique index leader_applications_open on leader_applications (user_id) where state = 'submitted';
create index leader_applications_list on leader_applications ((state <> 'submitted'), submitted_at, id);
create index leader_applications_person on leader_applications (user_id, submitted_at desc);

create table webhooks (
  id uuid primary key default gen_random_uuid(),
  community_id uuid not null references communities on delete cascade,
  url text not null,
  events text[] not null,
  secret bytea not null,
  active boolean not null default true,
  created_by uuid not null references users,
  created_at timestamptz not null default now()
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
create index webhook_deliveries_log on webhook_deliveries (webhook_id, created_at desc, id);
create index webhook_deliveries_age on webhook_deliveries (created_at);

create table api_keys (
  id uuid primary key default gen_random_uuid(),
  community_id uuid not null references communities on delete cascade,
  -- whose right it carries: a key dies with its maker's role
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

create table audit_entries (
  id bigint generated always as identity primary key,
  -- null: of the instance
  community_id uuid references communities on delete cascade,
  at timestamptz not null default now(),
  action text not null,
  actor_id uuid references users,
  -- a name as it was then, and the id of what it names
  subject text,
  subject_id uuid,
  reason text
);
create index audit_entries_community on audit_entries (community_id, id desc);
create index audit_entries_action on audit_entries (community_id, action, id desc);

-- What a community did over time, and exports of it in that order.
create index community_members_joined on community_members (community_id, joined_at, user_id);
create index claims_community on claims (community_id, submitted_at, id);
create index claims_decided on claims (community_id, decided_at) where decided_at is not null;
