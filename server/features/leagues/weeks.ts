import type { ISql, TransactionSql } from 'postgres';
import type { Runtime } from '../../base/runtime.ts';
import type { LeagueMove } from '../../contract/leagues.ts';
import { LEAGUE_RETENTION_WEEKS } from '../../contract/limits.ts';
import {
  divisionAfter,
  groupsOf,
  latestWeek,
  resultsOf,
  type Score,
  standsApart,
  timesOf,
} from '../../domain/leagues.ts';
import { dayAt } from '../../rules/periods.ts';
import { hiddenText } from '../communities/hidden.ts';
import { pointsOf } from './points.ts';

/** A line with a time before the end of the grace is in the ledger by then: no request takes so long. */
const WRITTEN_BY_MS = 5 * 60_000;
/** Rows that are written in one statement. */
const AT_ONCE = 10_000;
/** All reads of a week's change share one snapshot. */
const ONE_MOMENT = 'isolation level repeatable read';

/**
 * Settles finished weeks and forms the next groups in each active community with leagues: each in its own transaction,
 * so a failure is retried by the next run and blocks no other.
 */
export async function advanceLeagues(
  { sql, log, now: clock }: Pick<Runtime, 'sql' | 'log' | 'now'>,
  stopping?: AbortSignal,
): Promise<void> {
  const now = clock();
  const week = dueWeek(now);
  const due = await sql<{ id: string }[]>`
    select id from communities c
    where leagues_since is not null and date_trunc('week', leagues_since at time zone 'UTC') <= ${week}::date
      and status = 'active'
      and not exists (select from league_weeks w where w.community_id = c.id and w.week = ${week}::date)
    order by id`;
  for (const { id } of due) {
    if (stopping?.aborted) return;
    try {
      await sql.begin(ONE_MOMENT, (tx) => advanceWeek(tx, id, now));
    } catch (error) {
      log.error({ err: error, communityId: id }, 'the groups of a league were not made');
    }
  }
  await sql`delete from league_weeks where week < ${dayAt(week, -7 * LEAGUE_RETENTION_WEEKS)}::date`;
  // PostgreSQL updates statistics only after a tenth of the table changed: it would take the new week for empty and
  // read all of it for one group.
  if (due.length > 0) await sql`analyze league_places`;
}

const dueWeek = (now: Date): string => latestWeek(new Date(now.getTime() - WRITTEN_BY_MS));

/**
 * Makes the groups of the week that is due in a community, if they are not there, and settles what is open from before it. `tx`
 * sees one moment. Whether it did.
 */
export async function advanceWeek(tx: TransactionSql, communityId: string, now: Date): Promise<boolean> {
  const week = dueWeek(now);
  const [made] = await tx`
    insert into league_weeks (community_id, week, fixed_at) values (${communityId}, ${week}::date, ${now})
    on conflict do nothing returning week`;
  if (!made) return false;
  const members = await membersOf(tx, communityId);
  const open = await tx<{ week: string }[]>`
    select week::text from league_weeks
    where community_id = ${communityId} and week < ${week}::date and settled_at is null order by week`;
  const earlier = dayAt(week, -7);
  const points = await pointsOf(tx, communityId, earlier);
  for (const one of open) {
    const its = one.week === earlier ? points : await pointsOf(tx, communityId, one.week);
    await settle(tx, { communityId, week: one.week, members, points: its }, now);
  }
  await makeGroups(tx, { communityId, week, members, points });
  return true;
}

/** Eligible members, and when they joined. */
type Members = Map<string, { joinedAt: Date }>;

async function membersOf(sql: ISql, communityId: string): Promise<Members> {
  const rows = await sql<{ userId: string; role: string; joinedAt: Date; isHidden: boolean; isSuspended: boolean }[]>`
    select m.user_id as "userId", m.role, m.joined_at as "joinedAt", u.suspended_at is not null as "isSuspended",
      ${sql.unsafe(hiddenText('m.user_id'))} as "isHidden"
    from community_members m join users u on u.id = m.user_id where m.community_id = ${communityId}`;
  return new Map(rows.filter((one) => standsApart(one) === null).map((one) => [one.userId, one]));
}

const NOTHING = { points: 0, reachedAt: null };
const scoreOf = (points: ReadonlyMap<string, Score>, userId: string): Score =>
  points.get(userId) ?? { userId, ...NOTHING };

/** A week's points, or for its groups those of the week before. */
type Week = { communityId: string; week: string; members: Members; points: ReadonlyMap<string, Score> };

async function settle(tx: TransactionSql, { communityId, week, members, points }: Week, now: Date): Promise<void> {
  const places = await tx<{ userId: string; division: number; group: number }[]>`
    select user_id as "userId", division, group_no as "group" from league_places
    where community_id = ${communityId} and week = ${week}::date`;
  const groups = new Map<number, (Score & { division: number })[]>();
  for (const { userId, division, group } of places) {
    if (!members.has(userId)) continue;
    const one = { ...scoreOf(points, userId), division };
    const others = groups.get(group);
    if (others) others.push(one);
    else groups.set(group, [one]);
  }
  const results = [...groups.values()].flatMap(resultsOf);
  for (let from = 0; from < results.length; from += AT_ONCE) {
    const part = results.slice(from, from + AT_ONCE);
    await tx`
      update league_places p set outcome = r.outcome, rank = r.rank, points = r.points
      from unnest(${part.map(({ userId }) => userId)}::uuid[], ${part.map(({ move }) => move)}::text[],
        ${part.map(({ rank }) => rank)}::integer[],
        ${part.map(({ rank, points: made }) => (rank === null ? null : made))}::integer[])
        as r (user_id, outcome, rank, points)
      where p.community_id = ${communityId} and p.week = ${week}::date and p.user_id = r.user_id`;
  }
  await tx`
    update league_places set outcome = 'apart'
    where community_id = ${communityId} and week = ${week}::date and outcome is null`;
  await tx`
    update league_weeks set settled_at = ${now} where community_id = ${communityId} and week = ${week}::date`;
}

async function makeGroups(tx: TransactionSql, { communityId, week, members, points }: Week): Promise<void> {
  const divisions = await divisionsBefore(tx, communityId, week);
  const { startsAt } = timesOf(dayAt(week, -7));
  const entrants = [...members].map(([userId, { joinedAt }]) => ({
    ...scoreOf(points, userId),
    division: divisions.get(userId) ?? 1,
    isNew: !divisions.has(userId) && joinedAt >= startsAt,
  }));
  const places = groupsOf(entrants).flatMap((group, at) => group.map((one) => ({ ...one, group: at + 1 })));
  for (let from = 0; from < places.length; from += AT_ONCE) {
    const part = places.slice(from, from + AT_ONCE);
    await tx`
      insert into league_places (community_id, week, user_id, division, newcomer, group_no)
      select ${communityId}, ${week}::date, user_id, division, newcomer = 1, group_no
      from unnest(${part.map(({ userId }) => userId)}::uuid[], ${part.map(({ division }) => division)}::smallint[],
        ${part.map(({ isNew }) => Number(isNew))}::smallint[], ${part.map(({ group }) => group)}::integer[])
        as given (user_id, division, newcomer, group_no)`;
  }
}

/** The division that each member's last week came to, of those who have played. */
async function divisionsBefore(sql: ISql, communityId: string, week: string): Promise<Map<string, number>> {
  const rows = await sql<{ userId: string; division: number; outcome: LeagueMove | 'apart' | null }[]>`
    select distinct on (user_id) user_id as "userId", division, outcome from league_places
    where community_id = ${communityId} and week < ${week}::date order by user_id, week desc`;
  return new Map(rows.map(({ userId, division, outcome }) => [userId, divisionAfter(division, outcome)]));
}

export type LeagueDrift = { week: string; userId: string; what: string; kept: string; made: string };

/**
 * Recomputes every league week of a community from the ledger and the participants and returns differences. Empty when
 * all is well. `sql` must be one snapshot.
 */
export async function checkLeagues(sql: ISql, communityId: string): Promise<LeagueDrift[]> {
  const weeks = await sql<{ week: string; isSettled: boolean }[]>`
    select week::text, settled_at is not null as "isSettled" from league_weeks
    where community_id = ${communityId} order by week`;
  const drift: LeagueDrift[] = [];
  const divisions = new Map<string, number>();
  for (const { week, isSettled } of weeks) {
    const places = await sql<
      {
        userId: string;
        division: number;
        newcomer: boolean;
        group: number;
        outcome: string | null;
        rank: number | null;
        points: number | null;
      }[]
    >`
      select user_id as "userId", division, newcomer, group_no as "group", outcome, rank, points from league_places
      where community_id = ${communityId} and week = ${week}::date`;
    const storedOf = new Map(places.map((one) => [one.userId, one]));
    const differs = (userId: string, what: string, was: unknown, made: unknown) => {
      if (was !== made) drift.push({ week, userId, what, kept: String(was), made: String(made) });
    };
    const earlier = await pointsOf(sql, communityId, dayAt(week, -7));
    const groups = groupsOf(
      places.map(({ userId, division, newcomer }) => ({
        ...scoreOf(earlier, userId),
        // A member without an earlier week may have been in one that is deleted.
        division: divisions.get(userId) ?? division,
        isNew: newcomer,
      })),
    );
    const points = await pointsOf(sql, communityId, week);
    for (const [at, group] of groups.entries()) {
      for (const { userId, division } of group) {
        differs(userId, 'group', storedOf.get(userId)?.group, at + 1);
        differs(userId, 'division', storedOf.get(userId)?.division, division);
        divisions.set(userId, division);
      }
      if (!isSettled) continue;
      const present = group.filter(({ userId }) => storedOf.get(userId)?.outcome !== 'apart');
      for (const result of resultsOf(
        present.map(({ userId, division }) => ({ ...scoreOf(points, userId), division })),
      )) {
        const was = storedOf.get(result.userId);
        differs(result.userId, 'move', was?.outcome, result.move);
        differs(result.userId, 'rank', was?.rank, result.rank);
        differs(result.userId, 'points', was?.points, result.rank === null ? null : result.points);
        divisions.set(result.userId, divisionAfter(result.division, result.move));
      }
    }
  }
  return drift;
}
