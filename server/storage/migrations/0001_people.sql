-- People, how they sign in, and their sessions.
-- Each file of the baseline is one area: first its tables with their indexes, then the functions and triggers that keep them true.

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
  -- A streak counts local days: the time zone may change only once in a while, and counts from the midnight after on.
  time_zone_changed_at timestamptz,
  time_zone_before text,
  time_zone_from timestamptz,
  -- Membership of the required channel. An error of Telegram's never changes it.
  membership text not null default 'unknown' check (membership in ('member', 'left', 'kicked', 'restricted', 'unknown')),
  membership_checked_at timestamptz,
  membership_source text,
  -- The last update of the Bot API about them, and its time by Telegram's clock.
  membership_update_id bigint,
  membership_update_at timestamptz,
  created_at timestamptz not null default now()
);

-- The time zone by which somebody's days count at a moment: one that was chosen counts from the midnight after on.
create function zone_at(person users, moment timestamptz) returns text language sql immutable as $$
  select case when person.time_zone_from > moment then person.time_zone_before else person.time_zone end
$$;

-- A name is somebody else's once they have it.
create index users_telegram_username on users (lower(telegram_username));

create table sessions (
  id uuid primary key default gen_random_uuid(),
  token_hash bytea not null unique,
  user_id uuid not null references users on delete cascade,
  kind text not null check (kind in ('web', 'mini_app')),
  user_agent text,
  -- The last time that Telegram itself vouched for the person.
  telegram_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index sessions_user on sessions (user_id);

-- One row for each sign-in or linking under way. It is consumed by deletion, so a callback works once across processes.
create table sign_in_attempts (
  state_hash bytea primary key,
  kind text not null check (kind in ('telegram', 'x')),
  browser_hash bytea not null,
  user_id uuid references users on delete cascade,
  code_verifier text not null,
  next_path text not null default '/',
  expires_at timestamptz not null
);

-- Signed sign-in strings (Mini App, legacy login) that were used, until they would be stale anyway.
create table used_signatures (
  hash bytea primary key,
  expires_at timestamptz not null
);
