-- People: who they are, how they sign in, and what of their data is theirs to end.
-- Each file is one area of the domain: its tables with their indexes, then the functions and triggers that keep them true.

-- Parts of names are found by their trigrams, beside the community in one index. Both belong to PostgreSQL, and an owner may make them.
create extension if not exists pg_trgm;
create extension if not exists btree_gin;

create table users (
  id uuid primary key default gen_random_uuid(),
  telegram_user_id bigint not null unique,
  telegram_username text,
  display_name text not null,
  locale text not null default 'en',
  role text not null default 'member' check (role in ('member', 'ops', 'admin')),
  is_verified boolean not null default false,
  -- A member chooses whether others see them: null, they do (docs/decisions/boards.md).
  hidden_at timestamptz,

  x_user_id text unique,
  twitter_username text,
  x_linked_at timestamptz,
  -- How the account at X was proven. Null: not linked.
  x_linked_by text check (x_linked_by in ('oauth', 'post', 'admin')),

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

  suspended_at timestamptz,
  -- Null while suspended: until an administrator lifts it. A job ends those whose time has come.
  suspended_until timestamptz,
  -- What the person reads.
  suspended_reason text,
  -- Since when the account is a tombstone: nobody's name and no identity, so that the ledger and other people's histories still add up.
  erased_at timestamptz,
  created_at timestamptz not null default now(),
  -- By which they are found: a line for each name.
  words text not null generated always as (lower(display_name) || E'\n' || coalesce(lower(telegram_username), '') || E'\n'
    || coalesce(lower(twitter_username), '')) stored
);
create index users_words on users using gin (words gin_trgm_ops);
create index users_telegram_id on users ((telegram_user_id::text) text_pattern_ops);
-- A name is somebody else's once they have it.
create index users_telegram_username on users (lower(telegram_username));
-- A post and an administrator prove a name, not a number: one name is one member's, as one number is.
create unique index users_x_named on users (lower(twitter_username))
  where x_user_id is null and x_linked_by in ('post', 'admin');
-- The list of people, the newest first.
create index users_created on users (created_at desc, id desc);
-- The same of those who hold a role or are suspended.
create index users_aside on users (created_at desc, id desc) where role <> 'member' or suspended_at is not null;
create index users_suspended on users (suspended_until) where suspended_until is not null;

-- The time zone by which somebody's days count at a moment: one that was chosen counts from the midnight after on.
create function zone_at(person users, moment timestamptz) returns text language sql immutable as $$
  select case when person.time_zone_from > moment then person.time_zone_before else person.time_zone end
$$;

-- The name under which others see somebody.
create function shown_name(person users) returns text language sql immutable as $$
  select case when person.hidden_at is null then person.display_name else 'Hidden member' end
$$;

-- What somebody was called before. They are found by it, and an administrator sees who an account has been.
create table former_names (
  id bigint generated always as identity primary key,
  user_id uuid not null references users on delete cascade,
  kind text not null check (kind in ('telegram', 'x', 'display')),
  name text not null,
  until timestamptz not null
);
create index former_names_words on former_names using gin (lower(name) gin_trgm_ops);
create index former_names_person on former_names (user_id, until desc);

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

-- Links that make the person who opens them an administrator, once.
create table admin_links (
  -- SHA-256 of what stands in the link.
  token_hash bytea primary key,
  -- Made at a start without an administrator: worth nothing once there is one. Others were made at the command line.
  first boolean not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);

-- Which version of which document somebody agreed to, and when.
create table consents (
  user_id uuid not null references users on delete cascade,
  document text not null check (document in ('terms', 'privacy')),
  version text not null,
  agreed_at timestamptz not null,
  primary key (user_id, document, version)
);

-- One row for each erasure that waits, runs or was cancelled; gone once it is done. While it waits the account is shut out by
-- `users.suspended_at`, which all that leaves suspended people out follows already (docs/decisions/erasure.md).
create table erasures (
  user_id uuid primary key references users on delete cascade,
  asked_at timestamptz not null,
  due_at timestamptz not null,
  asked_by text not null check (asked_by in ('person', 'admin', 'operator')),
  -- The suspension that stood before, which comes back if it is cancelled.
  suspended_at timestamptz,
  suspended_until timestamptz,
  suspended_reason text,
  -- Kept until the person has read that it was cancelled.
  cancelled_at timestamptz,
  -- From then on nothing cancels it; a process that dies leaves it to be gone on with.
  begun_at timestamptz,
  -- Names to look for where no id stands. Empty until it begins.
  names text[] not null default '{}',
  -- When Telegram last said what an account is called, as of the wish: a name is believed for a while only.
  named_at timestamptz
);
create index erasures_due on erasures (due_at) where cancelled_at is null;

-- Digests of the session tokens of people who asked to be erased: a device that still holds one is told to forget them.
create table forgotten_sessions (
  token_hash bytea primary key,
  user_id uuid not null references users on delete cascade,
  until timestamptz not null
);
create index forgotten_sessions_user on forgotten_sessions (user_id);
create index forgotten_sessions_until on forgotten_sessions (until);
