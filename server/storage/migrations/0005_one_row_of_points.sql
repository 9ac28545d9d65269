-- One row a member and community holds the points of every board at once: an event rewrites one row where it rewrote
-- one for each of five boards. A board of a day, a week or a month is that of the last one in which the member's points
-- moved; results of seasons and frozen boards are copies.

-- Boards that stand still while a leader wants it so; with ranks, so that they need no histogram.
create table frozen_boards (
  community_id uuid not null references communities on delete cascade,
  period text not null,
  user_id uuid not null references users on delete cascade,
  rank integer not null,
  points integer not null,
  reached_at timestamptz not null,
  -- how many stand on the board
  ranked integer not null,
  primary key (community_id, period, user_id)
);
create index frozen_boards_board on frozen_boards (community_id, period, points desc, reached_at, user_id);
insert into frozen_boards (community_id, period, user_id, rank, points, reached_at, ranked)
  select community_id, substr(period, 8), user_id, rank() over (partition by community_id, period order by points desc),
    points, reached_at, count(*) over (partition by community_id, period)
  from standings where starts_with(period, 'frozen:') and competes and points > 0;

create table scores (
  user_id uuid not null references users on delete cascade,
  -- no reference: the instance is the community of the id that has no bits
  community_id uuid not null,
  -- false for a leader and for who left: their ledger stays, the boards leave them out
  competes boolean not null default true,
  -- of all time; beside each total, when it was reached: that settles the order inside a tie
  points integer not null,
  reached_at timestamptz not null,
  -- '2026-11-21', '2026-W47' and '2026-11', by the UTC calendar
  day text collate "C",
  day_points integer not null default 0,
  day_at timestamptz,
  week text collate "C",
  week_points integer not null default 0,
  week_at timestamptz,
  month text collate "C",
  month_points integer not null default 0,
  month_at timestamptz,
  season_id uuid,
  season_points integer not null default 0,
  season_at timestamptz,
  primary key (user_id, community_id)
) with (fillfactor = 80);

insert into scores
  with latest as (
    select distinct on (community_id, user_id, kind) community_id, user_id, kind, substr(period, length(kind) + 2) as part,
      points, reached_at
    from (
      select s.*, split_part(s.period, ':', 1) as kind, n.started_at
      from standings s left join seasons n on s.period = 'season:' || n.id
      where not starts_with(s.period, 'frozen:')
    ) known
    order by community_id, user_id, kind, started_at desc nulls last, period desc
  )
  select a.user_id, a.community_id, a.competes, a.points, a.reached_at,
    d.part, coalesce(d.points, 0), d.reached_at, w.part, coalesce(w.points, 0), w.reached_at,
    m.part, coalesce(m.points, 0), m.reached_at, n.part::uuid, coalesce(n.points, 0), n.reached_at
  from standings a
  left join latest d on d.community_id = a.community_id and d.user_id = a.user_id and d.kind = 'day'
  left join latest w on w.community_id = a.community_id and w.user_id = a.user_id and w.kind = 'week'
  left join latest m on m.community_id = a.community_id and m.user_id = a.user_id and m.kind = 'month'
  left join latest n on n.community_id = a.community_id and n.user_id = a.user_id and n.kind = 'season'
  where a.period = 'all';

create index scores_all on scores (community_id, points desc, reached_at, user_id) where competes and points > 0;
create index scores_day on scores (community_id, day, day_points desc, day_at, user_id) where competes and day_points > 0;
create index scores_week on scores (community_id, week, week_points desc, week_at, user_id) where competes and week_points > 0;
create index scores_month on scores (community_id, month, month_points desc, month_at, user_id) where competes and month_points > 0;
create index scores_season on scores (season_id, season_points desc, season_at, user_id) where competes and season_points > 0;

drop table standings;
-- The same as a row for each board, to look at and to check; `period` is the key of a board in `hist`.
create view standings as
  select s.community_id, b.period, s.user_id, b.points, b.reached_at, s.competes
  from scores s cross join lateral (values
    ('all', s.points, s.reached_at), ('day:' || s.day, s.day_points, s.day_at),
    ('week:' || s.week, s.week_points, s.week_at), ('month:' || s.month, s.month_points, s.month_at),
    ('season:' || s.season_id, s.season_points, s.season_at)
  ) as b (period, points, reached_at)
  where b.period is not null;

-- The histogram follows, whoever writes, in the same statement: it cannot be forgotten, nor drift. What many rows move
-- is added up first, and each width from the one below it: who stays in a bucket is gone from all wider ones.
drop function hist_follows_standings();
create function hist_follows_scores() returns trigger language plpgsql as $$
begin
  -- An upsert calls this for both of its halves, and one of them is mostly empty.
  if tg_op = 'INSERT' then
    if not exists (select from new_rows) then return null; end if;
    with moved as (
      select r.community_id, b.kind, b.part, b.score, sum(r.change) as change
      from (select *, 1 as change from new_rows) r
      cross join lateral (values (0, '', r.points), (1, r.day, r.day_points), (2, r.week, r.week_points),
        (3, r.month, r.month_points), (4, r.season_id::text, r.season_points)) as b (kind, part, score)
      where r.competes and b.score > 0
      group by r.community_id, b.kind, b.part, b.score having sum(r.change) <> 0
    ), l0 as materialized (
      select community_id, (array['all', 'day:', 'week:', 'month:', 'season:'])[kind + 1] || part as period, score as bucket, change
      from moved
    ), l1 as materialized (
      select community_id, period, bucket >> 6 as bucket, sum(change) as change from l0 group by 1, 2, 3 having sum(change) <> 0
    ), l2 as materialized (
      select community_id, period, bucket >> 6 as bucket, sum(change) as change from l1 group by 1, 2, 3 having sum(change) <> 0
    ), l3 as (
      select community_id, period, bucket >> 6 as bucket, sum(change) as change from l2 group by 1, 2, 3 having sum(change) <> 0
    )
    insert into hist as h (community_id, period, lvl, bucket, cnt)
      select community_id, period, lvl, bucket, change from (
        select *, 0 as lvl from l0 union all select *, 1 from l1 union all select *, 2 from l2 union all select *, 3 from l3
      ) changes
      order by community_id, period, lvl, bucket
      on conflict (community_id, period, lvl, bucket) do update set cnt = h.cnt + excluded.cnt;
  elsif tg_op = 'DELETE' then
    with moved as (
      select r.community_id, b.kind, b.part, b.score, sum(r.change) as change
      from (select *, -1 as change from old_rows) r
      cross join lateral (values (0, '', r.points), (1, r.day, r.day_points), (2, r.week, r.week_points),
        (3, r.month, r.month_points), (4, r.season_id::text, r.season_points)) as b (kind, part, score)
      where r.competes and b.score > 0
      group by r.community_id, b.kind, b.part, b.score having sum(r.change) <> 0
    ), l0 as materialized (
      select community_id, (array['all', 'day:', 'week:', 'month:', 'season:'])[kind + 1] || part as period, score as bucket, change
      from moved
    ), l1 as materialized (
      select community_id, period, bucket >> 6 as bucket, sum(change) as change from l0 group by 1, 2, 3 having sum(change) <> 0
    ), l2 as materialized (
      select community_id, period, bucket >> 6 as bucket, sum(change) as change from l1 group by 1, 2, 3 having sum(change) <> 0
    ), l3 as (
      select community_id, period, bucket >> 6 as bucket, sum(change) as change from l2 group by 1, 2, 3 having sum(change) <> 0
    )
    insert into hist as h (community_id, period, lvl, bucket, cnt)
      select community_id, period, lvl, bucket, change from (
        select *, 0 as lvl from l0 union all select *, 1 from l1 union all select *, 2 from l2 union all select *, 3 from l3
      ) changes
      order by community_id, period, lvl, bucket
      on conflict (community_id, period, lvl, bucket) do update set cnt = h.cnt + excluded.cnt;
  else
    if not exists (select from new_rows) then return null; end if;
    with moved as (
      select r.community_id, b.kind, b.part, b.score, sum(r.change) as change
      from (select *, 1 as change from new_rows union all select *, -1 from old_rows) r
      cross join lateral (values (0, '', r.points), (1, r.day, r.day_points), (2, r.week, r.week_points),
        (3, r.month, r.month_points), (4, r.season_id::text, r.season_points)) as b (kind, part, score)
      where r.competes and b.score > 0
      group by r.community_id, b.kind, b.part, b.score having sum(r.change) <> 0
    ), l0 as materialized (
      select community_id, (array['all', 'day:', 'week:', 'month:', 'season:'])[kind + 1] || part as period, score as bucket, change
      from moved
    ), l1 as materialized (
      select community_id, period, bucket >> 6 as bucket, sum(change) as change from l0 group by 1, 2, 3 having sum(change) <> 0
    ), l2 as materialized (
      select community_id, period, bucket >> 6 as bucket, sum(change) as change from l1 group by 1, 2, 3 having sum(change) <> 0
    ), l3 as (
      select community_id, period, bucket >> 6 as bucket, sum(change) as change from l2 group by 1, 2, 3 having sum(change) <> 0
    )
    insert into hist as h (community_id, period, lvl, bucket, cnt)
      select community_id, period, lvl, bucket, change from (
        select *, 0 as lvl from l0 union all select *, 1 from l1 union all select *, 2 from l2 union all select *, 3 from l3
      ) changes
      order by community_id, period, lvl, bucket
      on conflict (community_id, period, lvl, bucket) do update set cnt = h.cnt + excluded.cnt;
  end if;
  return null;
end $$;
create trigger scores_hist_insert after insert on scores
  referencing new table as new_rows for each statement execute function hist_follows_scores();
create trigger scores_hist_update after update on scores
  referencing old table as old_rows new table as new_rows for each statement execute function hist_follows_scores();
create trigger scores_hist_delete after delete on scores
  referencing old table as old_rows for each statement execute function hist_follows_scores();

truncate hist;
insert into hist
  select community_id, period, l.lvl, points >> (6 * l.lvl), count(*)
  from standings cross join generate_series(0, 3) as l (lvl)
  where competes and points > 0
  group by community_id, period, l.lvl, points >> (6 * l.lvl);

create or replace function standings_follow_membership() returns trigger language plpgsql as $$
declare
  place uuid := coalesce(new.community_id, old.community_id);
begin
  perform pg_advisory_xact_lock(hashtextextended(place::text, 4));
  update scores set competes = (tg_op <> 'DELETE' and new.role <> 'leader')
    where user_id = coalesce(new.user_id, old.user_id) and community_id = place;
  return null;
end $$;

-- Planned once and not again for every score that is asked for: planning costs more than the counters.
alter function board_rank set plan_cache_mode = force_generic_plan;
