-- Every kind of task, what members send for it, and how it is decided.

alter table tasks drop constraint tasks_kind_check;
alter table tasks drop constraint tasks_recurrence_check;
alter table tasks drop constraint tasks_status_check;
alter table tasks
  add check (kind in ('check_in', 'visit_link', 'quiz', 'submit_text', 'submit_url', 'submit_image', 'poll', 'invite', 'manual', 'telegram_event')),
  add check (recurrence in ('once', 'daily', 'weekly', 'monthly')),
  -- a scheduled task is a live one that opens later
  add check (status in ('draft', 'live', 'archived')),
  -- the contract's TaskSetup without its kind; holds a quiz's answers, so no member's answer may carry it as it is
  add column config jsonb not null default '{}',
  add column opens_at timestamptz,
  add column closes_at timestamptz,
  -- { days, from, until } on the member's own clock
  add column local_window jsonb,
  add column cap_total integer check (cap_total > 0),
  add column cap_member integer check (cap_member > 0),
  add column cool_down_minutes integer not null default 0 check (cool_down_minutes >= 0),
  add column conditions jsonb,
  add column changed_at timestamptz not null default now();

alter table claims drop constraint claims_state_check;
alter table claims
  add check (state in ('submitted', 'checking', 'approved', 'rejected', 'changes_requested', 'reversed')),
  -- the contract's Evidence, null where the kind needs none
  add column evidence jsonb,
  -- the contract's Check[], in order
  add column checks jsonb not null default '[]',
  add column retry_at timestamptz,
  -- digest of the answer as it reads: the same one from somebody else is a sign for the reviewer
  add column answer_hash bytea,
  add column appeal_text text,
  add column appeal_at timestamptz,
  add column appeal_outcome text check (appeal_outcome in ('open', 'granted', 'refused'));
update claims set evidence = jsonb_build_object('kind', 'submit_text', 'text', text) where text is not null;
alter table claims drop column text;
-- What each try held: a resubmission replaces the claim's own.
alter table claim_events add column evidence jsonb;

drop index claims_live;
create unique index claims_live on claims (community_id, task_id, user_id, period)
  where state in ('submitted', 'checking', 'changes_requested', 'approved');
drop index claims_queue;
create index claims_queue on claims (community_id, submitted_at, id) where state in ('submitted', 'checking');
create index claims_appeals on claims (community_id, appeal_at, id) where appeal_outcome = 'open';
-- caps, polls, similar answers and what a leader sees of a task
create index claims_task on claims (task_id, state, submitted_at desc);
create index claims_answer on claims (task_id, answer_hash) where answer_hash is not null;
create index claims_task_member on claims (task_id, user_id, submitted_at desc);

-- Re-encoded on the device, checked by content here; the id is the device's, so that an upload may be repeated.
create table images (
  id uuid primary key,
  community_id uuid not null references communities on delete cascade,
  user_id uuid not null references users on delete cascade,
  type text not null check (type in ('image/webp', 'image/jpeg')),
  width integer not null,
  height integer not null,
  sha256 bytea not null,
  bytes bytea not null check (octet_length(bytes) <= 307200),
  -- null until a claim shows it: unused ones are swept
  claim_id uuid references claims on delete cascade,
  created_at timestamptz not null default now()
);
-- Already compressed.
alter table images alter column bytes set storage external;
create index images_member on images (user_id, created_at);
create index images_unused on images (created_at) where claim_id is null;
create index images_claim on images (claim_id);
-- The same picture sent twice is a sign for the reviewer.
create index images_same on images (community_id, sha256);

-- The key pair behind an event's codes; stewards' devices hold the private half too.
create table event_keys (
  task_id uuid primary key references tasks on delete cascade,
  private_key bytea not null,
  public_key bytea not null,
  created_at timestamptz not null default now()
);
