-- What a board's reader asks for beside what it has kept of a version (`ownPart` in server/features/boards/statements.ts): a
-- function for each period, which the planner makes a part of the statement. The driver then finds a statement of eighty
-- letters again, where two thousand were read for each question.

-- What one in a counter's bucket is in the number of its block, as before (0027), but text and a number made text first: what
-- may depend on a setting, as a text and any value do, was no part of the statement and called for each counter.
create or replace function counter_unit(bucket bigint) returns numeric language sql immutable as $$
  select ('1e' || ((bucket & 63) * 8)::text)::numeric
$$;

do $do$
declare
  board record;
begin
  for board in select * from (values
    ('all', 0, 'points', 'reached_at', 'community_id = k.place'),
    ('today', 1, 'day_points', 'reached_at', 'community_id = k.place and day = k.since'),
    ('week', 2, 'week_points', 'reached_at', 'community_id = k.place and week = k.since'),
    ('month', 3, 'month_points', 'reached_at', 'community_id = k.place and month = k.since'),
    ('season', 4, 'season_points', 'season_at', 'season_id = k.place')) periods (period, span, points, at, standing)
  loop
    -- $1 me; $2 and $3 the board's place and first day; $4 whose version it has; $5 the version that is known; $6 rows above
    -- mine; $7 mine and those below; $8 first rows, where the version is another. A row that all steps are given hides them
    -- from the planner, so that one plan serves all boards. The next block of counters is read from place 56 of mine on.
    -- Each block is a step of its own: a list of slots is read by way of a bitmap, which costs more than three steps.
    execute format($body$
create function board_beside_%1$s(uuid, uuid, date, uuid, uuid, integer, integer, integer)
returns table (part text, id uuid, points integer, seconds float8, name text) language sql stable as $$
  select o.* from (
    select $1 as me, $2 as place, $3 as since, $4 as versioned, $5 as known, counter_slot(%2$s, $3, 0, 0) as slots offset 0) k
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
    union all select 'c', null, (slot & 2147483647)::integer, slot >> 31 & 3, cnts::text from counters
      where board = k.place and slot >= k.slots + (2::bigint << 31) and slot < k.slots + (4::bigint << 31)
        and v.version is distinct from k.known
    union all (
      select 't', user_id, %3$s, date_part('epoch', %4$s), display_name from scores
      where %5$s and competes and %3$s > 0 and v.version is distinct from k.known
      order by -%3$s, %4$s, user_id limit $8)
  ) o
$$ $body$, board.period, board.span, board.points, board.at, board.standing);
  end loop;
end
$do$;
