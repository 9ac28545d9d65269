-- Notifications: who wants them and where, what they say, and how they are delivered.

-- Rotated keys stay: a subscription is served with the key it was made with until its browser subscribes with the new one.
create table vapid_keys (
  public_key text primary key,
  -- PKCS 8, PEM
  private_key text not null,
  created_at timestamptz not null default now(),
  retired_at timestamptz
);
create unique index vapid_keys_current on vapid_keys ((retired_at is null)) where retired_at is null;

-- A subscription belongs to a session: when that ends, however it ends, nothing is sent there any more.
create table push_subscriptions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users on delete cascade,
  session_id uuid not null references sessions on delete cascade,
  endpoint text not null unique,
  -- Origin of the endpoint: the push service.
  origin text not null,
  p256dh bytea not null,
  auth bytea not null,
  vapid_key text not null references vapid_keys,
  user_agent text,
  created_at timestamptz not null default now(),
  saved_at timestamptz not null default now(),
  last_try_at timestamptz,
  last_ok_at timestamptz,
  -- The push service's status at the last try; null when none came.
  last_status integer,
  -- How often in a row it answered 403: the second time ends the subscription.
  refusals smallint not null default 0
);
create index push_subscriptions_user on push_subscriptions (user_id, saved_at);
create index push_subscriptions_session on push_subscriptions (session_id);
create index push_subscriptions_key on push_subscriptions (vapid_key);

-- A push service that asked not to be called for a while.
create table push_origins (
  origin text primary key,
  resting_until timestamptz not null
);

create table notification_settings (
  user_id uuid primary key references users on delete cascade,
  -- Minutes of the member's own day; both or none.
  quiet_from smallint check (quiet_from between 0 and 1439),
  quiet_to smallint check (quiet_to between 0 and 1439),
  daily_cap smallint not null check (daily_cap > 0),
  collapse boolean not null,
  -- Telegram refused the bot's last message: the member never started it, or blocked it.
  telegram_refused_at timestamptz,
  check ((quiet_from is null) = (quiet_to is null))
);

-- Only what a member chose. A choice for one community goes before the one for all (community_id null).
create table notification_choices (
  user_id uuid not null references users on delete cascade,
  community_id uuid references communities on delete cascade,
  topic text not null,
  channel text not null check (channel in ('push', 'telegram', 'both', 'none'))
);
create index notification_choices_user on notification_choices (user_id, topic);
create index notification_choices_community on notification_choices (community_id);

-- How many a member got on a day of their own calendar; `most` is the cap at that time.
create table notification_days (
  user_id uuid not null references users on delete cascade,
  day date not null,
  count integer not null,
  most integer not null,
  primary key (user_id, day)
);
create index notification_days_age on notification_days (day);

-- Written in the transaction of what happened, fanned out and sent afterwards.
create table notifications (
  id uuid primary key default gen_random_uuid(),
  topic text not null,
  community_id uuid references communities on delete cascade,
  -- To one person. Null: to the audience.
  user_id uuid references users on delete cascade,
  audience jsonb not null default '{}',
  -- What it is about: an announcement, a claim, a season.
  subject_id uuid,
  -- The screen that it opens.
  path text not null,
  -- Read under the session, never part of what a push service gets.
  title text not null,
  body text not null,
  -- Shown with its figures to whoever sent it.
  campaign boolean not null default false,
  created_by uuid references users,
  created_at timestamptz not null,
  send_at timestamptz not null,
  -- It may be planned by each member's own clock: `2026-11-28T07:30`, whatever their zone. `send_at` is then when the first of them
  -- has that time, and everybody's own moment is that of their chunk.
  local_time text check (local_time ~ '^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$'),
  state text not null default 'waiting' check (state in ('waiting', 'spreading', 'sending', 'done', 'cancelled')),
  -- The last member that the fan-out has come to.
  reached uuid,
  started_at timestamptz,
  finished_at timestamptz,
  members integer not null default 0,
  opted_out integer not null default 0,
  capped integer not null default 0,
  queued integer not null default 0,
  sent integer not null default 0,
  gone integer not null default 0,
  failed integer not null default 0,
  told integer not null default 0,
  -- What people did goes before what leaders send, that before what the product tells, and reminders come last.
  urgency smallint not null generated always as (case
    when topic in ('review', 'security', 'test') then 0 when topic in ('announcement', 'queue') then 1
    when topic = 'streak' then 3 else 2 end) stored
);
create index notifications_next on notifications (urgency, send_at, id) where state in ('waiting', 'spreading');
create index notifications_campaigns on notifications (community_id, created_at desc, id) where campaign;
create index notifications_community on notifications (community_id, topic, created_at desc);
create index notifications_subject on notifications (subject_id);
-- What is announced and its notification are one act: an announcement has one notification at most, however often it is tried.
create unique index notifications_of_announcement on notifications (subject_id) where campaign;
create index notifications_person on notifications (user_id, created_at desc);
create index notifications_age on notifications (created_at);

-- Whom one notification with the same words for many names, where no audience describes them.
create table notification_people (
  notification_id uuid not null references notifications on delete cascade,
  user_id uuid not null references users on delete cascade,
  -- Whether it was queued for them; null before the fan-out came to them.
  is_queued boolean,
  primary key (notification_id, user_id)
);
create index notification_people_person on notification_people (user_id);

-- What is still to be sent. A chunk is deleted when each of its targets has an outcome; a process that dies leaves it whole.
create table notification_chunks (
  id bigint generated always as identity primary key,
  notification_id uuid not null references notifications on delete cascade,
  channel text not null check (channel in ('push', 'telegram')),
  -- Subscriptions, or users.
  targets uuid[] not null,
  -- Of its notification.
  urgency smallint not null,
  -- Replaces the one before about the same topic.
  collapse boolean not null,
  attempts integer not null default 0,
  next_try_at timestamptz not null,
  expires_at timestamptz not null
);
create index notification_chunks_next on notification_chunks (urgency, next_try_at, id);
create index notification_chunks_notification on notification_chunks (notification_id);

create table notification_services (
  notification_id uuid not null references notifications on delete cascade,
  origin text not null,
  sent integer not null default 0,
  gone integer not null default 0,
  failed integer not null default 0,
  primary key (notification_id, origin)
);

create table notification_events (
  notification_id uuid not null references notifications on delete cascade,
  user_id uuid not null references users on delete cascade,
  event text not null check (event in ('shown', 'clicked', 'dismissed', 'done', 'snoozed')),
  at timestamptz not null,
  primary key (notification_id, user_id, event)
);
