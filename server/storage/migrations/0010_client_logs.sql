-- Client logs: a durable inbox, entries by day, issues with their rollups, and alerts.

-- Every id that was ever taken, for ever: a device may send again what was delivered months ago.
create table client_log_ids (
  id uuid primary key,
  received_at timestamptz not null
);
-- What is deleted by its age is found by its age. Ids come in the order of their time, so blocks of them are enough.
create index client_log_ids_age on client_log_ids using brin (received_at);

-- Received, scrubbed and acknowledged. It waits here for seconds until it is ingested into entries and issues.
create table client_log_inbox (
  position bigint generated always as identity primary key,
  id uuid not null,
  received_at timestamptz not null,
  -- Who sent it, as the server knows.
  sender jsonb not null,
  kind text not null,
  data json not null
);

create table client_log_entries (
  id uuid not null,
  received_at timestamptz not null,
  -- By the server's clock: the device's time, corrected; the receipt where the device did not say.
  happened_at timestamptz not null,
  sent_at timestamptz,
  kind text not null check (kind in ('error', 'debug')),
  group_id integer,
  message text not null,
  message_key bigint generated always as (hashtextextended(message, 0)) stored,
  source text,
  route text,
  community text,
  url text,
  release text,
  user_id uuid,
  person text not null,
  device text,
  sequence bigint,
  repeats integer not null default 1,
  offline_ms bigint,
  engine text,
  browser text,
  os text,
  display text,
  connection text,
  address text,
  user_agent text,
  -- Read whole or not at all: as jsonb each entry would pay for parsing that nobody uses.
  data json not null
) partition by range (received_at);
-- Newest first and bars over time; filters on what is included need no row.
create index client_log_entries_time on client_log_entries (happened_at desc, id desc)
  include (received_at, kind, group_id, repeats, release, engine, display, connection, offline_ms);
create index client_log_entries_id on client_log_entries (id);
create index client_log_entries_group on client_log_entries (group_id, happened_at desc, id desc) where group_id is not null;
create index client_log_entries_user on client_log_entries (user_id, happened_at desc, id desc) where user_id is not null;
create index client_log_entries_device on client_log_entries (device, happened_at desc, id desc) where device is not null;
create index client_log_entries_message on client_log_entries (message_key, happened_at desc, id desc);

-- A partition for a day (UTC): a whole day is deleted by dropping its table. Its name is data, so the statement is made up.
create function client_log_partition(day date) returns void language plpgsql as $$
begin
  execute format('create table if not exists %I partition of client_log_entries for values from (%L) to (%L)',
    'client_log_entries_' || to_char(day, 'YYYYMMDD'),
    to_char(day, 'YYYY-MM-DD') || ' 00:00:00+00', to_char(day + 1, 'YYYY-MM-DD') || ' 00:00:00+00');
end $$;

-- Words are indexed once a day for all entries with the same message: most of what devices send was sent before.
create table client_log_messages (
  -- Day of receipt (UTC), as that of the entries' partition.
  day date not null,
  key bigint not null,
  message text not null,
  primary key (day, key)
);
create index client_log_messages_words on client_log_messages using gin (to_tsvector('simple', message));

-- Builds in the order in which this instance first ran them.
create table client_log_releases (
  name text primary key,
  position bigint generated always as identity unique,
  first_run_at timestamptz not null
);

create table client_log_issues (
  id uuid primary key default gen_random_uuid(),
  title text not null,
  type text not null,
  culprit text,
  state text not null default 'open' check (state in ('open', 'resolved', 'ignored')),
  regression boolean not null default false,
  resolved_in text,
  -- Position of the first release that should not have it.
  resolved_position bigint,
  resolved_at timestamptz,
  ignored_until jsonb,
  -- Count, people and newest release when it was ignored.
  ignored_from jsonb,
  first_at timestamptz not null,
  last_at timestamptz not null,
  first_release text,
  last_release text,
  is_other boolean not null default false
);
create unique index client_log_issues_other on client_log_issues (is_other) where is_other;

create table client_log_groups (
  id integer generated always as identity primary key,
  fingerprint bytea not null unique,
  version smallint not null,
  issue_id uuid not null references client_log_issues,
  why jsonb not null,
  count bigint not null default 0,
  people integer not null default 0,
  first_at timestamptz not null,
  last_at timestamptz not null,
  -- The network of the stranger whom every entry of it came from; null once somebody else had it too.
  stranger text
);
create index client_log_groups_stranger on client_log_groups (last_at) where stranger is not null;
create index client_log_groups_issue on client_log_groups (issue_id);

create table client_log_issue_events (
  id bigint generated always as identity primary key,
  issue_id uuid not null references client_log_issues on delete cascade,
  at timestamptz not null,
  what text not null,
  by_user uuid,
  detail text
);
create index client_log_issue_events_issue on client_log_issue_events (issue_id, at desc);

-- Rollups: what lists and bars read instead of the entries. Counts stand in the indexes, so a range reads no row.

create table client_log_hours (
  hour timestamptz not null,
  group_id integer not null references client_log_groups on delete cascade,
  count integer not null,
  primary key (hour, group_id) include (count)
);
create index client_log_hours_group on client_log_hours (group_id, hour) include (count);

create table client_log_days (
  day date not null,
  group_id integer not null references client_log_groups on delete cascade,
  count integer not null,
  primary key (day, group_id) include (count)
);
create index client_log_days_group on client_log_days (group_id, day) include (count);

create table client_log_facets (
  group_id integer not null references client_log_groups on delete cascade,
  dimension text not null,
  value text not null,
  count bigint not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  primary key (group_id, dimension, value)
);
create index client_log_facets_value on client_log_facets (dimension, value, last_at) include (group_id);

create table client_log_people (
  group_id integer not null references client_log_groups on delete cascade,
  person text not null,
  primary key (group_id, person)
);
create index client_log_people_person on client_log_people (person, group_id);

create table client_log_series (
  hour timestamptz not null,
  dimension text not null,
  value text not null,
  errors integer not null,
  debugs integer not null,
  primary key (dimension, value, hour)
);
create index client_log_series_hour on client_log_series (hour, dimension);

-- A bounded vocabulary for each dimension: what strangers send cannot make rollups grow without end.
create table client_log_values (
  dimension text not null,
  value text not null,
  primary key (dimension, value)
);

-- One row for each device (or person) and day, as it last was.
create table client_log_devices (
  day date not null,
  person text not null,
  release text,
  engine text,
  browser text,
  os text,
  display text,
  push text,
  storage text,
  offline boolean not null,
  primary key (day, person)
);

create table client_log_drops (
  id bigint generated always as identity primary key,
  received_at timestamptz not null,
  user_id uuid,
  device text,
  errors integer not null,
  debugs integer not null
);
create index client_log_drops_time on client_log_drops (received_at);
create index client_log_drops_user on client_log_drops (user_id, received_at) where user_id is not null;

-- What was stored in a day (UTC), how much of it came from strangers, and how many entries were refused.
create table client_log_daily (
  day date primary key,
  stored bigint not null default 0,
  bytes bigint not null default 0,
  stranger_rows bigint not null default 0,
  stranger_bytes bigint not null default 0,
  refused bigint not null default 0
);

-- What one sender used in an hour: a member, or the network that a stranger's requests came from.
create table client_log_senders (
  hour timestamptz not null,
  sender text not null,
  rows integer not null default 0,
  bytes bigint not null default 0,
  groups integer not null default 0,
  primary key (hour, sender)
);

create table client_log_rules (
  id uuid primary key default gen_random_uuid(),
  name text not null,
  enabled boolean not null,
  condition jsonb not null,
  channel jsonb not null,
  quiet jsonb,
  cooldown_minutes integer not null,
  created_by uuid,
  created_at timestamptz not null,
  last_alert_at timestamptz,
  -- Since when its channel takes nothing, why, and whether operators were told so elsewhere.
  failing_since timestamptz,
  failure text,
  failure_told boolean not null default false,
  -- The setting of the environment that this rule is of; null: operators wrote it.
  setting text unique check (setting in ('ALERTS_TELEGRAM_CHAT', 'ALERTS_WEBHOOK'))
);

create table client_log_alerts (
  id uuid primary key default gen_random_uuid(),
  rule_id uuid not null references client_log_rules on delete cascade,
  -- One alert a cool-down for the same thing: rule, subject and its window.
  once text not null unique,
  at timestamptz not null,
  title text not null,
  text text not null,
  issue_id uuid,
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'failed')),
  not_before timestamptz not null,
  tries integer not null default 0,
  error text
);
create index client_log_alerts_waiting on client_log_alerts (not_before) where state = 'waiting';
create index client_log_alerts_time on client_log_alerts (at desc);
