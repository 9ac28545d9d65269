import type { League } from '../../../../server/contract/leagues.ts';
import {
  divisionAfter,
  type Entrant,
  groupedAt,
  groupSeen,
  groupsOf,
  latestWeek,
  resultsOf,
  type Score,
  standsApart,
  startsAt,
  timesOf,
  weekOf,
} from '../../../../server/domain/leagues.ts';
import { firstDaysOf } from '../../../../server/domain/periods.ts';
import { dayAt } from '../../../../server/rules/periods.ts';
import type { AnswersFor } from './answers.ts';
import { type Asker, type Community, type Entry, roleIn, type World } from './world.ts';

/** The week that a ledger entry counts in: a reversal in its award's week, while that is open. */
function countedIn({ ledger, claims }: World, entry: Entry): string | null {
  const { claimId, kind } = entry;
  const taken = kind === 'reverse' ? ledger.find((one) => one.kind === 'award' && one.claimId === claimId) : null;
  const recorded = new Date((taken ?? entry).at);
  const acted = claimId === null ? undefined : claims.find(({ id }) => id === claimId)?.actedAt;
  const week = weekOf({ done: acted === undefined ? recorded : new Date(acted), recorded });
  return new Date(entry.at) < timesOf(week).settlesAt ? week : null;
}

/** Points of each week, by its Monday. */
function scoresIn(world: World, communityId: string): (week: string, userId: string) => Score {
  const scores = new Map<string, Score>();
  const scoreOf = (week: string | null, userId: string): Score =>
    scores.get(`${week} ${userId}`) ?? { userId, points: 0, reachedAt: null };
  for (const entry of world.ledger.filter((one) => one.communityId === communityId)) {
    const week = countedIn(world, entry);
    const points = scoreOf(week, entry.userId).points + entry.points;
    scores.set(`${week} ${entry.userId}`, { userId: entry.userId, points, reachedAt: new Date(entry.at) });
  }
  return scoreOf;
}

/**
 * Plays a community's leagues week by week from the first: people who are members when a week's groups are made take
 * part, in divisions from the weeks before. The server stores past weeks; here they are recomputed.
 */
function play({ world, me, now }: Asker, community: Community, since: Date) {
  const scoreOf = scoresIn(world, community.id);
  const competitors = community.members.filter(({ role }) => role !== 'leader');
  const divisions = new Map<string, number>();
  const due = latestWeek(now);
  let last: League['last'] = null;
  let mine: Entrant[] | undefined;
  for (let week = firstDaysOf(since).week; week <= due; week = dayAt(week, 7)) {
    const before = dayAt(week, -7);
    const madeAt = new Date(Math.max(groupedAt(week).getTime(), since.getTime())).toISOString();
    const groups = groupsOf(
      competitors
        .filter(({ joinedAt }) => joinedAt <= madeAt)
        .map(({ userId, joinedAt }) => ({
          ...scoreOf(before, userId),
          division: divisions.get(userId) ?? 1,
          isNew: !divisions.has(userId) && joinedAt >= before,
        })),
    );
    mine = groups.find((group) => group.some(({ userId }) => userId === me.id));
    if (week === due) break;
    for (const group of groups) {
      const results = resultsOf(group.map((one) => ({ ...one, ...scoreOf(week, one.userId) })));
      for (const { userId, rank, division: from, move } of results) {
        const division = divisionAfter(from, move);
        divisions.set(userId, division);
        if (userId === me.id) last = { week, move, division, rank, of: group.length };
      }
    }
  }
  return { due, mine, last, scoreOf };
}

function leagueOf(asker: Asker, community: Community): League {
  const { world, me, now } = asker;
  const nothing = { asOf: now.toISOString(), startsAt: null, group: null, last: null };
  if (community.leaguesSince === null) return { state: 'off', ...nothing };
  const apart = standsApart({ role: roleIn(community, me.id), isHidden: false, isSuspended: false });
  if (apart === 'leader') return { state: apart, ...nothing };
  if (community.board.state === 'hidden') return { state: 'closed', ...nothing };
  const since = new Date(community.leaguesSince);
  const { due, mine, last, scoreOf } = play(asker, community, since);
  const seat = mine?.find(({ userId }) => userId === me.id);
  if (!mine || !seat) return { state: 'waiting', ...nothing, startsAt: startsAt(since, due, now).toISOString(), last };
  const { division, isNew } = seat;
  const next = now < timesOf(due).endsAt ? null : Math.max(0, scoreOf(dayAt(due, 7), me.id).points);
  const group = groupSeen(
    { me: me.id, week: due, division, isNew, next },
    mine.map((one) => ({ ...one, ...scoreOf(due, one.userId), name: world.nameOf(one.userId) ?? '' })),
  );
  return { state: 'playing', ...nothing, group, last };
}

export const leagueAnswers = {
  'GET /api/communities/:communityId/league': ({ asker, community }) => leagueOf(asker, community),
} satisfies AnswersFor<'member'>;
