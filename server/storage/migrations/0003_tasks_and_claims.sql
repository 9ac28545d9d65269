-- Tasks, what members send for them, and how it is decided.

create table tasks (
  id uuid not null default gen_random_uuid(),
  community_id uuid not null references communities on delete cascade,
  -- The contract lists the kinds and checks them: a list here would be a second one to change with each new kind.
  kind text not null,
  title text not null,
  instructions text not null default '',
  points integer not null check (points >= 0),
  recurrence text not null check (recurrence in ('once', 'daily', 'weekly', 'monthly')),
  -- A scheduled task is a live one that opens later.
  status text not null default 'live' check (status in ('draft', 'live', 'archived')),
  -- The contract's TaskSetup without its kind. It holds a quiz's answers, so no member may get it as it is.
  config jsonb not null default '{}',
  opens_at timestamptz,
  closes_at timestamptz,
  -- { days, from, until } on the member's own clock
  local_window jsonb,
  cap_total integer check (cap_total > 0),
  cap_member integer check (cap_member > 0),
  cool_down_minutes integer not null default 0 check (cool_down_minutes >= 0),
  conditions jsonb,
  -- Where a leader put it; null: behind those that have a position, the oldest first.
  position integer,
  created_by uuid not null references users,
  created_at timestamptz not null default now(),
  changed_at timestamptz not null default now(),
  -- When a draft or archived task last went live: nobody did it before. Null: live since it was made, or never.
  published_at timestamptz,
  -- Ids are the server's, so each is one of a kind; with its community it serves rows that lie with those of their community.
  primary key (id, community_id)
);
create index tasks_community on tasks (community_id, status, created_at);

create table claims (
  id uuid not null default gen_random_uuid(),
  community_id uuid not null references communities on delete cascade,
  task_id uuid not null,
  user_id uuid not null references users on delete cascade,
  period text not null,
  state text not null check (state in ('submitted', 'checking', 'approved', 'rejected', 'changes_requested', 'reversed')),
  -- Grows with each line of its history: a decision names the version that it is about.
  version integer not null default 1,
  points integer not null,
  -- The contract's Evidence, null where the kind needs none.
  evidence jsonb,
  -- The contract's Check[], in order.
  checks jsonb not null default '[]',
  retry_at timestamptz,
  -- Digest of the normalized answer: the same one of another member is a hint for the reviewer.
  answer_hash bytea,
  acted_at timestamptz not null,
  -- Day of the act in the member's time zone as it was then: what a streak counts.
  local_day date not null,
  submitted_at timestamptz not null default now(),
  decided_at timestamptz,
  decided_by uuid references users,
  reason text,
  appeal_text text,
  appeal_at timestamptz,
  appeal_outcome text check (appeal_outcome in ('open', 'granted', 'refused', 'withdrawn')),
  primary key (id, community_id),
  foreign key (task_id, community_id) references tasks on delete cascade
);
-- Of a member, task and period one thing waits: an answer, or an appeal. An appeal gives way to its member's newer word, and a
-- rejected claim makes room for another try.
create unique index claims_live on claims (community_id, task_id, user_id, period)
  where state in ('submitted', 'checking', 'changes_requested', 'approved') or appeal_outcome = 'open';
-- The review queue, the same of a task, the appeals, and pages of one state: each in its order, without sorting a long history.
create index claims_queue on claims (community_id, submitted_at, id) where state in ('submitted', 'checking');
create index claims_waiting on claims (task_id, submitted_at, id) include (community_id, user_id, state, appeal_outcome)
  where state in ('submitted', 'checking');
create index claims_appeals on claims (community_id, appeal_at, id) where appeal_outcome = 'open';
-- Those of a state are pages too; the approved ones are most of all and found by `claims_community`.
create index claims_other on claims (community_id, state, submitted_at, id) where state <> 'approved';
-- What one member did and has waiting, in one community or in all; their past and the days that count are read in this index alone.
create index claims_member on claims (user_id, community_id, submitted_at desc) include (state, decided_by, local_day);
create index claims_open on claims (user_id, community_id) include (points)
  where state in ('submitted', 'checking', 'changes_requested');
-- Caps, polls and what a leader sees of a task; answers that are the same; what a member sent for a task.
create index claims_task on claims (task_id, state);
create index claims_answer on claims (task_id, answer_hash) where answer_hash is not null;
create index claims_answer_latest on claims (task_id, submitted_at) where answer_hash is not null;
create index claims_task_member on claims (task_id, user_id);
-- What a community did over time, and exports in that order.
create index claims_community on claims (community_id, submitted_at, id);
create index claims_reviewed on claims (community_id, decided_at) where decided_by is not null;

-- Every transition keeps its kind, who, when, why and what the try held: a resubmission replaces the claim's own evidence.
-- `claim_steps` (0005_ledger.sql) is the history as everybody reads it.
create table claim_events (
  id bigint generated always as identity primary key,
  community_id uuid not null,
  claim_id uuid not null,
  -- What the claim is from here on: its version.
  version integer not null default 1,
  -- `checked`: sent by its actor, and decided by the server in the same moment. `answered`: the server decided what was sent
  -- earlier, once it knew; everybody reads it as `checked`, by nobody.
  kind text not null check (kind in ('submitted', 'resubmitted', 'checked', 'approved', 'rejected', 'sent_back', 'appealed',
    'appeal_granted', 'appeal_refused', 'appeal_withdrawn', 'given', 'reversed', 'answered')),
  at timestamptz not null default now(),
  actor_id uuid references users,
  from_state text,
  to_state text not null,
  reason text,
  evidence jsonb,
  foreign key (claim_id, community_id) references claims on delete cascade
);
create index claim_events_claim on claim_events (claim_id);
-- Of the summarizing kind: what a desk counts by day is read in blocks of neighbouring rows.
create index claim_events_at on claim_events using brin (at) with (autosummarize = on);

-- Pictures and files that members send. Pictures are encoded again on the device; both are checked by content on the server. The id
-- is the device's, so an upload may be repeated.
create table images (
  id uuid primary key,
  community_id uuid not null references communities on delete cascade,
  user_id uuid not null references users on delete cascade,
  type text not null check (type in ('image/webp', 'image/jpeg', 'application/pdf', 'text/plain')),
  -- A picture has sides.
  width integer,
  height integer,
  sha256 bytea not null,
  bytes bytea not null,
  -- Null until a claim shows it; a job deletes those that stay unused.
  claim_id uuid,
  created_at timestamptz not null default now(),
  foreign key (claim_id, community_id) references claims on delete cascade,
  constraint images_bytes_check check (
    case when type like 'image/%' then octet_length(bytes) <= 307200 and width is not null and height is not null
      else octet_length(bytes) <= 1048576 end)
);
-- They are compressed already: PostgreSQL need not try. Version 15 takes this in no other way.
alter table images alter column bytes set storage external;
create index images_member on images (user_id, created_at);
create index images_unused on images (created_at) where claim_id is null;
create index images_claim on images (claim_id);
-- The same picture sent twice is a hint for the reviewer.
create index images_same on images (community_id, sha256);

-- The key pair behind an event's codes; the devices of stewards hold the private half too.
create table event_keys (
  community_id uuid not null,
  task_id uuid not null,
  private_key bytea not null,
  public_key bytea not null,
  created_at timestamptz not null default now(),
  primary key (task_id, community_id),
  foreign key (task_id, community_id) references tasks on delete cascade
);

-- The secret with which requests to a leader's own program are signed. It is told once, when it is made.
create table partner_keys (
  community_id uuid not null,
  task_id uuid not null,
  secret bytea not null,
  created_at timestamptz not null default now(),
  primary key (task_id, community_id),
  foreign key (task_id, community_id) references tasks on delete cascade
);

-- Claims about which a partner is to be asked, until it has answered: the queue. While a claim is here no reviewer need look at it.
create table partner_checks (
  community_id uuid not null,
  claim_id uuid not null,
  task_id uuid not null,
  attempts integer not null default 0,
  created_at timestamptz not null default now(),
  next_try_at timestamptz not null,
  primary key (claim_id, community_id),
  foreign key (claim_id, community_id) references claims on delete cascade,
  foreign key (task_id, community_id) references tasks on delete cascade
);
create index partner_checks_due on partner_checks (next_try_at);
create index partner_checks_task on partner_checks (task_id, created_at);

-- Packs of questions that communities write themselves.
create table quiz_packs (
  id uuid not null default gen_random_uuid(),
  community_id uuid not null references communities on delete cascade,
  title text not null,
  about text not null default '',
  language text not null,
  -- The contract's QuizQuestion[]. It holds the keys, so nobody but the community's leaders may get it as it is.
  questions jsonb not null,
  created_by uuid not null references users,
  created_at timestamptz not null default now(),
  changed_at timestamptz not null default now(),
  primary key (id, community_id)
);
create index quiz_packs_community on quiz_packs (community_id, created_at);

-- Graded attempts at these packs and at the product's own.
create table quiz_attempts (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users on delete cascade,
  -- 'shipped:<id>', or 'own:<id of quiz_packs>'. No reference: what was drawn outlives its pack.
  pack text not null,
  -- Of the pack when it was drawn.
  title text not null,
  -- Null for an attempt of one's own, which gives no points.
  community_id uuid references communities on delete cascade,
  task_id uuid,
  pass_percent integer not null check (pass_percent between 1 and 100),
  -- { of, question }[]: a question of the pack, and the same under the ids of this attempt, with its key. Never sent as it is.
  questions jsonb not null,
  drawn_at timestamptz not null,
  -- All null until the attempt is graded, which it is once.
  graded_at timestamptz,
  answers jsonb,
  outcome text check (outcome in ('passed', 'failed', 'hasty')),
  score integer,
  foreign key (task_id, community_id) references tasks on delete cascade,
  check ((graded_at is null) = (outcome is null))
);
-- One that is open is given again: nobody reads a whole bank by taking it out over and over.
create unique index quiz_attempts_open on quiz_attempts (user_id, pack, task_id) nulls not distinct where graded_at is null;
create index quiz_attempts_member on quiz_attempts (user_id, drawn_at desc, id);
-- What a member was asked of a pack before, and how often they failed of late.
create index quiz_attempts_pack on quiz_attempts (user_id, pack, graded_at);
create index quiz_attempts_community on quiz_attempts (community_id, pack) where graded_at is not null;
create index quiz_attempts_task on quiz_attempts (task_id);
