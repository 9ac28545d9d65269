import type { TransactionSql } from 'postgres';
import type { CommunityRole } from '../../contract/community.ts';
import type { League, LeagueGroup, LeagueMove } from '../../contract/leagues.ts';
import { divisionAfter, groupSeen, standsApart, startsAt, timesOf } from '../../domain/leagues.ts';
import { dayAt } from '../../rules/periods.ts';
import { hiddenText } from '../communities/hidden.ts';
import { pointsOf } from './points.ts';

type LeagueScope = { communityId: string; userId: string; role: CommunityRole | null; now: Date };
type LeagueSlot = { week: string; division: number; newcomer: boolean; group: number };

/** A member's league as it is at `now`. `sql` must be one snapshot. */
export async function readLeague(sql: TransactionSql, scope: LeagueScope): Promise<League> {
  const { communityId, userId, role, now } = scope;
  const [frame] = await sql<{ since: Date | null; board: string; isHidden: boolean; week: string | null }[]>`
    select leagues_since as since, board_state as board,
      ${sql.unsafe(hiddenText('me.id'))} as "isHidden",
      (select max(week)::text from league_weeks w where w.community_id = c.id) as week
    from communities c, (select ${userId}::uuid as id) me where c.id = ${communityId}`;
  const nothing = { asOf: now.toISOString(), startsAt: null, group: null, last: null };
  if (!frame?.since) return { state: 'off', ...nothing };
  const apart = standsApart({ role, isHidden: frame.isHidden, isSuspended: false });
  if (apart === 'leader' || apart === 'hidden') return { state: apart, ...nothing };
  if (frame.board === 'hidden') return { state: 'closed', ...nothing };
  const last = await lastOf(sql, scope);
  const [mine] =
    frame.week === null
      ? []
      : await sql<LeagueSlot[]>`
          select week::text, division, newcomer, group_no as "group" from league_places
          where community_id = ${communityId} and user_id = ${userId} and week = ${frame.week}::date`;
  if (!mine) {
    const next = startsAt(frame.since, frame.week, now);
    return { state: 'waiting', ...nothing, startsAt: next.toISOString(), last };
  }
  return { state: 'playing', ...nothing, group: await groupOf(sql, scope, mine), last };
}

async function groupOf(
  sql: TransactionSql,
  { communityId, userId, now }: LeagueScope,
  mine: LeagueSlot,
): Promise<LeagueGroup> {
  const people = await sql<{ userId: string; name: string; division: number }[]>`
    select p.user_id as "userId", u.display_name as name, p.division from league_places p
    join users u on u.id = p.user_id and u.suspended_at is null
    join community_members m on m.community_id = p.community_id and m.user_id = p.user_id and m.role <> 'leader'
    where p.community_id = ${communityId} and p.week = ${mine.week}::date and p.group_no = ${mine.group}
      and not ${sql.unsafe(hiddenText('p.user_id'))}`;
  const ids = people.map((one) => one.userId);
  const points = await pointsOf(sql, communityId, mine.week, ids);
  const isOver = now >= timesOf(mine.week).endsAt;
  const after = isOver ? await pointsOf(sql, communityId, dayAt(mine.week, 7), [userId]) : null;
  return groupSeen(
    {
      me: userId,
      week: mine.week,
      division: mine.division,
      isNew: mine.newcomer,
      next: after && Math.max(0, after.get(userId)?.points ?? 0),
    },
    people.map((one) => ({ points: 0, reachedAt: null, ...points.get(one.userId), ...one })),
  );
}

async function lastOf(sql: TransactionSql, { communityId, userId }: LeagueScope): Promise<League['last']> {
  const [row] = await sql<{ week: string; division: number; move: LeagueMove; rank: number | null; of: number }[]>`
    select p.week::text, p.division, p.outcome as move, p.rank, (
      select count(*)::int from league_places o
      where o.community_id = p.community_id and o.week = p.week and o.group_no = p.group_no and o.outcome <> 'apart') as of
    from league_places p
    where p.community_id = ${communityId} and p.user_id = ${userId} and p.outcome in ('rise', 'stay', 'fall')
    order by p.week desc limit 1`;
  return row ? { ...row, division: divisionAfter(row.division, row.move) } : null;
}
