-- Packs of questions that communities write themselves, and graded attempts at these and at the product's own.

create table quiz_packs (
  id uuid primary key default gen_random_uuid(),
  community_id uuid not null references communities on delete cascade,
  title text not null,
  about text not null default '',
  language text not null,
  -- The contract's QuizQuestion[]. It holds the keys, so nobody but the community's leaders may get it as it is.
  questions jsonb not null,
  created_by uuid not null references users,
  created_at timestamptz not null default now(),
  changed_at timestamptz not null default now()
);
create index quiz_packs_community on quiz_packs (community_id, created_at);

create table quiz_attempts (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users on delete cascade,
  -- 'shipped:<id>', or 'own:<id of quiz_packs>'. No reference: what was drawn outlives its pack.
  pack text not null,
  -- Of the pack when it was drawn.
  title text not null,
  -- Null for an attempt of one's own, which gives no points.
  community_id uuid references communities on delete cascade,
  task_id uuid references tasks on delete cascade,
  pass_percent integer not null check (pass_percent between 1 and 100),
  -- { of, question }[]: a question of the pack, and the same under the ids of this attempt, with its key. Never sent as it is.
  questions jsonb not null,
  drawn_at timestamptz not null,
  -- All null until the attempt is graded, which it is once.
  graded_at timestamptz,
  answers jsonb,
  outcome text check (outcome in ('passed', 'failed', 'hasty')),
  score integer,
  check ((graded_at is null) = (outcome is null))
);
-- One that is open is given again: nobody reads a whole bank by taking it out over and over.
create unique index quiz_attempts_open on quiz_attempts (user_id, pack, task_id) nulls not distinct where graded_at is null;
create index quiz_attempts_member on quiz_attempts (user_id, drawn_at desc, id);
-- What a member was asked of a pack before, and how often they failed of late.
create index quiz_attempts_pack on quiz_attempts (user_id, pack, graded_at);
create index quiz_attempts_community on quiz_attempts (community_id, pack) where graded_at is not null;
create index quiz_attempts_task on quiz_attempts (task_id);
