import type { BoardPeriod, BoardRow, Leaderboard } from '../../../../server/contract/boards.ts';
import { BOARD_TOP } from '../../../../server/contract/limits.ts';
import type { Season, SeasonSummary } from '../../../../server/contract/seasons.ts';
import { firstDaysOf } from '../../../../server/domain/periods.ts';
import { aroundMe, noSeason, withRanks } from '../../../../server/domain/ranks.ts';
import type { AnswersFor } from './answers.ts';
import { type Asker, type Community, type Entry, roleIn, type World } from './world.ts';

export const summaryOfSeason = ({ id, name, state, startsAt, endsAt, graceUntil }: Season): SeasonSummary => ({
  id,
  name,
  state,
  startsAt,
  endsAt,
  graceUntil,
});
export const currentSeason = ({ seasons }: Community): Season | null =>
  seasons.find(({ state }) => state === 'live' || state === 'grace') ?? null;

/** Points of everyone in these entries: most first, then the earliest, then by id. */
function rowsOf(world: World, entries: readonly Entry[], me: string): BoardRow[] {
  const sums = new Map<string, { points: number; reachedAt: string }>();
  for (const { userId, points, at } of entries)
    sums.set(userId, { points: (sums.get(userId)?.points ?? 0) + points, reachedAt: at });
  const ordered = [...sums]
    .filter(([, { points }]) => points > 0)
    .sort(
      ([a, one], [b, other]) =>
        other.points - one.points || one.reachedAt.localeCompare(other.reachedAt) || a.localeCompare(b),
    )
    .map(([userId, { points, reachedAt }]) => ({
      rank: null,
      userId,
      name: world.nameOf(userId) ?? '',
      points,
      reachedAt: new Date(reachedAt),
    }));
  return withRanks(ordered, { rank: 1, tied: null }, me);
}

/** Entries since a period's first day began, UTC. */
function since(entries: readonly Entry[], period: BoardPeriod, now: Date): Entry[] {
  const { day, week, month } = firstDaysOf(now);
  const first = { today: day, week, month, season: '', all: '' }[period];
  return entries.filter(({ at }) => at >= first);
}

/** A community's leaderboard, without leaders, who do not compete. */
export function boardOf(asker: Asker, community: Community, period: BoardPeriod, season: Season | null = null) {
  const { world, me, now } = asker;
  const competes = new Set(community.members.filter(({ role }) => role !== 'leader').map(({ userId }) => userId));
  const entries = world.ledger.filter(
    ({ communityId, userId, taskId, at }) =>
      communityId === community.id &&
      competes.has(userId) &&
      (season === null ||
        (at >= (season.startsAt ?? '') &&
          at < season.graceUntil &&
          (season.taskIds.length === 0 || season.taskIds.includes(taskId ?? '')))),
  );
  const isHidden = community.board.state === 'hidden' && roleIn(community, me.id) !== 'leader';
  const rows = isHidden ? [] : rowsOf(world, since(entries, period, now), me.id);
  return viewOf(rows, me.id);
}

function viewOf(rows: BoardRow[], me: string) {
  const mine = rows.findIndex(({ userId }) => userId === me);
  return {
    top: rows.slice(0, BOARD_TOP),
    around: mine < 0 ? [] : aroundMe(rows, mine),
    me: rows[mine] ?? null,
    ranked: rows.length,
  };
}

const WAITING = new Set(['submitted', 'checking', 'changes_requested']);
/** Points of a member's claims that may still count; `communityId` null: in all communities. */
export const pendingOf = (world: World, userId: string, communityId: string | null): number =>
  world.claims
    .filter(
      (claim) =>
        claim.userId === userId &&
        WAITING.has(claim.state) &&
        (communityId === null || claim.communityId === communityId),
    )
    .reduce((sum, { points }) => sum + points, 0);

function leaderboard(asker: Asker, community: Community, period: BoardPeriod, seasonId?: string): Leaderboard {
  const season =
    period !== 'season'
      ? null
      : (community.seasons.find(({ id, state }) => (seasonId === undefined ? state !== 'draft' : id === seasonId)) ??
        null);
  if (period === 'season' && season === null) throw noSeason();
  const { ranked: _, ...view } = boardOf(asker, community, period, season);
  return {
    scope: 'community',
    communityId: community.id,
    period,
    season: season && summaryOfSeason(season),
    state: community.board.state,
    asOf: asker.now.toISOString(),
    members: community.members.length,
    ...view,
    pendingPoints: pendingOf(asker.world, asker.me.id, community.id),
    leaders: asker.world.namesOf(community, ['leader']),
  };
}

export const boardAnswers = {
  'GET /api/communities/:communityId/leaderboard': ({ asker, community, query }) =>
    leaderboard(asker, community, query.period ?? 'all', query.seasonId),

  'GET /api/leaderboard': ({ asker, query: { period = 'all' } }) => {
    const { world, me, now } = asker;
    const { ranked, ...view } = viewOf(rowsOf(world, since(world.ledger, period, now), me.id), me.id);
    return {
      scope: 'instance',
      communityId: null,
      period,
      season: null,
      state: 'open',
      asOf: now.toISOString(),
      members: ranked,
      ...view,
      pendingPoints: pendingOf(world, me.id, null),
      leaders: [],
    };
  },
} satisfies AnswersFor<'public' | 'user'>;

export const boardAnswersForLeaders = {
  'PUT /api/communities/:communityId/board': ({ asker, community, body: { state } }) => {
    community.board = { state, since: asker.now.toISOString() };
    return community.board;
  },
} satisfies AnswersFor<'leader'>;
