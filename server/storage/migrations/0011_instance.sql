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
  error text,
  -- What the runs came to that this row tells of: how many, the longest in ms, their statements, the rows that these read or wrote,
  -- and the share of their time in which the database worked for them.
  runs integer not null default 0,
  longest_ms integer not null default 0,
  statements bigint not null default 0,
  rows bigint not null default 0,
  share real not null default 0
);

-- What each health check last said, and since when it has said so.
create table health_states (
  name text primary key,
  state text not null check (state in ('fine', 'attention', 'failed', 'unknown')),
  since timestamptz not null,
  -- Since when it has been anything but fine; null while it is.
  ill_since timestamptz,
  -- The state that operators were alerted of; null: of none since it was last well.
  told text check (told in ('attention', 'failed', 'unknown'))
);

-- The worst that a check said on a day (UTC), and the last figure of that day: how full the disk is, how large the database.
create table health_days (
  name text not null,
  day date not null,
  state text not null check (state in ('fine', 'attention', 'failed')),
  figure double precision,
  primary key (name, day)
);

-- Backups that were tried, by this instance's own command or, where there is a file's name, by its job.
create table backups (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  rows bigint,
  -- Null: it went well.
  error text,
  file text,
  bytes bigint,
  -- When it was restored as a trial.
  tried_at timestamptz
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

-- What happened and is not counted below yet: written with its event, taken out by the job that counts it. Only that job writes
-- to a count, so that claims never wait for each other at one.
create table count_queue (
  community_id uuid not null,
  event_id bigint not null,
  primary key (event_id, community_id)
);
create function events_queued() returns trigger language plpgsql as $$
begin
  insert into count_queue (community_id, event_id) select community_id, id from changed_rows;
  return null;
end $$;
create trigger events_queued after insert on claim_events
  referencing new table as changed_rows for each statement execute function events_queued();

-- The same of claims that came into a state of which there is a count, or left it, however that came about. 1: into it; -1: out of it.
create table state_queue (
  id bigint generated always as identity,
  community_id uuid not null,
  task_id uuid not null,
  user_id uuid not null,
  local_day date not null,
  -- For a decision, for its member's other try, by a person's word.
  waiting smallint not null,
  sent_back smallint not null,
  rejected smallint not null,
  -- It is approved.
  counted smallint not null,
  primary key (id, community_id)
);
create function state_queued() returns trigger language plpgsql as $$
declare
  waiting integer := 0;
  sent_back integer := 0;
  rejected integer := 0;
  counted integer := 0;
begin
  if tg_op <> 'INSERT' then
    waiting := waiting - (old.state in ('submitted', 'checking'))::int;
    sent_back := sent_back - (old.state = 'changes_requested')::int;
    rejected := rejected - (old.state = 'rejected' and old.decided_by is not null)::int;
    counted := counted - (old.state = 'approved')::int;
  end if;
  if tg_op <> 'DELETE' then
    waiting := waiting + (new.state in ('submitted', 'checking'))::int;
    sent_back := sent_back + (new.state = 'changes_requested')::int;
    rejected := rejected + (new.state = 'rejected' and new.decided_by is not null)::int;
    counted := counted + (new.state = 'approved')::int;
  end if;
  if waiting <> 0 or sent_back <> 0 or rejected <> 0 or counted <> 0 then
    insert into state_queue (community_id, task_id, user_id, local_day, waiting, sent_back, rejected, counted)
    values (coalesce(new.community_id, old.community_id), coalesce(new.task_id, old.task_id), coalesce(new.user_id, old.user_id),
      coalesce(new.local_day, old.local_day), waiting, sent_back, rejected, counted);
  end if;
  return null;
end $$;
create trigger state_queued after insert or delete or update of state, decided_by on claims
  for each row execute function state_queued();

-- How many answers of a task wait for a decision, those that a partner or X is asked about among them; how many for their member's
-- other try; how many are approved, and how many a person rejected.
create table state_counts (
  community_id uuid not null references communities on delete cascade,
  task_id uuid not null,
  waiting integer not null,
  sent_back integer not null,
  approved integer not null,
  rejected integer not null,
  primary key (community_id, task_id),
  foreign key (task_id, community_id) references tasks on delete cascade
) with (fillfactor = 50);

-- What the days on which a member's answers count come to in a community, or with the zero id in all of them: the run up to the
-- last of these days, and what holds it.
create table member_days (
  community_id uuid not null,
  user_id uuid not null references users on delete cascade,
  counted_day date not null,
  run integer not null,
  freezes smallint not null,
  repair_on date not null,
  -- The day that ends the run if nothing counts until its end.
  ends_on date not null,
  -- The day on which its member was last reminded of it.
  reminded_on date,
  -- When the job that reminds looks at it next: in its member's evening. Null: it is over.
  look_at timestamptz default 'epoch',
  primary key (user_id, community_id)
) with (fillfactor = 80);
create index member_days_ending on member_days (community_id, ends_on, (-run), user_id);
-- At whom the job that reminds looks next.
create index member_days_look on member_days (look_at, user_id)
  where community_id = '00000000-0000-0000-0000-000000000000';

-- Days (UTC) that are over, and when their counts below were last compared with what happened on them.
create table counted_days (
  day date primary key,
  counted_at timestamptz not null
);

-- Who sent an answer on which days of a month: bit 0 is its first day. The zero id stands for the instance.
create table active_months (
  community_id uuid not null,
  user_id uuid not null references users on delete cascade,
  month date not null,
  days integer not null,
  primary key (community_id, user_id, month)
) with (fillfactor = 90);

-- How many those were, each once, in any 1, 7, 28 and 30 days and in each month, by the first day. What is distinct cannot be
-- added up from days. The zero id stands for the instance.
create table active_counts (
  community_id uuid not null,
  span text not null check (span in ('day', 'week', '28 days', '30 days', 'month')),
  starts date not null,
  people integer not null,
  primary key (community_id, span, starts)
);

-- What came of each task on a day: answers that were made, of those the ones that arrived more than a minute after they were
-- made, answers that were sent again, and approvals and rejections of that day.
create table claim_days (
  community_id uuid not null references communities on delete cascade,
  task_id uuid not null,
  day date not null,
  made integer not null,
  late integer not null,
  again integer not null,
  approved integer not null,
  refused integer not null,
  primary key (community_id, day, task_id),
  foreign key (task_id, community_id) references tasks on delete cascade
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
