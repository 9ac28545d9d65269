-- A statement's steps are made ready before any of them is needed, which took a third of a board's time in the database, and two
-- of them are needed only where the board's version is another: one read in ten beside a writer. They are a function of their
-- own now. The first day comes as days since 1970 (in `counter_slot` it is counted so, too): reading a date from its text took
-- as long as finding a row.

do $do$
declare
  board record;
begin
  for board in select * from (values
    ('all', 0, 'points', 'reached_at', 'community_id = %s.place'),
    ('today', 1, 'day_points', 'reached_at', 'community_id = %1$s.place and day = %1$s.since'),
    ('week', 2, 'week_points', 'reached_at', 'community_id = %1$s.place and week = %1$s.since'),
    ('month', 3, 'month_points', 'reached_at', 'community_id = %1$s.place and month = %1$s.since'),
    ('season', 4, 'season_points', 'season_at', 'season_id = %s.place')) periods (period, span, points, at, standing)
  loop
    execute format('drop function board_beside_%s(uuid, uuid, date, uuid, uuid, integer, integer, integer)', board.period);

    -- What is the same for everybody: the widest counters and the first rows. Its plans are kept, and never read a table
    -- through: a function that the planner opened would be planned anew in each statement.
    execute format($body$
create function board_first_%1$s(place uuid, since date, slots bigint, most integer)
returns table (part text, id uuid, points integer, seconds float8, name text) language plpgsql stable
set enable_seqscan = off set enable_bitmapscan = off set plan_cache_mode = force_generic_plan as $$
begin
  return query
    select 'c', null::uuid, (c.slot & 2147483647)::integer, (c.slot >> 31 & 3)::float8, c.cnts::text from counters c
    where c.board = place and c.slot >= slots + (2::bigint << 31) and c.slot < slots + (4::bigint << 31);
  return query
    select 't', s.user_id, s.%2$s, date_part('epoch', s.%3$s), s.display_name from scores s
    where s.%4$s and s.competes and s.%2$s > 0
    order by -s.%2$s, s.%3$s, s.user_id limit most;
end
$$ $body$, board.period, board.points, board.at, format(board.standing, 'board_first_' || board.period));

    -- $1 me; $2 and $3 the board's place and first day; $4 whose version it has; $5 the version that is known; $6 rows above
    -- mine; $7 mine and those below; $8 first rows, where the version is another. A row that all steps are given hides them
    -- from the planner, so that one plan serves all boards. The next block of counters is read from place 56 of mine on.
    -- Each block is a step of its own: a list of slots is read by way of a bitmap, which costs more than three steps.
    execute format($body$
create function board_beside_%1$s(uuid, uuid, integer, uuid, uuid, integer, integer, integer)
returns table (part text, id uuid, points integer, seconds float8, name text) language sql stable as $$
  select o.* from (
    select $1 as me, $2 as place, date '1970-01-01' + $3 as since, $4 as versioned, $5 as known,
      counter_slot(%2$s, date '1970-01-01' + $3, 0, 0) as slots offset 0) k
  left join lateral (select version from board_versions where board = k.versioned) v on true
  left join lateral (
    select -%3$s as lack, %3$s as points, %4$s as at, user_id from scores
    where user_id = k.me and %5$s and competes and %3$s > 0) m on true
  cross join lateral (
    select 's', v.version, null::integer, null::float8, null
    union all (
      select 'a', user_id, %3$s, date_part('epoch', %4$s), display_name from scores
      where %5$s and competes and %3$s > 0 and (-%3$s, %4$s, user_id) < (m.lack, m.at, m.user_id)
      order by -%3$s desc, %4$s desc, user_id desc limit $6)
    union all (
      select 'm', user_id, %3$s, date_part('epoch', %4$s), display_name from scores
      where %5$s and competes and %3$s > 0 and (-%3$s, %4$s, user_id) >= (m.lack, m.at, m.user_id)
      order by -%3$s, %4$s, user_id limit $7)
    union all select 'c', null, m.points >> 6, 0, cnts::text from counters
      where board = k.place and slot = k.slots + (m.points >> 6)
    union all select 'c', null, (m.points >> 6) + 1, 0, cnts::text from counters
      where board = k.place and slot = k.slots + (m.points >> 6) + 1 and m.points & 63 >= 56
    union all select 'c', null, m.points >> 12, 1, cnts::text from counters
      where board = k.place and slot = k.slots + (1::bigint << 31) + (m.points >> 12)
    union all select f.* from board_first_%1$s(k.place, k.since, k.slots, $8) f where v.version is distinct from k.known
  ) o
$$ $body$, board.period, board.span, board.points, board.at, format(board.standing, 'k'));
  end loop;
end
$do$;
