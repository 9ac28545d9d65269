-- Communities: who belongs to them and who brought them, what their leaders run them with, and who may speak for them.

create table communities (
  id uuid primary key default gen_random_uuid(),
  slug text not null unique,
  name text not null,
  -- What a reader's eye makes of both: nobody founds a community that looks like another.
  slug_look text unique,
  name_look text unique,
  description text not null default '',
  rules text not null default '',
  tags text[] not null default '{}',
  languages text[] not null default '{}',
  visibility text not null default 'public' check (visibility in ('public', 'private')),
  telegram_chat_id bigint,
  x_handle text,
  -- Counted where it changes: nobody counts a million members to show their number.
  members integer not null default 0,
  -- Points that an invited person needs before the invitation counts.
  invite_threshold integer not null default 50 check (invite_threshold >= 0),

  board_state text not null default 'open' check (board_state in ('open', 'hidden', 'frozen')),
  board_since timestamptz not null default now(),
  -- Whether what is earned here counts on the instance's board: an administrator's word. What is given by hand never does.
  counts_on_instance boolean not null default false,
  -- Null: no leagues.
  leagues_since timestamptz,
  -- Whether other sites may show the community's card and board, and read them as JSON. Only of a public community.
  embedding boolean not null default false,
  -- Since when an administrator lets a community move in as many people as fit; null: few, see IMPORT_LINES_FIRST.
  large_imports_at timestamptz,
  -- Shown first in the directory since then.
  featured_at timestamptz,

  status text not null default 'active' check (status in ('active', 'suspended')),
  suspended_at timestamptz,
  suspended_until timestamptz,
  suspended_reason text,
  created_by uuid not null references users,
  created_at timestamptz not null default now()
);
create index communities_creator on communities (created_by, created_at);
create index communities_created on communities (created_at desc, id desc);
create index communities_suspended on communities (suspended_until) where suspended_until is not null;
create index communities_leagues on communities (id) where leagues_since is not null;

create table community_members (
  community_id uuid not null references communities on delete cascade,
  user_id uuid not null references users on delete cascade,
  role text not null default 'member' check (role in ('leader', 'moderator', 'member')),
  joined_at timestamptz not null default now(),
  -- Of the account, so that one index holds both.
  words text not null default '',
  primary key (community_id, user_id)
);
create index community_members_user on community_members (user_id);
create index community_members_words on community_members using gin (community_id, words gin_trgm_ops);
create index community_members_leading on community_members (community_id) where role <> 'member';
create index community_members_joined on community_members (community_id, joined_at, user_id);
-- They begin with the name, so it is the order by name too.
create index community_members_name on community_members (community_id, words collate "C", user_id);

create function community_members_take_words() returns trigger language plpgsql as $$
begin
  new.words := coalesce((select words from users where id = new.user_id), '');
  return new;
end $$;
create trigger community_members_words before insert on community_members
  for each row execute function community_members_take_words();
create function community_members_follow_words() returns trigger language plpgsql as $$
begin
  update community_members set words = new.words where user_id = new.id;
  return null;
end $$;
create trigger users_words after update on users
  for each row when (old.words <> new.words) execute function community_members_follow_words();

-- `communities.members` follows the memberships, whichever statement writes them.
create function communities_count_members() returns trigger language plpgsql as $$
begin
  update communities c set members = c.members + case when tg_op = 'INSERT' then moved.count else -moved.count end
    from (select community_id, count(*)::integer as count from moved_rows group by community_id) moved
    where c.id = moved.community_id;
  return null;
end $$;
create trigger community_members_joined after insert on community_members
  referencing new table as moved_rows for each statement execute function communities_count_members();
create trigger community_members_left after delete on community_members
  referencing old table as moved_rows for each statement execute function communities_count_members();

-- Communities that are not offered to somebody any more: they left, were removed, or said no. Belonging is a person's own act
-- (docs/decisions/imports-and-belonging.md), and joining stays open to them where it is open to everybody.
create table closed_offers (
  community_id uuid not null references communities on delete cascade,
  user_id uuid not null references users on delete cascade,
  closed_at timestamptz not null default now(),
  primary key (community_id, user_id)
);
create index closed_offers_user on closed_offers (user_id);

create table invites (
  code text primary key,
  community_id uuid not null references communities on delete cascade,
  user_id uuid not null references users on delete cascade,
  created_at timestamptz not null default now(),
  unique (community_id, user_id)
);

create table referrals (
  community_id uuid not null references communities on delete cascade,
  invitee_id uuid not null references users on delete cascade,
  inviter_id uuid not null references users on delete cascade,
  joined_at timestamptz not null default now(),
  -- When the invitee reached the threshold. It stays when points are taken back.
  qualified_at timestamptz,
  primary key (community_id, invitee_id),
  check (invitee_id <> inviter_id)
);
create index referrals_inviter on referrals (community_id, inviter_id, joined_at);

create table announcements (
  id uuid not null default gen_random_uuid(),
  community_id uuid not null references communities on delete cascade,
  title text not null,
  body text not null,
  pinned_until timestamptz,
  created_by uuid not null references users,
  created_at timestamptz not null default now(),
  primary key (id, community_id)
);
create index announcements_community on announcements (community_id, created_at desc, id);

-- The replies that a review offers. Where they were never changed there is no row, and the app offers its own.
create table saved_replies (
  community_id uuid primary key references communities on delete cascade,
  reject text[] not null,
  request_changes text[] not null,
  changed_at timestamptz not null
);

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
-- One open application a person.
create unique index leader_applications_open on leader_applications (user_id) where state = 'submitted';
create index leader_applications_list on leader_applications ((state <> 'submitted'), submitted_at, id);
create index leader_applications_person on leader_applications (user_id, submitted_at desc);

-- Those who want to work together with the instance.
create table partnership_requests (
  -- Made by the device that wrote it, so that what is sent twice is one request. 122 random bits: who holds it may read what became
  -- of the request, and nobody else without an administrator's role.
  id uuid primary key,
  -- Null: a stranger who was not signed in.
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

create table audit_entries (
  id bigint generated always as identity primary key,
  -- Null: an entry of the instance.
  community_id uuid references communities on delete cascade,
  at timestamptz not null default now(),
  action text not null,
  actor_id uuid references users,
  -- How it came about where no person was signed in. Null: by a person, or by the server itself.
  via text check (via in ('cli', 'config')),
  -- A name as it was then, and the id of what it names.
  subject text,
  subject_id uuid,
  reason text
);
create index audit_entries_community on audit_entries (community_id, id desc);
create index audit_entries_action on audit_entries (community_id, action, id desc);
create index audit_entries_instance on audit_entries (id desc) where community_id is null;
-- What was done to one person, and by one, latest first: the page of a person shows it.
create index audit_entries_subject on audit_entries (subject_id, id desc) where subject_id is not null;

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
