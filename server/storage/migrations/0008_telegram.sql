-- Telegram: what the bot hears and writes, which group and channel are a community's, who is in them, and what tasks count there.

-- Which updates of the Bot API were handled. Telegram sends one again until it is answered, and an answer may be lost: each is handled
-- once, in the transaction that notes it here. Nothing of what it said is kept. Telegram holds updates for 24 hours, so two days are enough.
create table bot_updates (
  update_id bigint primary key,
  -- Null while it failed and is to come again.
  handled_at timestamptz,
  failures smallint not null default 0,
  heard_at timestamptz not null
);
create index bot_updates_age on bot_updates (heard_at);

-- What the bot writes, to people and to groups: queued in the transaction of what happened, sent by a job within Telegram's limits.
create table bot_messages (
  id bigint generated always as identity primary key,
  -- A private chat has the number of its person.
  chat_id bigint not null,
  -- Of a private chat.
  user_id uuid references users on delete cascade,
  -- Why it is sent: the same is queued once.
  origin text not null unique,
  -- What it is about, an announcement or a claim: it is changed and withdrawn with it.
  subject_id uuid,
  notification_id uuid references notifications on delete cascade,
  text text not null,
  button text,
  url text,
  -- Buttons that tell the bot something: a list of `{ label, data }`.
  keys jsonb,
  -- `sending` is noted before Telegram is asked: where a process died over it nobody knows whether it went out, and it is not
  -- sent a second time.
  state text not null default 'waiting' check (state in ('waiting', 'sending', 'sent', 'refused', 'failed', 'withdrawn')),
  -- Of its notification; what else the bot writes answers a person.
  urgency smallint not null default 0,
  -- What is still to be done to a message that was sent.
  change_state text check (change_state in ('edit', 'delete')),
  attempts integer not null default 0,
  next_try_at timestamptz not null,
  expires_at timestamptz not null,
  -- The last time that Telegram was asked for it: its limits are counted by this.
  tried_at timestamptz,
  -- Telegram's number in the chat, once it was sent.
  message_id bigint,
  created_at timestamptz not null,
  finished_at timestamptz
);
-- One after another in each chat.
create index bot_messages_open on bot_messages (chat_id, urgency, id) where state in ('waiting', 'sending') or change_state is not null;
create index bot_messages_next on bot_messages (urgency, next_try_at, id) where state in ('waiting', 'sending') or change_state is not null;
create index bot_messages_tried on bot_messages (tried_at) where tried_at is not null;
create index bot_messages_subject on bot_messages (subject_id) where subject_id is not null;
create index bot_messages_notification on bot_messages (notification_id) where state in ('waiting', 'sending');
create index bot_messages_person on bot_messages (user_id);
create index bot_messages_age on bot_messages (created_at);

-- The community that somebody talks to the bot about: the one whose link they came by. Without a row, the one they were active in last.
create table bot_places (
  user_id uuid primary key references users on delete cascade,
  community_id uuid not null references communities on delete cascade,
  chosen_at timestamptz not null
);
create index bot_places_community on bot_places (community_id);

-- Check-ins that were pressed in the bot and are claimed in a moment, unless who pressed undoes it (docs/decisions/bot.md).
create table bot_check_ins (
  user_id uuid not null references users on delete cascade,
  community_id uuid not null,
  task_id uuid not null,
  -- Of the message of the bot that says so, which says later what became of it.
  origin text not null,
  pressed_at timestamptz not null,
  due_at timestamptz not null,
  primary key (user_id, task_id, community_id),
  foreign key (task_id, community_id) references tasks on delete cascade
);
create index bot_check_ins_due on bot_check_ins (due_at);
create index bot_check_ins_task on bot_check_ins (task_id);

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
  community_id uuid not null,
  task_id uuid not null,
  user_id uuid not null references users on delete cascade,
  period text not null,
  count integer not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  primary key (task_id, user_id, period, community_id),
  foreign key (task_id, community_id) references tasks on delete cascade
);
create index chat_activity_person on chat_activity (user_id);
