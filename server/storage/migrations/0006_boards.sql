-- Leaderboards: one row of points for each member and community, counters that tell a rank without counting people, and the
-- functions that read a board. All of it is made from the ledger; `muster ledger check` compares the two.
-- The instance is the community of the id that has no bits, so its boards are boards like all others.

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
  -- That of `users`, which it follows: a board would otherwise look up a page of `users` for each row.
  display_name text not null,
  primary key (user_id, community_id)
) with (fillfactor = 80);
-- Negative, so that the order of a board is that of its index, and one range holds who stands below somebody.
create index scores_all on scores (community_id, (-points), reached_at, user_id) where competes and points > 0;
create index scores_day on scores (community_id, day, (-day_points), reached_at, user_id) where competes and day_points > 0;
create index scores_week on scores (community_id, week, (-week_points), reached_at, user_id) where competes and week_points > 0;
create index scores_month on scores (community_id, month, (-month_points), reached_at, user_id) where competes and month_points > 0;
create index scores_season on scores (season_id, (-season_points), season_at, user_id) where competes and season_points > 0;

-- Boards that a leader froze: copies with ranks, so they need no counters.
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

-- Another version whenever anything that a board shows may be different, and never one that was there before: not after a
-- transaction that was rolled back, nor in a restored database. A process caches the first rows of a board with it.
create table board_versions (
  -- A community, or the instance.
  board uuid primary key,
  version uuid not null
) with (fillfactor = 20);

-- How many who compete stand at each score, at four widths: level l counts in buckets of 64^l points. A rank is 1 + what
-- stands in the higher buckets: one row a level, however long the board is. Sixty-four neighbouring counters are one row, a
-- block, because an award leaves one score and comes to one near it; they are the digits of one number, eight for each.
create table counters (
  -- A community, the instance, or a season.
  board uuid not null,
  -- `counter_slot` of the block: its bucket is that of the counters without their last six bits.
  slot bigint not null,
  -- The last six bits of a counter's bucket are its position: it counts 10 to the power of eight times that.
  cnts numeric not null,
  -- The counters stay out of the index, so that counting rewrites no index.
  primary key (board, slot)
) with (fillfactor = 50);

-- `scores` with a row for each board and its key in words, and the counters one by one: to look at and to check.
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

-- Counters by number.

-- Where a counter is: 3 bits of the span (0 all time, 1 a day, 2 a week, 3 a month, 4 a season), 16 of the days from 1970-01-01
-- to the span's first day, 2 of the level and 31 of the bucket.
create function counter_slot(span integer, since date, lvl integer, bucket integer) returns bigint
language sql immutable as $$
  select (span::bigint << 49) + ((since - date '1970-01-01')::bigint << 33) + (lvl::bigint << 31) + bucket
$$;

-- The block of a counter: the bucket loses six bits, all before it stays.
create function counter_block(slot bigint) returns bigint language sql immutable as $$
  select (slot & -2147483648) + ((slot & 2147483647) >> 6)
$$;

-- What one in a counter's bucket is in the number of its block. Text and a number made text depend on no setting, so the planner
-- can make the call a part of the statement.
create function counter_unit(bucket bigint) returns numeric language sql immutable as $$
  select ('1e' || ((bucket & 63) * 8)::text)::numeric
$$;

-- The sum of the counters of one block or several: the remainder by 99,999,999 is the sum of a number's groups of eight digits,
-- as long as that is less, and no board has so many on it.
create function counters_sum(cnts numeric) returns integer language sql immutable as $$
  select (cnts % 99999999)::integer
$$;

-- The counters of a block from a position on, or none.
create function counters_from(cnts numeric, place integer) returns numeric language sql immutable as $$
  select trunc(cnts, -8 * place)
$$;

-- Changes of a block, mostly one or two: setting up the usual sum costs more than it would add up.
create aggregate counters_changed(numeric) (sfunc = numeric_add, stype = numeric);

create view hist as
  select case when c.span = 4 then s.community_id else c.board end as community_id,
    case c.span when 0 then 'all' when 1 then 'day:' || to_char(c.since, 'YYYY-MM-DD')
      when 2 then 'week:' || to_char(c.since, 'IYYY-"W"IW') when 3 then 'month:' || to_char(c.since, 'YYYY-MM')
      else 'season:' || c.board end as period,
    c.lvl, c.bucket, c.cnt
  from (
    select board, (slot >> 49)::integer as span, date '1970-01-01' + (slot >> 33 & 65535)::integer as since,
      (slot >> 31 & 3)::smallint as lvl, ((slot & 2147483647) << 6)::integer + place::integer as bucket,
      (div(cnts, counter_unit(place)) % 100000000)::integer as cnt
    from counters cross join generate_series(0::bigint, 63) place
    where div(cnts, counter_unit(place)) % 100000000 <> 0
  ) c left join seasons s on c.span = 4 and s.id = c.board;

-- The rank of a score, how many stand at it, and how many on the whole board (of no score: only that).
create function board_place(place uuid, during integer, first_day date, score integer)
returns table (rank integer, tied integer, ranked integer) language sql stable as $$
  select 1 + counters_sum(coalesce(sum(above), 0)), counters_sum(coalesce(sum(same), 0)), counters_sum(coalesce(sum(everybody), 0))
  from (
    select counters_from(cnts, (score & 63) + 1) as above,
      counters_from(cnts, score & 63) - counters_from(cnts, (score & 63) + 1) as same, 0 as everybody
    from counters where board = place and slot = counter_slot(during, first_day, 0, score >> 6)
    union all
    select counters_from(cnts, (score >> 6 & 63) + 1), 0, 0
    from counters where board = place and slot = counter_slot(during, first_day, 1, score >> 12)
    union all
    select counters_from(cnts, (score >> 12 & 63) + 1), 0, 0
    from counters where board = place and slot = counter_slot(during, first_day, 2, score >> 18)
    union all
    select case when slot > counter_slot(during, first_day, 3, score >> 24) then cnts
        when slot = counter_slot(during, first_day, 3, score >> 24) then counters_from(cnts, (score >> 18 & 63) + 1) end, 0, cnts
    from counters
      where board = place and slot >= counter_slot(during, first_day, 3, 0) and slot < counter_slot(during, first_day, 4, 0)
  ) counters_of_levels
$$;

-- The counters and versions follow `scores`, whoever writes, in the same statement: they cannot be forgotten, nor drift. What
-- many rows move is added up first, and each level from the one below it: what moved within a block (b0 to b3, from narrow to
-- wide) is gone from all wider ones. A block's own counter stands one level wider, where it is counted with its neighbours.
-- Writers of one community take its advisory lock (server/features/ledger/turn.ts), so none meets another at two buckets.
-- There is a function for each way to write, because each has rows of its own names.

create function counters_follow_insert() returns trigger language plpgsql
set enable_hashjoin = off set enable_mergejoin = off as $$
begin
  -- A statement that writes nothing calls this as well.
  if not exists (select from new_rows) then return null; end if;
  insert into board_versions
    select community_id, gen_random_uuid() from new_rows group by community_id order by community_id
    on conflict (board) do update set version = excluded.version;
  with rows as materialized (
    select community_id, points, day, day_points, week, week_points, month, month_points, season_id, season_points,
      1 as change
    from new_rows where competes
  ), l0 as (
    select board, slot, sum(change)::integer as change from (
      select community_id as board, points::bigint as slot, change from rows where points > 0
      union all select community_id, counter_slot(1, day, 0, day_points), change from rows where day_points > 0
      union all select community_id, counter_slot(2, week, 0, week_points), change from rows where week_points > 0
      union all select community_id, counter_slot(3, month, 0, month_points), change from rows where month_points > 0
      union all select season_id, counter_slot(4, '1970-01-01', 0, season_points), change from rows where season_points > 0
    ) moved group by 1, 2 having sum(change) <> 0
  ), b0 as materialized (
    select board, counter_block(slot) as slot, counters_changed(change * counter_unit(slot)) as changes, sum(change)::integer as change
    from l0 group by 1, 2
  ), b1 as materialized (
    select board, counter_block(slot) as slot, counters_changed(change * counter_unit(slot)) as changes, sum(change)::integer as change
    from (select board, slot + 2147483648 as slot, change from b0 where change <> 0) moved group by 1, 2
  ), b2 as materialized (
    select board, counter_block(slot) as slot, counters_changed(change * counter_unit(slot)) as changes, sum(change)::integer as change
    from (select board, slot + 2147483648 as slot, change from b1 where change <> 0) moved group by 1, 2
  ), b3 as (
    select board, counter_block(slot) as slot, counters_changed(change * counter_unit(slot)) as changes, sum(change)::integer as change
    from (select board, slot + 2147483648 as slot, change from b2 where change <> 0) moved group by 1, 2
  )
  merge into counters c
    using (select * from b0 union all select * from b1 union all select * from b2 union all select * from b3) m
    on c.board = m.board and c.slot = m.slot
    when matched then update set cnts = c.cnts + m.changes
    when not matched then insert (board, slot, cnts) values (m.board, m.slot, m.changes);
  return null;
end
$$;
create trigger scores_counters_insert after insert on scores
  referencing new table as new_rows for each statement execute function counters_follow_insert();

create function counters_follow_update() returns trigger language plpgsql
set enable_hashjoin = off set enable_mergejoin = off as $$
begin
  if not exists (select from new_rows) then return null; end if;
  insert into board_versions
    select community_id, gen_random_uuid() from new_rows group by community_id order by community_id
    on conflict (board) do update set version = excluded.version;
  with rows as materialized (
    select community_id, points, day, day_points, week, week_points, month, month_points, season_id, season_points,
      1 as change
    from new_rows where competes
    union all
    select community_id, points, day, day_points, week, week_points, month, month_points, season_id, season_points,
      -1 as change
    from old_rows where competes
  ), l0 as (
    select board, slot, sum(change)::integer as change from (
      select community_id as board, points::bigint as slot, change from rows where points > 0
      union all select community_id, counter_slot(1, day, 0, day_points), change from rows where day_points > 0
      union all select community_id, counter_slot(2, week, 0, week_points), change from rows where week_points > 0
      union all select community_id, counter_slot(3, month, 0, month_points), change from rows where month_points > 0
      union all select season_id, counter_slot(4, '1970-01-01', 0, season_points), change from rows where season_points > 0
    ) moved group by 1, 2 having sum(change) <> 0
  ), b0 as materialized (
    select board, counter_block(slot) as slot, counters_changed(change * counter_unit(slot)) as changes, sum(change)::integer as change
    from l0 group by 1, 2
  ), b1 as materialized (
    select board, counter_block(slot) as slot, counters_changed(change * counter_unit(slot)) as changes, sum(change)::integer as change
    from (select board, slot + 2147483648 as slot, change from b0 where change <> 0) moved group by 1, 2
  ), b2 as materialized (
    select board, counter_block(slot) as slot, counters_changed(change * counter_unit(slot)) as changes, sum(change)::integer as change
    from (select board, slot + 2147483648 as slot, change from b1 where change <> 0) moved group by 1, 2
  ), b3 as (
    select board, counter_block(slot) as slot, counters_changed(change * counter_unit(slot)) as changes, sum(change)::integer as change
    from (select board, slot + 2147483648 as slot, change from b2 where change <> 0) moved group by 1, 2
  )
  merge into counters c
    using (select * from b0 union all select * from b1 union all select * from b2 union all select * from b3) m
    on c.board = m.board and c.slot = m.slot
    when matched then update set cnts = c.cnts + m.changes
    when not matched then insert (board, slot, cnts) values (m.board, m.slot, m.changes);
  return null;
end
$$;
create trigger scores_counters_update after update on scores
  referencing old table as old_rows new table as new_rows for each statement execute function counters_follow_update();

create function counters_follow_delete() returns trigger language plpgsql
set enable_hashjoin = off set enable_mergejoin = off as $$
begin
  if not exists (select from old_rows) then return null; end if;
  insert into board_versions
    select community_id, gen_random_uuid() from old_rows group by community_id order by community_id
    on conflict (board) do update set version = excluded.version;
  with rows as materialized (
    select community_id, points, day, day_points, week, week_points, month, month_points, season_id, season_points,
      -1 as change
    from old_rows where competes
  ), l0 as (
    select board, slot, sum(change)::integer as change from (
      select community_id as board, points::bigint as slot, change from rows where points > 0
      union all select community_id, counter_slot(1, day, 0, day_points), change from rows where day_points > 0
      union all select community_id, counter_slot(2, week, 0, week_points), change from rows where week_points > 0
      union all select community_id, counter_slot(3, month, 0, month_points), change from rows where month_points > 0
      union all select season_id, counter_slot(4, '1970-01-01', 0, season_points), change from rows where season_points > 0
    ) moved group by 1, 2 having sum(change) <> 0
  ), b0 as materialized (
    select board, counter_block(slot) as slot, counters_changed(change * counter_unit(slot)) as changes, sum(change)::integer as change
    from l0 group by 1, 2
  ), b1 as materialized (
    select board, counter_block(slot) as slot, counters_changed(change * counter_unit(slot)) as changes, sum(change)::integer as change
    from (select board, slot + 2147483648 as slot, change from b0 where change <> 0) moved group by 1, 2
  ), b2 as materialized (
    select board, counter_block(slot) as slot, counters_changed(change * counter_unit(slot)) as changes, sum(change)::integer as change
    from (select board, slot + 2147483648 as slot, change from b1 where change <> 0) moved group by 1, 2
  ), b3 as (
    select board, counter_block(slot) as slot, counters_changed(change * counter_unit(slot)) as changes, sum(change)::integer as change
    from (select board, slot + 2147483648 as slot, change from b2 where change <> 0) moved group by 1, 2
  )
  merge into counters c
    using (select * from b0 union all select * from b1 union all select * from b2 union all select * from b3) m
    on c.board = m.board and c.slot = m.slot
    when matched then update set cnts = c.cnts + m.changes
    when not matched then insert (board, slot, cnts) values (m.board, m.slot, m.changes);
  return null;
end
$$;
create trigger scores_counters_delete after delete on scores
  referencing old table as old_rows for each statement execute function counters_follow_delete();

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

-- Names on boards follow `users`. Whoever writes points takes the instance's lock before looking at names, so a row that is
-- written meanwhile is seen here, or sees the new name.

create function scores_take_name() returns trigger language plpgsql as $$
begin
  select display_name into strict new.display_name from users where id = new.user_id;
  return new;
end $$;
create trigger scores_name before insert on scores
  for each row when (new.display_name is null) execute function scores_take_name();

create function scores_follow_name() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('00000000-0000-0000-0000-000000000000', 4));
  update scores set display_name = new.display_name where user_id = new.id;
  return null;
end $$;
create trigger users_name_on_boards after update of display_name on users
  for each row when (old.display_name <> new.display_name) execute function scores_follow_name();

-- How a board is read (`ownPart` in server/features/boards/statements.ts), a function for each period so that each has its index.

-- What is the same for everybody: the widest counters and the first rows. They are needed only where the board's version is
-- another, one read in ten beside a writer. The plans are kept, and never read a whole table.

create function board_first_all(place uuid, since date, slots bigint, most integer)
returns table (part text, id uuid, points integer, seconds float8, name text) language plpgsql stable
set enable_seqscan = off set enable_bitmapscan = off set plan_cache_mode = force_generic_plan as $$
begin
  return query
    select 'c', null::uuid, (c.slot & 2147483647)::integer, (c.slot >> 31 & 3)::float8, c.cnts::text from counters c
    where c.board = place and c.slot >= slots + (2::bigint << 31) and c.slot < slots + (4::bigint << 31);
  return query
    select 't', s.user_id, s.points, date_part('epoch', s.reached_at), s.display_name from scores s
    where s.community_id = board_first_all.place and s.competes and s.points > 0
    order by -s.points, s.reached_at, s.user_id limit most;
end
$$;

create function board_first_today(place uuid, since date, slots bigint, most integer)
returns table (part text, id uuid, points integer, seconds float8, name text) language plpgsql stable
set enable_seqscan = off set enable_bitmapscan = off set plan_cache_mode = force_generic_plan as $$
begin
  return query
    select 'c', null::uuid, (c.slot & 2147483647)::integer, (c.slot >> 31 & 3)::float8, c.cnts::text from counters c
    where c.board = place and c.slot >= slots + (2::bigint << 31) and c.slot < slots + (4::bigint << 31);
  return query
    select 't', s.user_id, s.day_points, date_part('epoch', s.reached_at), s.display_name from scores s
    where s.community_id = board_first_today.place and day = board_first_today.since and s.competes and s.day_points > 0
    order by -s.day_points, s.reached_at, s.user_id limit most;
end
$$;

create function board_first_week(place uuid, since date, slots bigint, most integer)
returns table (part text, id uuid, points integer, seconds float8, name text) language plpgsql stable
set enable_seqscan = off set enable_bitmapscan = off set plan_cache_mode = force_generic_plan as $$
begin
  return query
    select 'c', null::uuid, (c.slot & 2147483647)::integer, (c.slot >> 31 & 3)::float8, c.cnts::text from counters c
    where c.board = place and c.slot >= slots + (2::bigint << 31) and c.slot < slots + (4::bigint << 31);
  return query
    select 't', s.user_id, s.week_points, date_part('epoch', s.reached_at), s.display_name from scores s
    where s.community_id = board_first_week.place and week = board_first_week.since and s.competes and s.week_points > 0
    order by -s.week_points, s.reached_at, s.user_id limit most;
end
$$;

create function board_first_month(place uuid, since date, slots bigint, most integer)
returns table (part text, id uuid, points integer, seconds float8, name text) language plpgsql stable
set enable_seqscan = off set enable_bitmapscan = off set plan_cache_mode = force_generic_plan as $$
begin
  return query
    select 'c', null::uuid, (c.slot & 2147483647)::integer, (c.slot >> 31 & 3)::float8, c.cnts::text from counters c
    where c.board = place and c.slot >= slots + (2::bigint << 31) and c.slot < slots + (4::bigint << 31);
  return query
    select 't', s.user_id, s.month_points, date_part('epoch', s.reached_at), s.display_name from scores s
    where s.community_id = board_first_month.place and month = board_first_month.since and s.competes and s.month_points > 0
    order by -s.month_points, s.reached_at, s.user_id limit most;
end
$$;

create function board_first_season(place uuid, since date, slots bigint, most integer)
returns table (part text, id uuid, points integer, seconds float8, name text) language plpgsql stable
set enable_seqscan = off set enable_bitmapscan = off set plan_cache_mode = force_generic_plan as $$
begin
  return query
    select 'c', null::uuid, (c.slot & 2147483647)::integer, (c.slot >> 31 & 3)::float8, c.cnts::text from counters c
    where c.board = place and c.slot >= slots + (2::bigint << 31) and c.slot < slots + (4::bigint << 31);
  return query
    select 't', s.user_id, s.season_points, date_part('epoch', s.season_at), s.display_name from scores s
    where s.season_id = board_first_season.place and s.competes and s.season_points > 0
    order by -s.season_points, s.season_at, s.user_id limit most;
end
$$;

-- $1 me; $2 and $3 the board and its first day, as days since 1970; $4 whose version it has; $5 the version that is known;
-- $6 rows above mine; $7 mine and those below; $8 first rows, where the version is another. A row that all steps are given
-- hides the parameters from the planner, so that one plan serves all boards. The next block of counters is read from position
-- 56 of mine on. Each block is a step of its own: a list of slots is read by way of a bitmap, which costs more than three steps.

create function board_beside_all(uuid, uuid, integer, uuid, uuid, integer, integer, integer)
returns table (part text, id uuid, points integer, seconds float8, name text) language sql stable as $$
  select o.* from (
    select $1 as me, $2 as place, date '1970-01-01' + $3 as since, $4 as versioned, $5 as known,
      counter_slot(0, date '1970-01-01' + $3, 0, 0) as slots offset 0) k
  left join lateral (select version from board_versions where board = k.versioned) v on true
  left join lateral (
    select -points as lack, points as points, reached_at as at, user_id from scores
    where user_id = k.me and community_id = k.place and competes and points > 0) m on true
  cross join lateral (
    select 's', v.version, null::integer, null::float8, null
    union all (
      select 'a', user_id, points, date_part('epoch', reached_at), display_name from scores
      where community_id = k.place and competes and points > 0 and (-points, reached_at, user_id) < (m.lack, m.at, m.user_id)
      order by -points desc, reached_at desc, user_id desc limit $6)
    union all (
      select 'm', user_id, points, date_part('epoch', reached_at), display_name from scores
      where community_id = k.place and competes and points > 0 and (-points, reached_at, user_id) >= (m.lack, m.at, m.user_id)
      order by -points, reached_at, user_id limit $7)
    union all select 'c', null, m.points >> 6, 0, cnts::text from counters
      where board = k.place and slot = k.slots + (m.points >> 6)
    union all select 'c', null, (m.points >> 6) + 1, 0, cnts::text from counters
      where board = k.place and slot = k.slots + (m.points >> 6) + 1 and m.points & 63 >= 56
    union all select 'c', null, m.points >> 12, 1, cnts::text from counters
      where board = k.place and slot = k.slots + (1::bigint << 31) + (m.points >> 12)
    union all select f.* from board_first_all(k.place, k.since, k.slots, $8) f where v.version is distinct from k.known
  ) o
$$;

create function board_beside_today(uuid, uuid, integer, uuid, uuid, integer, integer, integer)
returns table (part text, id uuid, points integer, seconds float8, name text) language sql stable as $$
  select o.* from (
    select $1 as me, $2 as place, date '1970-01-01' + $3 as since, $4 as versioned, $5 as known,
      counter_slot(1, date '1970-01-01' + $3, 0, 0) as slots offset 0) k
  left join lateral (select version from board_versions where board = k.versioned) v on true
  left join lateral (
    select -day_points as lack, day_points as points, reached_at as at, user_id from scores
    where user_id = k.me and community_id = k.place and day = k.since and competes and day_points > 0) m on true
  cross join lateral (
    select 's', v.version, null::integer, null::float8, null
    union all (
      select 'a', user_id, day_points, date_part('epoch', reached_at), display_name from scores
      where community_id = k.place and day = k.since and competes and day_points > 0 and (-day_points, reached_at, user_id) < (m.lack, m.at, m.user_id)
      order by -day_points desc, reached_at desc, user_id desc limit $6)
    union all (
      select 'm', user_id, day_points, date_part('epoch', reached_at), display_name from scores
      where community_id = k.place and day = k.since and competes and day_points > 0 and (-day_points, reached_at, user_id) >= (m.lack, m.at, m.user_id)
      order by -day_points, reached_at, user_id limit $7)
    union all select 'c', null, m.points >> 6, 0, cnts::text from counters
      where board = k.place and slot = k.slots + (m.points >> 6)
    union all select 'c', null, (m.points >> 6) + 1, 0, cnts::text from counters
      where board = k.place and slot = k.slots + (m.points >> 6) + 1 and m.points & 63 >= 56
    union all select 'c', null, m.points >> 12, 1, cnts::text from counters
      where board = k.place and slot = k.slots + (1::bigint << 31) + (m.points >> 12)
    union all select f.* from board_first_today(k.place, k.since, k.slots, $8) f where v.version is distinct from k.known
  ) o
$$;

create function board_beside_week(uuid, uuid, integer, uuid, uuid, integer, integer, integer)
returns table (part text, id uuid, points integer, seconds float8, name text) language sql stable as $$
  select o.* from (
    select $1 as me, $2 as place, date '1970-01-01' + $3 as since, $4 as versioned, $5 as known,
      counter_slot(2, date '1970-01-01' + $3, 0, 0) as slots offset 0) k
  left join lateral (select version from board_versions where board = k.versioned) v on true
  left join lateral (
    select -week_points as lack, week_points as points, reached_at as at, user_id from scores
    where user_id = k.me and community_id = k.place and week = k.since and competes and week_points > 0) m on true
  cross join lateral (
    select 's', v.version, null::integer, null::float8, null
    union all (
      select 'a', user_id, week_points, date_part('epoch', reached_at), display_name from scores
      where community_id = k.place and week = k.since and competes and week_points > 0 and (-week_points, reached_at, user_id) < (m.lack, m.at, m.user_id)
      order by -week_points desc, reached_at desc, user_id desc limit $6)
    union all (
      select 'm', user_id, week_points, date_part('epoch', reached_at), display_name from scores
      where community_id = k.place and week = k.since and competes and week_points > 0 and (-week_points, reached_at, user_id) >= (m.lack, m.at, m.user_id)
      order by -week_points, reached_at, user_id limit $7)
    union all select 'c', null, m.points >> 6, 0, cnts::text from counters
      where board = k.place and slot = k.slots + (m.points >> 6)
    union all select 'c', null, (m.points >> 6) + 1, 0, cnts::text from counters
      where board = k.place and slot = k.slots + (m.points >> 6) + 1 and m.points & 63 >= 56
    union all select 'c', null, m.points >> 12, 1, cnts::text from counters
      where board = k.place and slot = k.slots + (1::bigint << 31) + (m.points >> 12)
    union all select f.* from board_first_week(k.place, k.since, k.slots, $8) f where v.version is distinct from k.known
  ) o
$$;

create function board_beside_month(uuid, uuid, integer, uuid, uuid, integer, integer, integer)
returns table (part text, id uuid, points integer, seconds float8, name text) language sql stable as $$
  select o.* from (
    select $1 as me, $2 as place, date '1970-01-01' + $3 as since, $4 as versioned, $5 as known,
      counter_slot(3, date '1970-01-01' + $3, 0, 0) as slots offset 0) k
  left join lateral (select version from board_versions where board = k.versioned) v on true
  left join lateral (
    select -month_points as lack, month_points as points, reached_at as at, user_id from scores
    where user_id = k.me and community_id = k.place and month = k.since and competes and month_points > 0) m on true
  cross join lateral (
    select 's', v.version, null::integer, null::float8, null
    union all (
      select 'a', user_id, month_points, date_part('epoch', reached_at), display_name from scores
      where community_id = k.place and month = k.since and competes and month_points > 0 and (-month_points, reached_at, user_id) < (m.lack, m.at, m.user_id)
      order by -month_points desc, reached_at desc, user_id desc limit $6)
    union all (
      select 'm', user_id, month_points, date_part('epoch', reached_at), display_name from scores
      where community_id = k.place and month = k.since and competes and month_points > 0 and (-month_points, reached_at, user_id) >= (m.lack, m.at, m.user_id)
      order by -month_points, reached_at, user_id limit $7)
    union all select 'c', null, m.points >> 6, 0, cnts::text from counters
      where board = k.place and slot = k.slots + (m.points >> 6)
    union all select 'c', null, (m.points >> 6) + 1, 0, cnts::text from counters
      where board = k.place and slot = k.slots + (m.points >> 6) + 1 and m.points & 63 >= 56
    union all select 'c', null, m.points >> 12, 1, cnts::text from counters
      where board = k.place and slot = k.slots + (1::bigint << 31) + (m.points >> 12)
    union all select f.* from board_first_month(k.place, k.since, k.slots, $8) f where v.version is distinct from k.known
  ) o
$$;

create function board_beside_season(uuid, uuid, integer, uuid, uuid, integer, integer, integer)
returns table (part text, id uuid, points integer, seconds float8, name text) language sql stable as $$
  select o.* from (
    select $1 as me, $2 as place, date '1970-01-01' + $3 as since, $4 as versioned, $5 as known,
      counter_slot(4, date '1970-01-01' + $3, 0, 0) as slots offset 0) k
  left join lateral (select version from board_versions where board = k.versioned) v on true
  left join lateral (
    select -season_points as lack, season_points as points, season_at as at, user_id from scores
    where user_id = k.me and season_id = k.place and competes and season_points > 0) m on true
  cross join lateral (
    select 's', v.version, null::integer, null::float8, null
    union all (
      select 'a', user_id, season_points, date_part('epoch', season_at), display_name from scores
      where season_id = k.place and competes and season_points > 0 and (-season_points, season_at, user_id) < (m.lack, m.at, m.user_id)
      order by -season_points desc, season_at desc, user_id desc limit $6)
    union all (
      select 'm', user_id, season_points, date_part('epoch', season_at), display_name from scores
      where season_id = k.place and competes and season_points > 0 and (-season_points, season_at, user_id) >= (m.lack, m.at, m.user_id)
      order by -season_points, season_at, user_id limit $7)
    union all select 'c', null, m.points >> 6, 0, cnts::text from counters
      where board = k.place and slot = k.slots + (m.points >> 6)
    union all select 'c', null, (m.points >> 6) + 1, 0, cnts::text from counters
      where board = k.place and slot = k.slots + (m.points >> 6) + 1 and m.points & 63 >= 56
    union all select 'c', null, m.points >> 12, 1, cnts::text from counters
      where board = k.place and slot = k.slots + (1::bigint << 31) + (m.points >> 12)
    union all select f.* from board_first_season(k.place, k.since, k.slots, $8) f where v.version is distinct from k.known
  ) o
$$;
