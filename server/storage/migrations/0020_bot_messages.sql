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
  -- `sending` is noted before Telegram is asked: where a process died over it nobody knows whether it went out, and it is not
  -- sent a second time.
  state text not null default 'waiting' check (state in ('waiting', 'sending', 'sent', 'refused', 'failed', 'withdrawn')),
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
create index bot_messages_open on bot_messages (chat_id, id) where state in ('waiting', 'sending') or change_state is not null;
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
