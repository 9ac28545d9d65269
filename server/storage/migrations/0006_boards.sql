-- Leaderboards: one row of points for each member and community, and counts that tell a rank without counting people
-- (docs/boards.md). All of it is made from the ledger; `muster ledger check` and an hourly job compare the two.
-- The instance is the community of the id that has no bits, so its boards are boards like all others. Leagues stand at the end.

-- One row holds the points of all five boards (all time, day, week, month, season), so an award rewrites one row. A board of a
-- day, week or month is that of the last one in which the member's points moved.
create table scores (
  user_id uuid not null references users on delete cascade,
  -- No foreign key: the instance has no row in `communities`.
  community_id uuid not null,
  -- When the totals were reached, the season's apart: it decides the order inside a tie.
  reached_at timestamptz not null,
  season_at timestamptz,
  season_id uuid,
  -- Of all time.
  points integer not null,
  -- The day, the Monday of the week and the first of the month in which points moved last, by the UTC calendar.
  day date,
  day_points integer not null default 0,
  week date,
  week_points integer not null default 0,
  month date,
  month_points integer not null default 0,
  season_points integer not null default 0,
  -- False for leaders, for who left and for who is suspended: their ledger stays, the boards leave them out.
  competes boolean not null default true,
  primary key (user_id, community_id)
) with (fillfactor = 80);
-- Negative, so that the order of a board is that of its index, and one range holds who stands below somebody.
create index scores_all on scores (community_id, (-points), reached_at, user_id) where competes and points > 0;
-- The other rows of a community, in the same order: leaders, who is suspended, and those without points.
create index scores_aside on scores (community_id, (-points), reached_at, user_id) where not (competes and points > 0);
create index scores_day on scores (community_id, day, (-day_points), reached_at, user_id) where competes and day_points > 0;
create index scores_week on scores (community_id, week, (-week_points), reached_at, user_id) where competes and week_points > 0;
create index scores_month on scores (community_id, month, (-month_points), reached_at, user_id) where competes and month_points > 0;
create index scores_season on scores (season_id, (-season_points), season_at, user_id) where competes and season_points > 0;

-- Boards that a leader froze: copies with ranks, so they need no counts.
create table frozen_boards (
  community_id uuid not null references communities on delete cascade,
  period text not null,
  user_id uuid not null references users on delete cascade,
  rank integer not null,
  points integer not null,
  reached_at timestamptz not null,
  -- How many stand on the board.
  ranked integer not null,
  primary key (community_id, period, user_id)
);
create index frozen_boards_board on frozen_boards (community_id, period, (-points), reached_at, user_id);

-- A board is named by whose it is (a community, the instance or a season), its period, and that period's first day
-- (1970-01-01 where no calendar bounds it).
create type board_period as enum ('all', 'day', 'week', 'month', 'season');

-- How many members a board has at each score, and in each bucket of 256 neighbouring scores. A rank is one more than the
-- members of all higher buckets and of the higher scores in its own bucket.
create table score_counts (
  board uuid not null,
  period board_period not null,
  since date not null,
  score integer not null,
  -- 0 where all have left this score; swept by a job
  members integer not null,
  primary key (board, period, since, score)
) with (fillfactor = 50);
create table bucket_counts (
  board uuid not null,
  period board_period not null,
  since date not null,
  bucket integer not null,
  members integer not null,
  primary key (board, period, since, bucket)
) with (fillfactor = 50);
create function score_bucket(score integer) returns integer language sql immutable as $$ select score >> 8 $$;

-- The boards on which a row of points is shown, with its score there.
create function boards_of(s scores) returns table (board uuid, period board_period, since date, score integer)
language sql immutable as $$
  select * from (values
    (s.community_id, 'all'::board_period, date '1970-01-01', s.points),
    (s.community_id, 'day', s.day, s.day_points),
    (s.community_id, 'week', s.week, s.week_points),
    (s.community_id, 'month', s.month, s.month_points),
    (s.season_id, 'season', date '1970-01-01', s.season_points)
  ) as b (board, period, since, score)
  where s.competes and b.score > 0
$$;

create type score_change as (board uuid, period board_period, since date, score integer, change integer);

-- The counts follow the scores, whichever statement writes them, in that same statement: they cannot be forgotten, nor drift.
create function count_scores() returns trigger language plpgsql as $$
declare
  changes score_change[];
begin
  if tg_op in ('INSERT', 'UPDATE') then
    changes := array(
      select row(b.*, 1)::score_change from new_rows n cross join lateral boards_of(row(n.*)::scores) b);
  end if;
  if tg_op in ('UPDATE', 'DELETE') then
    changes := changes || array(
      select row(b.*, -1)::score_change from old_rows o cross join lateral boards_of(row(o.*)::scores) b);
  end if;
  insert into score_counts as c (board, period, since, score, members)
    select board, period, since, score, sum(change) from unnest(changes)
    group by board, period, since, score having sum(change) <> 0
    on conflict (board, period, since, score) do update set members = c.members + excluded.members;
  insert into bucket_counts as c (board, period, since, bucket, members)
    select board, period, since, score_bucket(score), sum(change) from unnest(changes)
    group by board, period, since, score_bucket(score) having sum(change) <> 0
    on conflict (board, period, since, bucket) do update set members = c.members + excluded.members;
  return null;
end $$;
create trigger scores_counted_insert after insert on scores
  referencing new table as new_rows for each statement execute function count_scores();
create trigger scores_counted_update after update on scores
  referencing old table as old_rows new table as new_rows for each statement execute function count_scores();
create trigger scores_counted_delete after delete on scores
  referencing old table as old_rows for each statement execute function count_scores();

-- The rank of a score, how many have it, and how many stand on the whole board (of no score: only that).
create function board_rank(of_board uuid, of_period board_period, first_day date, of_score integer)
returns table (rank integer, tied integer, ranked integer) language sql stable as $$
  select
    (1 + coalesce(sum(members) filter (where bucket > score_bucket(of_score)), 0) + (
      select coalesce(sum(members), 0) from score_counts
      where board = of_board and period = of_period and since = first_day
        and score > of_score and score < (score_bucket(of_score) + 1) * 256))::integer,
    coalesce((
      select members from score_counts
      where board = of_board and period = of_period and since = first_day and score = of_score), 0),
    coalesce(sum(members), 0)::integer
  from bucket_counts where board = of_board and period = of_period and since = first_day
$$;

-- Every member's points on every board, to look at and to check.
create view standings as
  select s.community_id, b.period, s.user_id, b.points, b.reached_at, s.competes
  from scores s cross join lateral (values
    ('all', s.points, s.reached_at),
    ('day:' || to_char(s.day, 'YYYY-MM-DD'), s.day_points, s.reached_at),
    ('week:' || to_char(s.week, 'IYYY-"W"IW'), s.week_points, s.reached_at),
    ('month:' || to_char(s.month, 'YYYY-MM'), s.month_points, s.reached_at),
    ('season:' || s.season_id, s.season_points, s.season_at)
  ) as b (period, points, reached_at)
  where b.period is not null;

-- Who competes follows memberships and suspensions, whoever writes them, under the lock that writers of points hold.

create function may_compete(place uuid, person uuid) returns boolean language sql stable as $$
  select not exists (select from users where id = person and suspended_at is not null)
    and (place = '00000000-0000-0000-0000-000000000000' or exists (
      select from community_members where community_id = place and user_id = person and role <> 'leader'))
$$;

create function standings_follow_membership() returns trigger language plpgsql as $$
declare
  place uuid := coalesce(new.community_id, old.community_id);
begin
  perform pg_advisory_xact_lock(hashtextextended(place::text, 4));
  update scores set competes = may_compete(place, user_id)
    where user_id = coalesce(new.user_id, old.user_id) and community_id = place;
  return null;
end $$;
create trigger community_members_compete after insert or update of role or delete on community_members
  for each row execute function standings_follow_membership();

-- Communities in one order and the instance last, as whoever writes points takes their locks: a row that is written meanwhile is
-- seen here, or sees the suspension.
create function standings_follow_suspension() returns trigger language plpgsql as $$
declare
  place text;
begin
  for place in
    select community_id::text collate "C" from (
      select community_id from scores where user_id = new.id and community_id <> '00000000-0000-0000-0000-000000000000'
      union select community_id from community_members where user_id = new.id) places
    order by 1
  loop
    perform pg_advisory_xact_lock(hashtextextended(place, 4));
  end loop;
  perform pg_advisory_xact_lock(hashtextextended('00000000-0000-0000-0000-000000000000', 4));
  update scores set competes = may_compete(community_id, user_id) where user_id = new.id;
  return null;
end $$;
create trigger users_compete after update of suspended_at on users
  for each row when ((old.suspended_at is null) <> (new.suspended_at is null)) execute function standings_follow_suspension();

-- Leagues: groups of about thirty members of like activity, made anew each week where a leader turned them on, and what each week
-- came to (docs/decisions/leagues.md). Points are not copied while a week runs: they are read from the ledger.

-- A week by its Monday, as boards count weeks (UTC).
create table league_weeks (
  community_id uuid not null references communities on delete cascade,
  week date not null,
  fixed_at timestamptz not null,
  -- From then on nothing of it changes.
  settled_at timestamptz,
  primary key (community_id, week)
);
create index league_weeks_old on league_weeks (week);

-- Who played in which group. What the ledger cannot tell stands here as it was: who took part, who was new, who stood apart at
-- the end. All else is made from the ledger and can be made again (`checkLeagues`).
create table league_places (
  community_id uuid not null,
  week date not null,
  user_id uuid not null references users on delete cascade,
  division smallint not null check (division between 1 and 5),
  newcomer boolean not null,
  group_no integer not null,
  -- Once settled; rank and points stay null where somebody had none.
  outcome text check (outcome in ('rise', 'stay', 'fall', 'apart')),
  rank integer,
  points integer,
  primary key (community_id, week, user_id),
  foreign key (community_id, week) references league_weeks on delete cascade
) with (fillfactor = 70);
create index league_places_group on league_places (community_id, week, group_no);
create index league_places_member on league_places (user_id, community_id, week desc);
