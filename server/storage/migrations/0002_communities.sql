-- Communities, who belongs to them and who brought them, and what their leaders run them with.

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
  status text not null default 'active' check (status in ('active', 'suspended')),
  telegram_chat_id bigint,
  x_handle text,
  -- Counted where it changes: nobody counts a million members to show their number.
  members integer not null default 0,
  -- Points that somebody who was invited needs before the invitation counts.
  invite_threshold integer not null default 50 check (invite_threshold >= 0),
  board_state text not null default 'open' check (board_state in ('open', 'hidden', 'frozen')),
  board_since timestamptz not null default now(),
  -- Whether what is earned here counts on the instance's board: an administrator's word. What is given by hand never does.
  counts_on_instance boolean not null default false,
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
create index community_members_joined on community_members (community_id, joined_at, user_id);

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
-- One open application a person.
create unique index leader_applications_open on leader_applications (user_id) where state = 'submitted';
create index leader_applications_list on leader_applications ((state <> 'submitted'), submitted_at, id);
create index leader_applications_person on leader_applications (user_id, submitted_at desc);

create table audit_entries (
  id bigint generated always as identity primary key,
  -- Null: an entry of the instance.
  community_id uuid references communities on delete cascade,
  at timestamptz not null default now(),
  action text not null,
  actor_id uuid references users,
  -- A name as it was then, and the id of what it names.
  subject text,
  subject_id uuid,
  reason text
);
create index audit_entries_community on audit_entries (community_id, id desc);
create index audit_entries_action on audit_entries (community_id, action, id desc);

-- `communities.members` follows the memberships, whoever writes them.

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
