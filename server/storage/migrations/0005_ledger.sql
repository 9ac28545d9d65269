-- The ledger: every point that was ever given or taken back, append-only, and imports, which bring points from elsewhere.
-- Boards are made from it (0006_boards.sql).

create table point_events (
  id bigint generated always as identity,
  community_id uuid not null references communities,
  user_id uuid not null references users,
  kind text not null check (kind in ('award', 'adjust', 'reverse')),
  points integer not null,
  task_id uuid,
  claim_id uuid,
  period text,
  -- The season it counted in.
  season_id uuid,
  -- Whether it counts on the instance's boards too: written as the community was then.
  instance boolean not null default true,
  reason text,
  actor_id uuid references users,
  -- The import that it is of. Such lines count for all time only: on no day's, week's, month's or season's board, and not on the
  -- instance's. No reference: it would be checked for every line there is while everybody waits.
  import_id uuid,
  at timestamptz not null default now(),
  primary key (community_id, id),
  foreign key (task_id, community_id) references tasks,
  foreign key (claim_id, community_id) references claims,
  foreign key (season_id, community_id) references seasons on delete restrict
);
-- One award for each community, member, task and period, and one reversal of a claim: no repeated command counts twice.
create unique index point_events_award on point_events (community_id, user_id, task_id, period) where kind = 'award';
create unique index point_events_reverse on point_events (community_id, claim_id) where kind = 'reverse';
-- Points of an import are given once, and taken back once.
create unique index point_events_import on point_events (community_id, import_id, user_id, kind) where import_id is not null;
create index point_events_claim on point_events (claim_id) where claim_id is not null;
-- A member's ledger has the order of its entries.
create index point_events_member on point_events (user_id, id desc);
-- A community's lines since a moment; of one moment there are few.
create index point_events_community on point_events (community_id, at desc);
-- A draw by who came first reads a season's entries in order.
create index point_events_season on point_events (season_id, user_id, id) include (points, at) where season_id is not null;

-- A line of the ledger stays what it is for ever; only the words with it may go, with the person whom they are about.
create function ledger_is_append_only() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and current_setting('muster.erasing', true) = 'on' and new.reason is null
    and to_jsonb(new) - 'reason' = to_jsonb(old) - 'reason' then
    return new;
  end if;
  raise exception 'point_events is append-only';
end $$;
create trigger point_events_append_only before update or delete on point_events
  for each row execute function ledger_is_append_only();

-- What happened to each claim, in the order of `event_id` and `nth`: what people did, what the server checked, and what the
-- ledger has of it. Receipt, card, review, export and API read this and nothing else.
create view claim_steps as
  select e.community_id, e.claim_id, e.id as event_id, 1 as nth,
    case when e.kind = 'answered' then 'checked' when e.kind <> 'checked' then e.kind
      when e.from_state is null then 'submitted' else 'resubmitted' end as kind,
    e.at, e.actor_id, e.version, e.from_state,
    case e.kind when 'checked' then 'submitted' else e.to_state end as to_state,
    case e.kind when 'checked' then null else e.reason end as reason, e.evidence, back.points
  from claim_events e
  left join point_events back on e.kind = 'reversed' and back.community_id = e.community_id and back.claim_id = e.claim_id
    and back.kind = 'reverse'
  union all
  select community_id, claim_id, id, 2, 'checked', at, null, version, 'submitted', to_state, reason, null, null
  from claim_events where kind = 'checked'
  union all
  select e.community_id, e.claim_id, e.id, 3, 'counted', p.at, null, e.version, 'approved', 'approved', null, null, p.points
  from claim_events e join point_events p on p.community_id = e.community_id and p.claim_id = e.claim_id and p.kind = 'award'
  where e.to_state = 'approved';

-- Lines of the ledger that do not count on the instance's boards yet.
create table instance_queue (
  community_id uuid not null,
  event_id bigint not null,
  primary key (event_id, community_id)
);

-- What a day (UTC) gave a community and took back, kept by who writes lines: they wait for each other anyway.
create table point_days (
  community_id uuid not null references communities on delete cascade,
  day date not null,
  points bigint not null,
  primary key (community_id, day)
);

-- What leaders moved in from elsewhere: members with their points, and tasks (docs/decisions/imports-and-belonging.md).
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
-- How many a founder's communities have moved in.
create index imports_people on imports (community_id) where kind = 'people';

-- One line of a file. It waits until its person joins or takes the offer that stands for them (docs/decisions/imports-and-belonging.md). What names a
-- person is kept only while they are waited for: once they have come, `user_id` says who they are, and the names are gone; those who
-- never come are forgotten by a job.
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
  -- An import makes nobody a member. Where the file says since when a member belongs, that time and the member's own change places
  -- while the line counts: `joined` says so, and undoing changes them back.
  joined boolean not null default false,
  primary key (import_id, line),
  check ((user_id is null) = (state = 'waiting'))
);
-- One line of a file for each account.
create unique index imported_people_account on imported_people (import_id, user_id) where user_id is not null;
-- Who signs in is looked for here.
create index imported_people_ids on imported_people (telegram_user_id) where state = 'waiting';
create index imported_people_names on imported_people (telegram_username) where state = 'waiting' and telegram_user_id is null;
-- Lines that name nobody on Telegram wait for the one who proves the X handle in them.
create index imported_people_x on imported_people (x_handle)
  where state = 'waiting' and telegram_user_id is null and telegram_username is null;
-- What a job has to do.
create index imported_people_due on imported_people (import_id, line) where state in ('matched', 'undoing');
create index imported_people_user on imported_people (user_id) where user_id is not null;
