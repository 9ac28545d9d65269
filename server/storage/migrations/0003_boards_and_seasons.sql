-- Boards of the instance, seasons, the histogram behind every rank, rewards, badges and referral.

create table seasons (
  id uuid primary key default gen_random_uuid(),
  community_id uuid not null references communities on delete cascade,
  name text not null,
  rules text not null default '',
  starts_at timestamptz,
  ends_at timestamptz not null,
  grace_hours integer not null default 48 check (grace_hours >= 0),
  -- empty: every task counts
  task_ids uuid[] not null default '{}',
  -- from then on the rules are locked; null: draft
  started_at timestamptz,
  -- from then on nothing changes
  frozen_at timestamptz,
  created_by uuid not null references users,
  created_at timestamptz not null default now()
);
create index seasons_community on seasons (community_id, ends_at desc);
-- One at a time: a season is in the way until it is frozen.
create unique index seasons_running on seasons (community_id) where started_at is not null and frozen_at is null;
create index seasons_to_freeze on seasons (ends_at) where started_at is not null and frozen_at is null;
create index seasons_to_start on seasons (starts_at) where started_at is null and starts_at is not null;

-- Copied when a season freezes: memberships change, results do not.
create table season_results (
  season_id uuid not null references seasons on delete cascade,
  user_id uuid not null references users on delete restrict,
  rank integer not null,
  points integer not null,
  reached_at timestamptz not null,
  primary key (season_id, user_id)
);
create index season_results_board on season_results (season_id, points desc, reached_at, user_id);

create table rewards (
  id uuid primary key default gen_random_uuid(),
  season_id uuid not null references seasons on delete cascade,
  community_id uuid not null references communities on delete cascade,
  name text not null,
  description text not null default '',
  rule jsonb not null,
  min_trust integer check (min_trust between 1 and 100),
  -- made with the reward; its hash is public once the season is live, itself once drawn
  seed bytea not null,
  method text,
  entrants integer,
  entrants_hash bytea,
  drawn_at timestamptz,
  created_at timestamptz not null default now()
);
create index rewards_season on rewards (season_id, created_at);
create table reward_winners (
  reward_id uuid not null references rewards on delete cascade,
  place integer not null,
  user_id uuid not null references users on delete restrict,
  points integer not null,
  primary key (reward_id, place),
  unique (reward_id, user_id)
);

-- Who took part in a draw, in the order it was drawn from: trust may change, the draw may not.
create table reward_entrants (
  reward_id uuid not null references rewards on delete cascade,
  user_id uuid not null references users on delete restrict,
  tickets integer not null,
  primary key (reward_id, user_id)
);

create table badges (
  user_id uuid not null references users on delete cascade,
  -- null: earned over all communities
  community_id uuid references communities on delete cascade,
  code text not null,
  earned_at timestamptz not null,
  unique nulls not distinct (user_id, community_id, code)
);

create table invites (
  code text primary key,
  community_id uuid not null references communities on delete cascade,
  user_id uuid not null references users on delete cascade,
  created_at timestamptz not null default now(),
  unique (community_id, user_id)
);
create table referrals (
  community_id uuid not null references communities on delete cascade,
  invitee_id uuid not null references users on delete cascade,
  inviter_id uuid not null references users on delete cascade,
  joined_at timestamptz not null default now(),
  -- when the invitee reached the threshold; stays when points go again
  qualified_at timestamptz,
  primary key (community_id, invitee_id),
  check (invitee_id <> inviter_id)
);
create index referrals_inviter on referrals (community_id, inviter_id, joined_at);

alter table communities
  add column invite_threshold integer not null default 50 check (invite_threshold >= 0),
  add column board_state text not null default 'open' check (board_state in ('open', 'hidden', 'frozen')),
  add column board_since timestamptz not null default now();

alter table users add column time_zone_changed_at timestamptz;

alter table point_events
  -- whether it counts on the instance's boards too: written as the community was then
  add column instance boolean not null default true,
  -- the season it counted in
  add column season_id uuid references seasons on delete restrict;
create unique index point_events_reverse on point_events (community_id, claim_id) where kind = 'reverse';
create index point_events_claim on point_events (claim_id);
-- The order of a member's ledger is that of its lines.
drop index point_events_member;
create index point_events_member on point_events (user_id, id desc);
create index point_events_community on point_events (community_id, at desc, id desc);

-- The instance is the community of the id that has no bits, so that its boards are boards like all others.
alter table standings drop constraint standings_community_id_fkey;
insert into standings (community_id, period, user_id, points, reached_at)
  select '00000000-0000-0000-0000-000000000000', period, user_id, sum(points), max(reached_at)
  from standings group by period, user_id;

-- How many who compete stand at each score, at four widths: level l counts in buckets of 64^l points. A rank is
-- 1 + what stands in the higher buckets, at most 63 counters a level below the widest, however long the board is.
create table hist (
  community_id uuid not null,
  period text not null,
  lvl smallint not null check (lvl between 0 and 3),
  bucket integer not null,
  cnt integer not null,
  -- the counter stays out of the index, so that counting rewrites no index
  primary key (community_id, period, lvl, bucket)
) with (fillfactor = 50);

create function board_rank(place uuid, board text, score integer) returns integer language plpgsql stable as $$
begin
  return 1 + (
    select coalesce(sum(cnt), 0) from (
      select cnt from hist where community_id = place and period = board and lvl = 0 and bucket > score and bucket <= (score | 63)
      union all
      select cnt from hist where community_id = place and period = board and lvl = 1 and bucket > score >> 6 and bucket <= (score >> 6 | 63)
      union all
      select cnt from hist where community_id = place and period = board and lvl = 2 and bucket > score >> 12 and bucket <= (score >> 12 | 63)
      union all
      select cnt from hist where community_id = place and period = board and lvl = 3 and bucket > score >> 18
    ) higher);
end $$;

insert into hist
  select community_id, period, l.lvl, points >> (6 * l.lvl), count(*)
  from standings cross join generate_series(0, 3) as l (lvl)
  where competes and points > 0
  group by community_id, period, l.lvl, points >> (6 * l.lvl);

-- Whoever writes standings, the histogram follows in the same statement: it cannot be forgotten, nor drift.
-- Writers of one community take turns (this lock and the ledger's are one), so that none meets another at two buckets.
create function hist_follows_standings() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into hist as h (community_id, period, lvl, bucket, cnt)
      select community_id, period, l.lvl, points >> (6 * l.lvl) as bucket, sum(change)
      from (select *, 1 as change from new_rows) moved cross join generate_series(0, 3) as l (lvl)
      where competes and points > 0
      group by community_id, period, l.lvl, bucket having sum(change) <> 0
      order by community_id, period, l.lvl, bucket
      on conflict (community_id, period, lvl, bucket) do update set cnt = h.cnt + excluded.cnt;
  elsif tg_op = 'DELETE' then
    insert into hist as h (community_id, period, lvl, bucket, cnt)
      select community_id, period, l.lvl, points >> (6 * l.lvl) as bucket, sum(change)
      from (select *, -1 as change from old_rows) moved cross join generate_series(0, 3) as l (lvl)
      where competes and points > 0
      group by community_id, period, l.lvl, bucket having sum(change) <> 0
      order by community_id, period, l.lvl, bucket
      on conflict (community_id, period, lvl, bucket) do update set cnt = h.cnt + excluded.cnt;
  else
    insert into hist as h (community_id, period, lvl, bucket, cnt)
      select community_id, period, l.lvl, points >> (6 * l.lvl) as bucket, sum(change)
      from (select *, 1 as change from new_rows union all select *, -1 from old_rows) moved cross join generate_series(0, 3) as l (lvl)
      where competes and points > 0
      group by community_id, period, l.lvl, bucket having sum(change) <> 0
      order by community_id, period, l.lvl, bucket
      on conflict (community_id, period, lvl, bucket) do update set cnt = h.cnt + excluded.cnt;
  end if;
  return null;
end $$;
create trigger standings_hist_insert after insert on standings
  referencing new table as new_rows for each statement execute function hist_follows_standings();
create trigger standings_hist_update after update on standings
  referencing old table as old_rows new table as new_rows for each statement execute function hist_follows_standings();
create trigger standings_hist_delete after delete on standings
  referencing old table as old_rows for each statement execute function hist_follows_standings();

create or replace function standings_follow_membership() returns trigger language plpgsql as $$
declare
  place uuid := coalesce(new.community_id, old.community_id);
begin
  perform pg_advisory_xact_lock(hashtextextended(place::text, 4));
  -- A member's rows over all periods, a step of the primary key each: every other index would slow down every point.
  with recursive periods as (
    (select period from standings where community_id = place order by period limit 1)
    union all
    select (select s.period from standings s where s.community_id = place and s.period > p.period order by s.period limit 1)
    from periods p where p.period is not null
  )
  update standings set competes = (tg_op <> 'DELETE' and new.role <> 'leader')
    where community_id = place and period in (select period from periods where period is not null)
      and user_id = coalesce(new.user_id, old.user_id);
  return null;
end $$;
drop index standings_member;
create index standings_member on standings (user_id) where period = 'all';

-- Counted where it changes: a board of a million does not count its members to show their number.
alter table communities add column members integer not null default 0;
update communities c set members = (select count(*) from community_members m where m.community_id = c.id);
create function communities_count_members() returns trigger language plpgsql as $$
begin
  update communities c set members = c.members + case when tg_op = 'INSERT' then moved.count else -moved.count end
    from (select community_id, count(*)::integer as count from moved_rows group by community_id) moved
    where c.id = moved.community_id;
  return null;
end $$;
create trigger community_members_joined after insert on community_members
  referencing new table as moved_rows for each statement execute function communities_count_members();
create trigger community_members_left after delete on community_members
  referencing old table as moved_rows for each statement execute function communities_count_members();

-- What a reviewer still holds of one member, over all communities.
create index claims_pending on claims (user_id, community_id) include (points) where state in ('submitted', 'checking');
-- A draw by who came first reads a season's lines in order.
create index point_events_season on point_events (season_id, user_id, id) include (points, at) where season_id is not null;
