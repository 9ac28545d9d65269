-- A process keeps the first rows of a board with the version they were read at, a counter is found by two columns in
-- place of five, and the lines of one statement have their members and communities looked up once for all.

-- Another version whenever anything that a board shows may be different, and never one that was there before: not after
-- a transaction that was undone, nor in a restored database.
create table board_versions (
  -- a community, or the instance
  board uuid primary key,
  version uuid not null
) with (fillfactor = 20);
insert into board_versions select community_id, gen_random_uuid() from scores group by community_id;

-- The place of a counter: 3 bits of `span`, 16 of the days from 1970-01-01 to `since`, 2 of `lvl` and 31 of `bucket`.
create function counter_slot(span integer, since date, lvl integer, bucket integer) returns bigint
language sql immutable as $$
  select (span::bigint << 49) + ((since - date '1970-01-01')::bigint << 33) + (lvl::bigint << 31) + bucket
$$;

drop view hist, standings;
alter table counters rename to counters_before;
alter table counters_before drop constraint counters_pkey;
create table counters (
  board uuid not null,
  slot bigint not null,
  cnt integer not null,
  -- the counter stays out of the index, so that counting rewrites no index
  primary key (board, slot)
) with (fillfactor = 50);
insert into counters
  select board, counter_slot(span, since, lvl, bucket), cnt from counters_before where cnt <> 0 order by 1, 2;
drop table counters_before;

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
  from (
    select board, (slot >> 49)::integer as span, date '1970-01-01' + (slot >> 33 & 65535)::integer as since,
      (slot >> 31 & 3)::smallint as lvl, (slot & 2147483647)::integer as bucket, cnt
    from counters
  ) c left join seasons s on c.span = 4 and s.id = c.board;

-- The rank of a score, how many stand at it, and how many on the whole board (of no score: only that).
create or replace function board_place(place uuid, during integer, first_day date, score integer)
returns table (rank integer, tied integer, ranked integer) language sql stable as $$
  select (1 + coalesce(sum(cnt) filter (where above), 0))::integer,
    coalesce(sum(cnt) filter (where lvl = 0 and not above), 0)::integer,
    coalesce(sum(cnt) filter (where lvl = 3), 0)::integer
  from (
    select 0 as lvl, cnt, slot > counter_slot(during, first_day, 0, score) as above from counters
      where board = place and slot >= counter_slot(during, first_day, 0, score) and slot <= counter_slot(during, first_day, 0, score | 63)
    union all
    select 1, cnt, true from counters
      where board = place and slot > counter_slot(during, first_day, 1, score >> 6) and slot <= counter_slot(during, first_day, 1, score >> 6 | 63)
    union all
    select 2, cnt, true from counters
      where board = place and slot > counter_slot(during, first_day, 2, score >> 12) and slot <= counter_slot(during, first_day, 2, score >> 12 | 63)
    union all
    select 3, cnt, slot > counter_slot(during, first_day, 3, score >> 18) from counters
      where board = place and slot >= counter_slot(during, first_day, 3, 0) and slot < counter_slot(during, first_day, 4, 0)
  ) counted
$$;

-- As before (0021), with slots; and the boards' versions are others from then on.
do $do$
declare
  columns text := 'community_id, points, day, day_points, week, week_points, month, month_points, season_id, season_points';
  -- One level wider: the bucket loses six bits.
  wider text := '(slot & -2147483648) + 2147483648 + ((slot & 2147483647) >> 6)';
  body text := $body$
begin
  -- A statement that writes nothing calls this as well.
  if not exists (select from %1$s) then return null; end if;
  insert into board_versions
    select community_id, gen_random_uuid() from %1$s group by community_id order by community_id
    on conflict (board) do update set version = excluded.version;
  with rows as materialized (
    %2$s
  ), l0 as materialized (
    select board, slot, sum(change)::integer as change from (
      select community_id as board, points::bigint as slot, change from rows where points > 0
      union all select community_id, counter_slot(1, day, 0, day_points), change from rows where day_points > 0
      union all select community_id, counter_slot(2, week, 0, week_points), change from rows where week_points > 0
      union all select community_id, counter_slot(3, month, 0, month_points), change from rows where month_points > 0
      union all select season_id, counter_slot(4, '1970-01-01', 0, season_points), change from rows where season_points > 0
    ) moved group by 1, 2 having sum(change) <> 0
  ), l1 as materialized (
    select board, %3$s as slot, sum(change)::integer as change from l0 group by 1, 2 having sum(change) <> 0
  ), l2 as materialized (
    select board, %3$s as slot, sum(change)::integer as change from l1 group by 1, 2 having sum(change) <> 0
  ), l3 as (
    select board, %3$s as slot, sum(change)::integer as change from l2 group by 1, 2 having sum(change) <> 0
  )
  merge into counters c
    using (select * from l0 union all select * from l1 union all select * from l2 union all select * from l3) m
    on c.board = m.board and c.slot = m.slot
    when matched then update set cnt = c.cnt + m.change
    when not matched then insert (board, slot, cnt) values (m.board, m.slot, m.change);
  return null;
end
$body$;
  gained text := format('select %s, 1 as change from new_rows where competes', columns);
  lost text := format('select %s, -1 as change from old_rows where competes', columns);
  head text := 'create or replace function counters_follow_%s() returns trigger language plpgsql '
    || 'set enable_hashjoin = off set enable_mergejoin = off as %L';
begin
  execute format(head, 'insert', format(body, 'new_rows', gained, wider));
  execute format(head, 'update', format(body, 'new_rows', gained || ' union all ' || lost, wider));
  execute format(head, 'delete', format(body, 'old_rows', lost, wider));
end $do$;

-- A line belongs to a member and a community that are there, and stay there. As foreign keys both would be looked up
-- and locked for every line (a tenth of an event's time, and every member's row written to); here they are looked up for
-- all lines of a statement, and whoever deletes one takes the turn of the instance, as whoever writes lines does.
alter table point_events drop constraint point_events_user_id_fkey, drop constraint point_events_community_id_fkey;
create function ledger_has_owners() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('00000000-0000-0000-0000-000000000000', 4));
  if exists (select from new_lines l where (select u.id from users u where u.id = l.user_id) is null)
    or exists (
      select from (select community_id from new_lines group by community_id) l
      where (select c.id from communities c where c.id = l.community_id) is null)
  then
    raise exception 'a line of the ledger names a member or a community that is not there' using errcode = 'foreign_key_violation';
  end if;
  return null;
end $$;
create trigger point_events_owners after insert on point_events
  referencing new table as new_lines for each statement execute function ledger_has_owners();
create function ledger_keeps_owners() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('00000000-0000-0000-0000-000000000000', 4));
  if tg_table_name = 'users' and exists (select from point_events where user_id = old.id)
    or tg_table_name = 'communities' and exists (select from point_events where community_id = old.id)
  then
    raise exception 'the ledger has lines of this row of %', tg_table_name using errcode = 'foreign_key_violation';
  end if;
  return null;
end $$;
create trigger users_ledger after delete on users for each row execute function ledger_keeps_owners();
create trigger users_ledger_id after update of id on users
  for each row when (old.id <> new.id) execute function ledger_keeps_owners();
create trigger communities_ledger after delete on communities for each row execute function ledger_keeps_owners();
create trigger communities_ledger_id after update of id on communities
  for each row when (old.id <> new.id) execute function ledger_keeps_owners();
