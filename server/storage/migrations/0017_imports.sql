-- What leaders move in from elsewhere: members with their points, and tasks (docs/decisions/082).

create table imports (
  id uuid primary key default gen_random_uuid(),
  community_id uuid not null references communities on delete cascade,
  kind text not null check (kind in ('people', 'tasks')),
  -- Whose export it was, as the leader said or the columns did.
  source text not null check (source in ('muster', 'zealy', 'galxe', 'discourse', 'ctfd', 'other')),
  file_name text not null,
  -- What it brought: people or tasks, and the points of the people.
  count integer not null check (count > 0),
  points bigint not null default 0,
  -- Tasks that it made; they stay drafts until a leader publishes them.
  task_ids uuid[] not null default '{}',
  created_by uuid not null references users,
  created_at timestamptz not null,
  -- Until then it can be undone, once.
  undo_until timestamptz not null,
  undone_by uuid references users,
  undone_at timestamptz
);
create index imports_community on imports (community_id, created_at desc, id);

-- One line of a file. What names a person is kept only while they are waited for: once they have come, `user_id` says who they
-- are, and the names are gone; whoever never comes is forgotten by a job.
create table imported_people (
  import_id uuid not null references imports on delete cascade,
  line integer not null,
  community_id uuid not null references communities on delete cascade,
  -- Never taken over by anybody: where the file has it, it alone counts.
  telegram_user_id bigint,
  -- In small letters, without @. A name may be somebody else's by now.
  telegram_username text,
  x_handle text,
  name text,
  points integer not null check (points between 0 and 10000000),
  joined_at timestamptz,
  -- `matched`: the account is known, and its points are about to be written. `undoing`: they are about to be taken back.
  state text not null default 'waiting' check (state in ('waiting', 'matched', 'settled', 'undoing', 'undone')),
  user_id uuid references users on delete cascade,
  -- Whether this line made the person a member.
  joined boolean not null default false,
  primary key (import_id, line),
  check ((user_id is null) = (state = 'waiting'))
);
-- One line of a file for each account.
create unique index imported_people_account on imported_people (import_id, user_id) where user_id is not null;
-- Who signs in is looked for here.
create index imported_people_ids on imported_people (telegram_user_id) where state = 'waiting';
create index imported_people_names on imported_people (telegram_username) where state = 'waiting' and telegram_user_id is null;
-- What a job has to do.
create index imported_people_due on imported_people (import_id, line) where state in ('matched', 'undoing');
create index imported_people_user on imported_people (user_id) where user_id is not null;

-- Which import a line of the ledger is of. Such lines count for all time only: on no day's, week's, month's or season's board, and
-- not on the instance's. No reference: it would be checked for every line there is while everybody waits.
alter table point_events add column import_id uuid;
-- Points of an import are given once, and taken back once.
create unique index if not exists point_events_import on point_events (community_id, import_id, user_id, kind) where import_id is not null;
