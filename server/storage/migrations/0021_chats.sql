-- Chats of communities on Telegram: which group and channel are a community's, who is in them, and what tasks count there. Everything
-- is additive: new tables, and a longer list of task kinds.

alter table tasks drop constraint if exists tasks_kind_check;
-- Every kind that this release or the next may bring: the list is the contract's to hold, and migrations that add kinds must not
-- depend on each other's order.
alter table tasks add constraint tasks_kind_check check (kind in (
  'check_in', 'visit_link', 'quiz', 'submit_text', 'submit_url', 'submit_image', 'poll', 'invite', 'manual', 'telegram_event',
  'number', 'date', 'scale', 'file', 'partner',
  'telegram_join', 'telegram_chat', 'telegram_reaction',
  'x_follow', 'x_like', 'x_repost', 'x_reply', 'x_quote', 'x_post')) not valid;

-- A community has one group and one channel at most, and a chat belongs to one community.
create table community_chats (
  id uuid primary key default gen_random_uuid(),
  community_id uuid not null references communities on delete cascade,
  sort text not null check (sort in ('group', 'channel')),
  -- Telegram's id. It changes once, where a group becomes a supergroup.
  chat_id bigint not null unique,
  title text not null,
  username text,
  -- A link of the bot's own that asks to join: who comes by it is approved where they may enter.
  invite_link text,
  -- What the bot lacks to know who is in the chat: `present`, `admin`, `invite_users`. None: it knows.
  missing text[] not null default '{}',
  -- Since when the bot lacks something. Nobody is held to be out of a chat that cannot be looked into.
  unverifiable_at timestamptz,
  -- The newest of Telegram's updates of the bot's own rights that was taken.
  update_id bigint,
  update_at timestamptz,
  checked_at timestamptz not null,
  -- Who is not in the chat: may do all the same, may claim nothing, or may not even enter.
  gate text not null default 'off' check (gate in ('off', 'claim', 'enter')),
  connected_by uuid references users on delete set null,
  connected_at timestamptz not null,
  unique (community_id, sort)
);

-- Start links of leaders. The code is worth something to the one who made it, for one community, once.
create table chat_links (
  -- SHA-256 of the code.
  code_hash bytea primary key,
  community_id uuid not null references communities on delete cascade,
  user_id uuid not null references users on delete cascade,
  sort text not null check (sort in ('group', 'channel')),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  -- Why the chat that the bot was brought to was not taken; the leader reads it.
  problem text check (problem in ('taken', 'wrong_sort', 'not_yours'))
);
create index chat_links_person on chat_links (user_id, expires_at desc);
create index chat_links_community on chat_links (community_id);
create index chat_links_over on chat_links (expires_at);

-- Who of the people here is in which connected chat, as Telegram told last. Strangers are not written down.
create table chat_members (
  connection_id uuid not null references community_chats on delete cascade,
  user_id uuid not null references users on delete cascade,
  state text not null check (state in ('member', 'left', 'kicked', 'restricted', 'unknown')),
  -- When Telegram told it; null: never.
  checked_at timestamptz,
  source text check (source in ('update', 'asked', 'sweep')),
  -- The newest update that was taken, and the last answer to a question of ours: what is older than either changes nothing.
  update_id bigint,
  update_at timestamptz,
  asked_at timestamptz,
  -- The last try, also where nothing came of it: an error changes no state, and is not repeated at once.
  tried_at timestamptz,
  primary key (connection_id, user_id)
);
create index chat_members_person on chat_members (user_id);

-- What was seen of a member for a task that counts messages or a reaction, in one period of it. What was said is stored nowhere.
create table chat_activity (
  task_id uuid not null references tasks on delete cascade,
  user_id uuid not null references users on delete cascade,
  period text not null,
  count integer not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  primary key (task_id, user_id, period)
);
create index chat_activity_person on chat_activity (user_id);

-- Leaders' screens turn green, and members' screens open, without being asked anew.
create function chats_changed() returns trigger language plpgsql as $$
declare
  place uuid := coalesce(new.community_id, old.community_id);
begin
  perform note_change(place, 'review');
  perform note_change(place, 'dashboard');
  return null;
end $$;
create trigger community_chats_told after insert or update or delete on community_chats
  for each row execute function chats_changed();
create trigger chat_links_told after update on chat_links for each row execute function chats_changed();
