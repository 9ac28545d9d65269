/**
 * The text of steps (`with … , <these> select …`) that add lines of the ledger to their members' scores. `lines`
 * selects `community_id, user_id, points, at, season_id`; lines of one member may be of several days. A row of `scores`
 * holds the latest day, week and month in which its points moved: lines for an earlier one count for all time only. The
 * caller holds the lock of each named community.
 */
export const addToScores = (lines: string): string => `
    lines as materialized (${lines}
    ), dated as (
      select *, (at at time zone 'UTC')::date as day, date_trunc('week', at at time zone 'UTC')::date as week,
        date_trunc('month', at at time zone 'UTC')::date as month from lines
    ), latest as (
      select *, max(day) over member as last_day, max(week) over member as last_week, max(month) over member as last_month
      from dated window member as (partition by community_id, user_id)
    ), moved as (
      select community_id, user_id, sum(points)::integer as points, max(at) as at,
        max(day) as day, (sum(points) filter (where day = last_day))::integer as day_points,
        max(week) as week, (sum(points) filter (where week = last_week))::integer as week_points,
        max(month) as month, (sum(points) filter (where month = last_month))::integer as month_points,
        max(season_id::text)::uuid as season_id,
        coalesce(sum(points) filter (where season_id is not null), 0)::integer as season_points
      from latest group by community_id, user_id
    ), changed as (
      update scores s set
        points = s.points + m.points, reached_at = ${reached('s.reached_at', 'm.points')},
        ${ofPeriod('day')}, ${ofPeriod('week')}, ${ofPeriod('month')},
        season_id = coalesce(m.season_id, s.season_id),
        season_points = case when m.season_id <> s.season_id then m.season_points
          else s.season_points + m.season_points end,
        season_at = case when m.season_id is null then s.season_at
          when m.season_id is distinct from s.season_id then ${firstReached('m.season_points')}
          else ${reached('s.season_at', 'm.season_points')} end
      from moved m where s.user_id = m.user_id and s.community_id = m.community_id
      returning s.community_id, s.user_id
    ), added as (
      insert into scores (community_id, user_id, competes, points, reached_at, day, day_points, week, week_points, month,
        month_points, season_id, season_points, season_at)
      select m.community_id, m.user_id, may_compete(m.community_id, m.user_id), m.points, ${firstReached('m.points')},
        m.day, m.day_points, m.week, m.week_points, m.month, m.month_points, m.season_id, m.season_points,
        case when m.season_id is not null then ${firstReached('m.season_points')} end
      from moved m where (m.community_id, m.user_id) not in (select community_id, user_id from changed)
    )`;

/**
 * The moment from which a ledger entry counts, as SQL. Imported points precede everything that was earned here: they
 * affect no calendar board, and reversing them leaves the order of ties.
 */
export const countedAt = (line: string): string =>
  `case when ${line}.import_id is null then ${line}.at else 'epoch' end`;

/** When a total was reached: the latest moment that moved it, whichever clock wrote last. */
const reached = (at: string, points: string): string =>
  `case when ${points} = 0 then ${at} else greatest(${at}, m.at) end`;

/** The same of a first total; one of nothing was never reached. */
const firstReached = (points: string): string => `case when ${points} = 0 then '-infinity' else m.at end`;

/** A calendar board restarts with the first entry of its period. */
const ofPeriod = (name: 'day' | 'week' | 'month'): string => `
    ${name} = greatest(s.${name}, m.${name}),
    ${name}_points = case when m.${name} < s.${name} then s.${name}_points
      when m.${name} = s.${name} then s.${name}_points + m.${name}_points
      else m.${name}_points end`;
