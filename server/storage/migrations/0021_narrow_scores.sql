-- What a point event rewrites and what a board reads are made small. A row of points carries the name that boards show
-- (241 of 330 pages of a board were looked at for names), calendar days in place of words, and one moment in place of
-- four: whatever moves a total moves that of the day, the week and the month with it.

drop view standings;
drop index scores_all, scores_day, scores_week, scores_month, scores_season;
alter table scores rename to scores_before;
alter table scores_before drop constraint scores_pkey;
alter table hist rename to hist_before;
alter table hist_before drop constraint hist_pkey;

create table scores (
  user_id uuid not null references users on delete cascade,
  -- no reference: the instance is the community of the id that has no bits
  community_id uuid not null,
  -- when the totals were reached, the season's apart: that settles the order inside a tie
  reached_at timestamptz not null,
  season_at timestamptz,
  season_id uuid,
  -- of all time
  points integer not null,
  -- the day, the Monday of the week and the first of the month in which points moved last, by the UTC calendar
  day date,
  day_points integer not null default 0,
  week date,
  week_points integer not null default 0,
  month date,
  month_points integer not null default 0,
  season_points integer not null default 0,
  -- false for a leader and for who left: their ledger stays, the boards leave them out
  competes boolean not null default true,
  -- that of `users`, which it follows
  display_name text not null
) with (fillfactor = 80);
insert into scores
  select s.user_id, s.community_id, s.reached_at, s.season_at, s.season_id, s.points, s.day::date, s.day_points,
    to_date(s.week, 'IYYY-"W"IW'), s.week_points, to_date(s.month, 'YYYY-MM'), s.month_points, s.season_points,
    s.competes, u.display_name
  from scores_before s join users u on u.id = s.user_id;
drop table scores_before;
alter table scores add primary key (user_id, community_id);
-- Less points come later: the order of a board is that of its index, so that one range holds who stands below somebody.
create index scores_all on scores (community_id, (-points), reached_at, user_id) where competes and points > 0;
create index scores_day on scores (community_id, day, (-day_points), reached_at, user_id) where competes and day_points > 0;
create index scores_week on scores (community_id, week, (-week_points), reached_at, user_id) where competes and week_points > 0;
create index scores_month on scores (community_id, month, (-month_points), reached_at, user_id) where competes and month_points > 0;
create index scores_season on scores (season_id, (-season_points), season_at, user_id) where competes and season_points > 0;

drop index season_results_board;
create index season_results_board on season_results (season_id, (-points), reached_at, user_id);
drop index frozen_boards_board;
create index frozen_boards_board on frozen_boards (community_id, period, (-points), reached_at, user_id);

-- The histogram, by numbers in place of words: `board` is a community, the instance or a season; `span` 0 is all time,
-- 1 a day, 2 a week, 3 a month, 4 a season; `since` is the first day of what the calendar bounds, else 1970-01-01.
create table counters (
  board uuid not null,
  span smallint not null check (span between 0 and 4),
  since date not null,
  lvl smallint not null check (lvl between 0 and 3),
  bucket integer not null,
  cnt integer not null,
  -- the counter stays out of the index, so that counting rewrites no index
  primary key (board, span, since, lvl, bucket)
) with (fillfactor = 50);
drop table hist_before;

-- Both again as a row for each board with its key in words, to look at and to check.
create view standings as
  select s.community_id, b.period, s.user_id, b.points, b.reached_at, s.competes, b.board, b.span, b.since
  from scores s cross join lateral (values
    ('all', s.points, s.reached_at, s.community_id, 0, date '1970-01-01'),
    ('day:' || to_char(s.day, 'YYYY-MM-DD'), s.day_points, s.reached_at, s.community_id, 1, s.day),
    ('week:' || to_char(s.week, 'IYYY-"W"IW'), s.week_points, s.reached_at, s.community_id, 2, s.week),
    ('month:' || to_char(s.month, 'YYYY-MM'), s.month_points, s.reached_at, s.community_id, 3, s.month),
    ('season:' || s.season_id, s.season_points, s.season_at, s.season_id, 4, date '1970-01-01')
  ) as b (period, points, reached_at, board, span, since)
  where b.period is not null;
create view hist as
  select case when c.span = 4 then s.community_id else c.board end as community_id,
    case c.span when 0 then 'all' when 1 then 'day:' || to_char(c.since, 'YYYY-MM-DD')
      when 2 then 'week:' || to_char(c.since, 'IYYY-"W"IW') when 3 then 'month:' || to_char(c.since, 'YYYY-MM')
      else 'season:' || c.board end as period,
    c.lvl, c.bucket, c.cnt
  from counters c left join seasons s on c.span = 4 and s.id = c.board;

insert into counters
  select board, span, since, l.lvl, points >> (6 * l.lvl), count(*)
  from standings cross join generate_series(0, 3) as l (lvl)
  where competes and points > 0
  group by 1, 2, 3, 4, 5;

-- The rank of a score, how many stand at it, and how many on the whole board (of no score: only that). In place of a
-- function with a plan of its own it becomes a part of the statement that asks.
drop function board_rank;
create function board_place(place uuid, during integer, first_day date, score integer)
returns table (rank integer, tied integer, ranked integer) language sql stable as $$
  select (1 + coalesce(sum(cnt) filter (where above), 0))::integer,
    coalesce(sum(cnt) filter (where lvl = 0 and not above), 0)::integer,
    coalesce(sum(cnt) filter (where lvl = 3), 0)::integer
  from (
    select lvl, cnt, bucket > score as above from counters
      where board = place and span = during and since = first_day and lvl = 0 and bucket >= score and bucket <= (score | 63)
    union all
    select lvl, cnt, true from counters
      where board = place and span = during and since = first_day and lvl = 1 and bucket > score >> 6 and bucket <= (score >> 6 | 63)
    union all
    select lvl, cnt, true from counters
      where board = place and span = during and since = first_day and lvl = 2 and bucket > score >> 12 and bucket <= (score >> 12 | 63)
    union all
    select lvl, cnt, bucket > score >> 18 from counters
      where board = place and span = during and since = first_day and lvl = 3
  ) counted
$$;

-- The histogram follows, whoever writes, in the same statement: it cannot be forgotten, nor drift. What many rows move
-- is added up first, and each width from the one below it: who stays in a bucket is gone from all wider ones. Each of
-- the three ways to write has rows of its own names, so one text makes three functions.
drop function hist_follows_scores;
do $do$
declare
  columns text := 'community_id, points, day, day_points, week, week_points, month, month_points, season_id, season_points';
  body text := $body$
begin
  -- A statement that writes nothing calls this as well.
  if not exists (select from %1$s) then return null; end if;
  with rows as materialized (
    %2$s
  ), l0 as materialized (
    select board, span, since, score as bucket, sum(change)::integer as change from (
      select community_id as board, 0 as span, date '1970-01-01' as since, points as score, change from rows where points > 0
      union all select community_id, 1, day, day_points, change from rows where day_points > 0
      union all select community_id, 2, week, week_points, change from rows where week_points > 0
      union all select community_id, 3, month, month_points, change from rows where month_points > 0
      union all select season_id, 4, date '1970-01-01', season_points, change from rows where season_points > 0
    ) moved group by 1, 2, 3, 4 having sum(change) <> 0
  ), l1 as materialized (
    select board, span, since, bucket >> 6 as bucket, sum(change)::integer as change from l0 group by 1, 2, 3, 4 having sum(change) <> 0
  ), l2 as materialized (
    select board, span, since, bucket >> 6 as bucket, sum(change)::integer as change from l1 group by 1, 2, 3, 4 having sum(change) <> 0
  ), l3 as (
    select board, span, since, bucket >> 6 as bucket, sum(change)::integer as change from l2 group by 1, 2, 3, 4 having sum(change) <> 0
  )
  merge into counters c
    using (
      select *, 0 as lvl from l0 union all select *, 1 from l1 union all select *, 2 from l2 union all select *, 3 from l3
    ) m
    on c.board = m.board and c.span = m.span and c.since = m.since and c.lvl = m.lvl and c.bucket = m.bucket
    when matched then update set cnt = c.cnt + m.change
    when not matched then insert (board, span, since, lvl, bucket, cnt)
      values (m.board, m.span, m.since, m.lvl, m.bucket, m.change);
  return null;
end
$body$;
  gained text := format('select %s, 1 as change from new_rows where competes', columns);
  lost text := format('select %s, -1 as change from old_rows where competes', columns);
begin
  execute 'create function counters_follow_insert() returns trigger language plpgsql set enable_hashjoin = off set enable_mergejoin = off as '
    || quote_literal(format(body, 'new_rows', gained));
  execute 'create function counters_follow_update() returns trigger language plpgsql set enable_hashjoin = off set enable_mergejoin = off as '
    || quote_literal(format(body, 'new_rows', gained || ' union all ' || lost));
  execute 'create function counters_follow_delete() returns trigger language plpgsql set enable_hashjoin = off set enable_mergejoin = off as '
    || quote_literal(format(body, 'old_rows', lost));
end $do$;
create trigger scores_counters_insert after insert on scores
  referencing new table as new_rows for each statement execute function counters_follow_insert();
create trigger scores_counters_update after update on scores
  referencing old table as old_rows new table as new_rows for each statement execute function counters_follow_update();
create trigger scores_counters_delete after delete on scores
  referencing old table as old_rows for each statement execute function counters_follow_delete();

create function scores_take_name() returns trigger language plpgsql as $$
begin
  select display_name into strict new.display_name from users where id = new.user_id;
  return new;
end $$;
create trigger scores_name before insert on scores
  for each row when (new.display_name is null) execute function scores_take_name();
-- Whoever writes points takes the instance's turn before it looks at names, so a row that is written meanwhile is seen
-- here, or sees the new name.
create function scores_follow_name() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('00000000-0000-0000-0000-000000000000', 4));
  update scores set display_name = new.display_name where user_id = new.id;
  return null;
end $$;
create trigger users_name_on_boards after update of display_name on users
  for each row when (old.display_name <> new.display_name) execute function scores_follow_name();

-- A line that is about no claim needs no place among the lines of claims.
drop index point_events_claim;
create index point_events_claim on point_events (claim_id) where claim_id is not null;
