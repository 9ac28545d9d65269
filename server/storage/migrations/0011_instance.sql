-- What the instance keeps of its own running: requests, switches, the model's cost, jobs, health, and what people do, counted by day.

-- Answers of idempotent commands, written in the transaction of their effect.
create table idempotency_keys (
  user_id uuid not null references users on delete cascade,
  key text not null,
  route text not null,
  request_hash bytea not null,
  status integer not null,
  answer jsonb not null,
  -- The ids that stand in the answer, of people and of what they did: who is erased is found by ids, never by words that others may
  -- have written, too (docs/decisions/erasure.md).
  ids uuid[] not null default '{}',
  created_at timestamptz not null default now(),
  primary key (user_id, key)
);
create index idempotency_keys_age on idempotency_keys (created_at);

-- Unlogged: a count must not wait for the disk, and may begin anew after a crash.
create unlogged table rate_limits (
  key text primary key,
  window_start timestamptz not null,
  count integer not null
);

-- What administrators switch while the server runs, beside what the environment says.
create table instance_switches (
  name text primary key,
  is_on boolean not null,
  reason text not null,
  changed_by uuid references users on delete set null,
  changed_at timestamptz not null
);

-- Questions to the instance's model are counted, so that no member and no day uses up what the instance pays for: how often it was
-- asked, calls that reached its service, and bytes sent to it and read from it. `open` are questions that are being answered: each of
-- them may still cost as much as one question may. What was asked is kept nowhere. Here those of one member on one day (UTC).
create table assistant_questions (
  day date not null,
  user_id uuid not null references users on delete cascade,
  count integer not null check (count >= 0),
  open integer not null default 0 check (open >= 0),
  calls integer not null default 0,
  sent bigint not null default 0,
  received bigint not null default 0,
  given_back integer not null default 0,
  primary key (day, user_id)
);

-- Of all members of a community together.
create table assistant_communities (
  day date not null,
  community_id uuid not null references communities on delete cascade,
  count integer not null check (count >= 0),
  open integer not null default 0 check (open >= 0),
  calls integer not null default 0,
  sent bigint not null default 0,
  received bigint not null default 0,
  primary key (day, community_id)
);

-- Of all members together, in a row of its own: the last question of a day is given once.
create table assistant_days (
  day date primary key,
  count integer not null check (count >= 0),
  open integer not null default 0 check (open >= 0),
  calls integer not null default 0,
  sent bigint not null default 0,
  received bigint not null default 0
);

-- One row for each job: how its latest run ended, whichever process did it.
create table job_runs (
  name text primary key,
  every_ms integer not null,
  ran_at timestamptz not null,
  ok_at timestamptz,
  -- Null where the latest run went well.
  failing_since timestamptz,
  error text
);

-- What each health check last said, and since when it has said so.
create table health_states (
  name text primary key,
  state text not null check (state in ('fine', 'attention', 'failed')),
  since timestamptz not null
);

-- The worst that a check said on a day (UTC), and the last figure of that day: how full the disk is, how large the database.
create table health_days (
  name text not null,
  day date not null,
  state text not null check (state in ('fine', 'attention', 'failed')),
  figure double precision,
  primary key (name, day)
);

-- Backups that were tried, by this instance's own command.
create table backups (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  rows bigint,
  -- Null: it went well.
  error text
);
create index backups_at on backups (at desc);

-- What the last comparison of the ledger with the boards found: one row.
create table ledger_checks (
  is_only boolean primary key default true check (is_only),
  at timestamptz not null,
  differences integer not null,
  -- The part of all people and communities that is compared next.
  slice smallint not null default 0,
  -- People and boards that differed: compared each time until they no longer do.
  suspects uuid[] not null default '{}'
);
-- How far each community's ledger has been added up, and to what. Writers of a community wait for each other, so its ids follow its commits.
create table ledger_marks (
  community_id uuid primary key references communities on delete cascade,
  event_id bigint not null
);
create table score_checks (
  user_id uuid not null references users on delete cascade,
  community_id uuid not null,
  points integer not null,
  primary key (user_id, community_id)
) with (fillfactor = 80);

-- First pages that browsers opened and installs that they told of, by day (UTC). No row is about anybody.
create table visit_days (
  what text not null check (what in ('landing', 'install')),
  day date not null,
  count bigint not null,
  primary key (what, day)
);

-- Days (UTC) that are counted below. `is_over`: nothing more can happen on it, so it is never counted again.
create table counted_days (
  day date primary key,
  is_over boolean not null,
  counted_at timestamptz not null
);

-- Who sent an answer on which day; the zero id stands for the instance. What is distinct over weeks cannot be added up from days.
create table active_days (
  community_id uuid not null,
  user_id uuid not null references users on delete cascade,
  day date not null,
  primary key (community_id, user_id, day)
);
create index active_days_day on active_days (community_id, day, user_id);

-- How many those were, in each day, week (from Monday) and month; the zero id stands for the instance.
create table active_counts (
  community_id uuid not null,
  span text not null check (span in ('day', 'week', 'month')),
  starts date not null,
  people integer not null,
  primary key (community_id, span, starts)
);

-- What came of each task on a day: answers that were made, of those the ones that arrived more than a minute after they were
-- made, answers that were sent again, and approvals and rejections of that day.
create table claim_days (
  community_id uuid not null references communities on delete cascade,
  task_id uuid not null references tasks on delete cascade,
  day date not null,
  made integer not null,
  late integer not null,
  again integer not null,
  approved integer not null,
  refused integer not null,
  primary key (community_id, day, task_id)
);
create index claim_days_day on claim_days (day);
create index claim_days_task on claim_days (task_id);

-- How many waited how long: `decision` from an answer or appeal to a reviewer's word, `replay` from the act on the device to its
-- arrival, of late ones. Whole minutes, so that medians are exact to the minute.
create table wait_days (
  community_id uuid not null references communities on delete cascade,
  what text not null check (what in ('decision', 'replay')),
  day date not null,
  minutes integer not null,
  count integer not null,
  primary key (community_id, what, day, minutes)
);
create index wait_days_day on wait_days (what, day);

-- Notifications of a day (of their making): devices that a push service took them for, and people who saw and who opened them.
-- The zero id stands for those of no community.
create table push_days (
  community_id uuid not null,
  day date not null,
  sent integer not null,
  gone integer not null,
  failed integer not null,
  shown integer not null,
  opened integer not null,
  primary key (community_id, day)
);
