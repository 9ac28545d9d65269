import { notFound } from '../../../../server/base/http-error.ts';
import type { Analytics } from '../../../../server/contract/rooms.ts';
import { dayAt } from '../../../../server/rules/periods.ts';
import { type AnswersFor, onePage } from './answers.ts';
import { waitingFor } from './review.ts';
import { type Asker, type Community, roleIn } from './world.ts';

const dayOf = (at: string): string => at.slice(0, 10);
const people = (claims: readonly { userId: string }[]): number => new Set(claims.map(({ userId }) => userId)).size;

/** Minutes within which this share of decisions was made; null without any. */
function quantile(minutes: number[], part: number): number | null {
  const sorted = minutes.sort((a, b) => a - b);
  return sorted[Math.floor(part * (sorted.length - 1))] ?? null;
}

/** The server's SQL figures: by days of UTC, including today. Active means that a member sent a claim. */
function analyticsOf(asker: Asker, community: Community, days: number): Analytics {
  const { world, now } = asker;
  const today = dayOf(now.toISOString());
  const first = dayAt(today, 1 - days);
  const claims = world.claimsOf(community.id);
  const recent = claims.filter(({ submittedAt }) => dayOf(submittedAt) >= first);
  const activeSince = (back: number) =>
    people(claims.filter(({ submittedAt }) => dayOf(submittedAt) > dayAt(today, -back)));
  const minutes = recent.flatMap(({ deciderId, decidedAt, submittedAt }) =>
    deciderId !== null && decidedAt !== null ? [(Date.parse(decidedAt) - Date.parse(submittedAt)) / 60_000] : [],
  );
  return {
    asOf: now.toISOString(),
    days: Array.from({ length: days }, (_, index) => {
      const day = dayAt(first, index);
      const sent = claims.filter(({ submittedAt }) => dayOf(submittedAt) === day);
      return {
        day,
        active: people(sent),
        joined: community.members.filter(({ joinedAt }) => dayOf(joinedAt) === day).length,
        claims: sent.length,
        approved: claims.filter((one) => one.state === 'approved' && one.decidedAt?.startsWith(day)).length,
        points: world.ledger
          .filter((entry) => entry.communityId === community.id && dayOf(entry.at) === day)
          .reduce((sum, { points }) => sum + points, 0),
      };
    }),
    members: { all: community.members.length, active7: activeSince(7), active28: activeSince(28) },
    reviewMinutes: {
      p50: quantile(minutes, 0.5),
      p90: quantile(minutes, 0.9),
      waiting: waitingFor(asker, community).length,
    },
    tasks: world
      .tasksOf(community.id)
      .filter(({ status }) => status === 'live')
      .map(({ id, title }) => {
        const of = recent.filter(({ taskId }) => taskId === id);
        return {
          taskId: id,
          title,
          answers: of.length,
          approved: of.filter(({ state }) => state === 'approved').length,
          rejected: of.filter(({ state }) => state === 'rejected').length,
        };
      })
      .sort((a, b) => b.answers - a.answers),
  };
}

export const roomAnswersForReviewers = {
  'GET /api/communities/:communityId/analytics': ({ asker, community, query: { days = '28' } }) =>
    analyticsOf(asker, community, Number(days)),
} satisfies AnswersFor<'moderator'>;

export const roomAnswersForLeaders = {
  'GET /api/communities/:communityId/audit': ({ asker: { world }, community, query: { action } }) =>
    onePage(
      world.audit
        .filter((entry) => entry.communityId === community.id && (action === undefined || entry.action === action))
        .map(({ communityId: _, ...entry }) => entry),
    ),
  'GET /api/communities/:communityId/campaigns': () => onePage([]),
  'GET /api/communities/:communityId/campaigns/reach': ({ community }) => ({
    everybody: community.members.length - 1,
    push: community.members.length - 1,
    browsers: community.members.length - 1,
    telegram: 0,
    optedOut: 0,
    capped: 0,
    workedOutFrom: null,
  }),
  'GET /api/communities/:communityId/quiz-packs': () => ({ items: [] }),
  'GET /api/communities/:communityId/quiz-misses': () => ({ items: [] }),
} satisfies AnswersFor<'leader'>;

export const seasonAnswers = {
  'GET /api/communities/:communityId/seasons': ({ asker: { me }, community }) =>
    community.seasons.filter(({ state }) => state !== 'draft' || roleIn(community, me.id) === 'leader'),

  'GET /api/communities/:communityId/seasons/:seasonId': ({ community, params }) => {
    const season = community.seasons.find(({ id }) => id === params.seasonId);
    if (!season) throw notFound('season');
    return season;
  },

  'GET /api/communities/:communityId/rewards/:rewardId': ({ community, params }) => {
    const reward = community.seasons.flatMap(({ rewards }) => rewards).find(({ id }) => id === params.rewardId);
    if (!reward) throw notFound('reward');
    return { ...reward, seed: null, method: null, entrants: 0, entrantsHash: null, winners: [] };
  },
} satisfies AnswersFor<'public'>;

/** Routes outside communities: health, and features that the demo lacks. */
export const plainAnswers = {
  'GET /api/health': () => ({ ok: true, build: 'demo' }),
  'GET /api/quiz': () => ({ packs: [], attempts: [] }),
  'GET /api/assistant': () => ({ hasModel: false, perDay: 0, left: 0 }),
  // Nobody reads a demo's logs.
  'POST /api/debug/client-logs': () => ({ id: '', status: 'stored' }),
  'POST /api/debug/client-logs/batch': ({ body }) => ({
    results: body.entries.map(({ id }) => ({ id, status: 'stored' as const })),
  }),
} satisfies AnswersFor<'public' | 'user' | 'verified'>;
