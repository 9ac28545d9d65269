-- What administrators keep beside accounts: who wants to work together with the instance, communities that are suspended or shown
-- first, names that people had before, one-time links to the first administrator, and an audit that stays as it was written.
-- Everything is additive: new tables, and columns that the release before neither reads nor writes.

create table partnership_requests (
  -- Made by the device that wrote it, so that what is sent twice is one request. 122 random bits: who holds it may read what became
  -- of the request, and nobody else without an administrator's role.
  id uuid primary key,
  -- Null: somebody who was not signed in.
  user_id uuid references users on delete cascade,
  name text not null,
  organisation text not null,
  contact text not null,
  kind text not null check (kind in ('community', 'reward', 'software', 'hosting', 'other')),
  message text not null,
  state text not null default 'new' check (state in ('new', 'in_talk', 'accepted', 'declined')),
  -- What its sender reads; what administrators say to each other is in the audit.
  answer text,
  created_at timestamptz not null,
  -- When it was decided last: what is kept is counted from here.
  changed_at timestamptz not null
);
-- Those that wait first, the longest waiting at the top.
create index partnership_requests_list on partnership_requests ((state in ('accepted', 'declined')), created_at, id);
create index partnership_requests_age on partnership_requests (changed_at);
-- How many came lately, of strangers and of one person.
create index partnership_requests_sender on partnership_requests (user_id, created_at);

alter table communities
  -- Beside `status`, which the release before reads alone: a suspension with an end that it does not know stays until it is lifted.
  add column suspended_at timestamptz,
  add column suspended_until timestamptz,
  add column suspended_reason text,
  -- Shown first in the directory since then.
  add column featured_at timestamptz;
create index communities_suspended on communities (suspended_until) where suspended_until is not null;
create index communities_created on communities (created_at desc, id desc);

-- What somebody was called before. They are found by it, and an administrator sees who an account has been.
create table former_names (
  id bigint generated always as identity primary key,
  user_id uuid not null references users on delete cascade,
  kind text not null check (kind in ('telegram', 'x', 'display')),
  name text not null,
  until timestamptz not null
);
create index former_names_person on former_names (user_id, until desc);

-- Links that make whoever opens them an administrator, once.
create table admin_links (
  -- SHA-256 of what stands in the link.
  token_hash bytea primary key,
  -- Made at a start without an administrator: worth nothing once there is one. Others were made at the command line.
  first boolean not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);

-- How an entry came about where no person was signed in. Null: by a person, or by the server itself.
alter table audit_entries add column via text check (via in ('cli', 'config'));
create index audit_entries_instance on audit_entries (id desc) where community_id is null;

-- An entry stays as it was written. Two things only may happen to it: it goes along with its community, and a person's name is taken
-- out of it when they are erased (`subject`, and `reason` to null).
create function audit_stays() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if old.community_id is not null and pg_trigger_depth() > 1 then
      return old;
    end if;
  elsif tg_op = 'UPDATE' then
    if (new.id, new.community_id, new.at, new.action, new.actor_id, new.subject_id, new.via)
        is not distinct from (old.id, old.community_id, old.at, old.action, old.actor_id, old.subject_id, old.via)
      and (new.reason is null or new.reason is not distinct from old.reason)
      and (old.subject is not null or new.subject is null)
    then
      return new;
    end if;
  end if;
  raise exception 'an entry of the audit stays as it was written' using errcode = 'restrict_violation';
end $$;
create trigger audit_entries_stay before update or delete on audit_entries
  for each row execute function audit_stays();
create trigger audit_entries_stay_all before truncate on audit_entries
  for each statement execute function audit_stays();
