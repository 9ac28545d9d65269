-- The spine: people, sessions, communities, tasks, claims, the ledger and its standings.

create table users (
  id uuid primary key default gen_random_uuid(),
  telegram_user_id bigint not null unique,
  telegram_username text,
  display_name text not null,
  x_user_id text unique,
  twitter_username text,
  x_linked_at timestamptz,
  is_verified boolean not null default false,
  role text not null default 'member' check (role in ('member', 'ops', 'admin')),
  suspended_at timestamptz,
  locale text not null default 'en',
  time_zone text not null default 'UTC',
  -- membership of the required channel; an error of Telegram's never changes it
  membership text not null default 'unknown' check (membership in ('member', 'left', 'kicked', 'restricted', 'unknown')),
  membership_checked_at timestamptz,
  membership_source text,
  created_at timestamptz not null default now()
);

create table sessions (
  id uuid primary key default gen_random_uuid(),
  token_hash bytea not null unique,
  user_id uuid not null references users on delete cascade,
  kind text not null check (kind in ('web', 'mini_app')),
  user_agent text,
  telegram_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index sessions_user on sessions (user_id);

-- One row per sign-in or linking under way; consumed by deletion, so a callback works once across processes.
create table sign_in_attempts (
  state_hash bytea primary key,
  kind text not null check (kind in ('telegram', 'x')),
  browser_hash bytea not null,
  user_id uuid references users on delete cascade,
  code_verifier text not null,
  next_path text not null default '/',
  expires_at timestamptz not null
);

-- Signed sign-in strings (Mini App, legacy login) that were used; kept until they would be stale anyway.
create table used_signatures (
  hash bytea primary key,
  expires_at timestamptz not null
);

create table communities (
  id uuid primary key default gen_random_uuid(),
  slug text not null unique,
  name text not null,
  description text not null default '',
  rules text not null default '',
  tags text[] not null default '{}',
  languages text[] not null default '{}',
  visibility text not null default 'public' check (visibility in ('public', 'private')),
  status text not null default 'active' check (status in ('active', 'suspended')),
  telegram_chat_id bigint,
  x_handle text,
  created_by uuid not null references users,
  created_at timestamptz not null default now()
);
create index communities_creator on communities (created_by, created_at);

create table community_members (
  community_id uuid not null references communities on delete cascade,
  user_id uuid not null references users on delete cascade,
  role text not null default 'member' check (role in ('leader', 'moderator', 'member')),
  joined_at timestamptz not null default now(),
  primary key (community_id, user_id)
);
create index community_members_user on community_members (user_id);
create index community_members_leading on community_members (community_id) where role <> 'member';

create table tasks (
  id uuid primary key default gen_random_uuid(),
  community_id uuid not null references communities on delete cascade,
  kind text not null check (kind in ('check_in', 'submit_text')),
  title text not null,
  instructions text not null default '',
  points integer not null check (points >= 0),
  recurrence text not null check (recurrence in ('once', 'daily', 'weekly')),
  status text not null default 'live' check (status in ('live', 'archived')),
  created_by uuid not null references users,
  created_at timestamptz not null default now()
);
create index tasks_community on tasks (community_id, status, created_at);

create table claims (
  id uuid primary key default gen_random_uuid(),
  community_id uuid not null references communities on delete cascade,
  task_id uuid not null references tasks on delete cascade,
  user_id uuid not null references users on delete cascade,
  period text not null,
  state text not null check (state in ('submitted', 'approved', 'rejected', 'reversed')),
  points integer not null,
  text text,
  acted_at timestamptz not null,
  -- day of the act in the member's time zone as it was then: what a streak counts
  local_day date not null,
  submitted_at timestamptz not null default now(),
  decided_at timestamptz,
  decided_by uuid references users,
  reason text
);
-- One live claim a member, task and period; a rejected one makes room for another try.
create unique index claims_live on claims (community_id, task_id, user_id, period) where state in ('submitted', 'approved');
create index claims_queue on claims (community_id, submitted_at) where state = 'submitted';
create index claims_member on claims (community_id, user_id, submitted_at desc);
create index claims_days on claims (user_id, local_day desc) where state = 'approved';

-- Every transition keeps who, when and why.
create table claim_events (
  id bigint generated always as identity primary key,
  community_id uuid not null,
  claim_id uuid not null references claims on delete cascade,
  at timestamptz not null default now(),
  actor_id uuid references users,
  from_state text,
  to_state text not null,
  reason text
);
create index claim_events_claim on claim_events (claim_id, id);

-- The ledger: append-only. Awards are unique per (community, member, task, period).
create table point_events (
  id bigint generated always as identity,
  community_id uuid not null references communities on delete restrict,
  user_id uuid not null references users on delete restrict,
  kind text not null check (kind in ('award', 'adjust', 'reverse')),
  points integer not null,
  task_id uuid references tasks,
  claim_id uuid references claims,
  period text,
  reason text,
  actor_id uuid references users,
  at timestamptz not null default now(),
  primary key (community_id, id)
);
create unique index point_events_award on point_events (community_id, user_id, task_id, period) where kind = 'award';
create index point_events_member on point_events (user_id, at desc);

create function ledger_is_append_only() returns trigger language plpgsql as $$
begin
  raise exception 'point_events is append-only';
end $$;
create trigger point_events_append_only before update or delete on point_events
  for each row execute function ledger_is_append_only();

-- Projections of the ledger, written in its statement: one row a member, community and period ('all', 'day:2026-11-21', 'week:2026-W47', 'month:2026-11').
create table standings (
  community_id uuid not null references communities on delete cascade,
  period text not null,
  user_id uuid not null references users on delete cascade,
  points integer not null,
  -- when the present total was reached: settles the order inside a tie
  reached_at timestamptz not null,
  -- false for a leader and for who left: their ledger stays, the board leaves them out
  competes boolean not null default true,
  primary key (community_id, period, user_id)
);
create index standings_board on standings (community_id, period, points desc, reached_at, user_id) where competes and points > 0;
create index standings_member on standings (user_id, community_id);

-- Who competes follows the membership, whoever writes it.
create function standings_follow_membership() returns trigger language plpgsql as $$
begin
  update standings set competes = (tg_op <> 'DELETE' and new.role <> 'leader')
    where user_id = coalesce(new.user_id, old.user_id) and community_id = coalesce(new.community_id, old.community_id);
  return null;
end $$;
create trigger community_members_compete after insert or update of role or delete on community_members
  for each row execute function standings_follow_membership();

-- Answers of idempotent commands, written in the effect's transaction.
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

create table rate_limits (
  key text primary key,
  window_start timestamptz not null,
  count integer not null
);

create table client_log_entries (
  id uuid not null,
  kind text not null check (kind in ('error', 'debug')),
  data jsonb not null,
  user_id uuid,
  user_agent text,
  timestamp timestamptz,
  sent_at timestamptz,
  received_at timestamptz not null default now(),
  primary key (id)
);
create index client_log_entries_received on client_log_entries (received_at);
