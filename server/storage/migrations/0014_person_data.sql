-- A person's data in their own hands: erasures that were asked for, devices that are to forget somebody, and what people agreed to.

alter table users
  -- Since when the account is a tombstone: nobody's name and no identity, so that the ledger and other people's histories still add up.
  add column erased_at timestamptz;

-- One row for each erasure that waits, runs or was cancelled; gone once it is done. While it waits the account is shut out by
-- `users.suspended_at`, which all that leaves suspended people out follows already (docs/decisions/079).
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
  names text[] not null default '{}'
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

-- Which version of which document somebody agreed to, and when.
create table consents (
  user_id uuid not null references users on delete cascade,
  document text not null check (document in ('terms', 'privacy')),
  version text not null,
  agreed_at timestamptz not null,
  primary key (user_id, document, version)
);

-- What is deleted by its age is found by its age. Ids come in the order of their time, so blocks of them are enough.
create index if not exists client_log_ids_age on client_log_ids using brin (received_at);

-- A line of the ledger stays what it is for ever; only the words with it may go, with the person whom they are about.
create or replace function ledger_is_append_only() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and current_setting('muster.erasing', true) = 'on' and new.reason is null
    and to_jsonb(new) - 'reason' = to_jsonb(old) - 'reason' then
    return new;
  end if;
  raise exception 'point_events is append-only';
end $$;
