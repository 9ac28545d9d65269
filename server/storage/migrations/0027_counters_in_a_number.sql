-- The sixty-four counters of a block are the digits of one number, eight for each: numbers are added up, cut off and
-- compared in the database's own code, where a list was taken apart and put together again for each change and each rank.

drop view hist;
alter table counters rename to counters_before;
alter table counters_before drop constraint counters_pkey;
create table counters (
  board uuid not null,
  -- `counter_slot` of the block: its bucket is that of the counters without their last six bits
  slot bigint not null,
  -- the last six bits of a counter's bucket are its place: it counts 10 to the power of eight times that
  cnts numeric not null,
  -- the counters stay out of the index, so that counting rewrites no index
  primary key (board, slot)
) with (fillfactor = 50);

-- What one in a counter's bucket is in the number of its block.
create function counter_unit(bucket bigint) returns numeric language sql immutable as $$
  select ('1e' || (bucket & 63) * 8)::numeric
$$;
-- The sum of the counters of a block, or of several: what is left over by 99,999,999 is the sum of a number's groups of
-- eight digits, as long as that is less; no board has so many on it.
create function counters_sum(cnts numeric) returns integer language sql immutable as $$
  select (cnts % 99999999)::integer
$$;
-- The counters of a block from a place on, or none.
create function counters_from(cnts numeric, place integer) returns numeric language sql immutable as $$
  select trunc(cnts, -8 * place)
$$;
-- Changes of a block, of which there are mostly one or two: the usual sum begins with more than it would add up.
create aggregate counters_changed(numeric) (sfunc = numeric_add, stype = numeric);

insert into counters
  select board, slot, (select coalesce(sum(cnt * counter_unit(place - 1)), 0) from unnest(cnts) with ordinality as one (cnt, place))
  from counters_before order by 1, 2;
drop table counters_before;
drop function counted;

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
create or replace function board_place(place uuid, during integer, first_day date, score integer)
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

-- As before (0025), with numbers: what moved within a block is gone from all wider ones.
do $do$
declare
  columns text := 'community_id, points, day, day_points, week, week_points, month, month_points, season_id, season_points';
  blocks text := 'board, counter_block(slot) as slot, counters_changed(change * counter_unit(slot)) as changes, sum(change)::integer as change';
  -- A block's own counter stands one level wider, where it is counted with its neighbours.
  wider text := '(select board, slot + 2147483648 as slot, change from %s where change <> 0) moved';
  body text := $body$
begin
  -- A statement that writes nothing calls this as well.
  if not exists (select from %1$s) then return null; end if;
  insert into board_versions
    select community_id, gen_random_uuid() from %1$s group by community_id order by community_id
    on conflict (board) do update set version = excluded.version;
  with rows as materialized (
    %2$s
  ), l0 as (
    select board, slot, sum(change)::integer as change from (
      select community_id as board, points::bigint as slot, change from rows where points > 0
      union all select community_id, counter_slot(1, day, 0, day_points), change from rows where day_points > 0
      union all select community_id, counter_slot(2, week, 0, week_points), change from rows where week_points > 0
      union all select community_id, counter_slot(3, month, 0, month_points), change from rows where month_points > 0
      union all select season_id, counter_slot(4, '1970-01-01', 0, season_points), change from rows where season_points > 0
    ) moved group by 1, 2 having sum(change) <> 0
  ), b0 as materialized (
    select %3$s from l0 group by 1, 2
  ), b1 as materialized (
    select %3$s from %4$s group by 1, 2
  ), b2 as materialized (
    select %3$s from %5$s group by 1, 2
  ), b3 as (
    select %3$s from %6$s group by 1, 2
  )
  merge into counters c
    using (select * from b0 union all select * from b1 union all select * from b2 union all select * from b3) m
    on c.board = m.board and c.slot = m.slot
    when matched then update set cnts = c.cnts + m.changes
    when not matched then insert (board, slot, cnts) values (m.board, m.slot, m.changes);
  return null;
end
$body$;
  gained text := format('select %s, 1 as change from new_rows where competes', columns);
  lost text := format('select %s, -1 as change from old_rows where competes', columns);
  head text := 'create or replace function counters_follow_%s() returns trigger language plpgsql '
    || 'set enable_hashjoin = off set enable_mergejoin = off as %L';
begin
  execute format(head, 'insert',
    format(body, 'new_rows', gained, blocks, format(wider, 'b0'), format(wider, 'b1'), format(wider, 'b2')));
  execute format(head, 'update',
    format(body, 'new_rows', gained || ' union all ' || lost, blocks, format(wider, 'b0'), format(wider, 'b1'), format(wider, 'b2')));
  execute format(head, 'delete',
    format(body, 'old_rows', lost, blocks, format(wider, 'b0'), format(wider, 'b1'), format(wider, 'b2')));
end $do$;
