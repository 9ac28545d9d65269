import { notFound } from '../../../../server/base/http-error.ts';
import type { CommunitySummary } from '../../../../server/contract/community.ts';
import { BOARD_PREVIEW, SAMPLE_TASKS } from '../../../../server/contract/limits.ts';
import { localDay } from '../../../../server/domain/periods.ts';
import { requireALeader } from '../../../../server/domain/roles.ts';
import { streakOf } from '../../../../server/domain/streak.ts';
import { taskOf } from '../../../../server/domain/task-row.ts';
import { announcementsOf } from './announcements.ts';
import type { AnswersFor } from './answers.ts';
import { badgesIn } from './badges.ts';
import { boardOf, currentSeason, pendingOf, summaryOfSeason } from './boards.ts';
import { reviewItem, waitingFor } from './review.ts';
import { todaysTasks, todoOf } from './tasks.ts';
import { type Asker, audit, type Community, leadersOf, type Person, roleIn, type World } from './world.ts';

export function summaryOf({ world, me, now }: Asker, community: Community): CommunitySummary {
  const { id, slug, name, description, tags, languages, visibility, members } = community;
  const open = world
    .tasksOf(id)
    .filter(({ status, closesAt }) => status === 'live' && (closesAt === null || new Date(closesAt) > now));
  return {
    id,
    slug,
    name,
    description,
    tags,
    languages,
    visibility,
    members: members.length,
    openTasks: open.length,
    featured: false,
    role: roleIn(community, me.id),
    leagues: community.leaguesSince !== null,
  };
}

/** Days of a member's calendar with a counted claim; `communityId` null: in all communities. */
export const daysOf = (world: World, { id }: Person, communityId: string | null): string[] =>
  world.claims
    .filter(
      ({ userId, state, communityId: at }) =>
        userId === id && state === 'approved' && (communityId === null || at === communityId),
    )
    .map(({ day }) => day);

/** Whether all search words occur, ignoring accents and case. */
function isSought({ name, description, slug, tags }: Community, search: string): boolean {
  const plain = (text: string) =>
    text
      .normalize('NFKD')
      .replace(/[\u0300-\u036f]/g, '')
      .toLowerCase();
  const all = plain([name, description, slug, ...tags].join(' '));
  return plain(search)
    .split(/\s+/)
    .every((word) => all.includes(word));
}

export const communityAnswers = {
  'GET /api/user/communities': ({ asker }) =>
    asker.world.communities
      .filter((community) => roleIn(community, asker.me.id) !== null)
      .map((community) => {
        const { world, me } = asker;
        const role = roleIn(community, me.id);
        const streak = streakOf(daysOf(world, me, community.id), localDay(asker.now, me.timeZone));
        return {
          ...summaryOf(asker, community),
          streakDays: streak.days,
          countedToday: streak.countedToday,
          points: world.pointsOf(me.id, community.id),
          rank: boardOf(asker, community, 'all').me?.rank ?? null,
          todo: todoOf(asker, community),
          waiting: world
            .claimsOf(community.id)
            .filter(({ userId, state }) => userId === me.id && (state === 'submitted' || state === 'checking')).length,
          toReview: role === 'member' ? 0 : waitingFor(asker, community).length,
        };
      }),

  'GET /api/communities': ({ asker, query: { search = '', tag, language, below } }) =>
    asker.world.communities
      .filter(
        (community) =>
          isSought(community, search) &&
          (tag === undefined || community.tags.includes(tag)) &&
          (language === undefined || community.languages.includes(language)) &&
          (below === undefined || community.members.length < Number(below)),
      )
      .sort((a, b) => b.members.length - a.members.length)
      .map((community) => summaryOf(asker, community)),

  'GET /api/communities/:communityId': ({ asker, community }) => ({
    ...summaryOf(asker, community),
    rules: community.rules,
    xHandle: null,
    inviteThreshold: community.inviteThreshold,
    createdAt: community.createdAt,
    leaders: asker.world.namesOf(community, ['leader']),
    sampleTasks: asker.world
      .tasksOf(community.id)
      .filter(({ status }) => status === 'live')
      .slice(-SAMPLE_TASKS)
      .map((task) => taskOf(task, asker.now)),
    top: boardOf(asker, community, 'all').top.slice(0, BOARD_PREVIEW),
  }),

  'POST /api/communities/:communityId/join': ({ asker, community }) => {
    const { me, now } = asker;
    if (roleIn(community, me.id) === null)
      community.members.push({ userId: me.id, role: 'member', joinedAt: now.toISOString() });
    return summaryOf(asker, community);
  },
} satisfies AnswersFor<'public' | 'user' | 'verified'>;

export const communityAnswersForMembers = {
  'GET /api/communities/:communityId/dashboard': ({ asker, community }) => {
    const { world, me, now } = asker;
    const board = boardOf(asker, community, 'all');
    const streak = streakOf(daysOf(world, me, community.id), localDay(now, me.timeZone));
    const season = currentSeason(community);
    return {
      community: summaryOf(asker, community),
      asOf: now.toISOString(),
      points: world.pointsOf(me.id, community.id),
      rank: board.me?.rank ?? null,
      ranked: board.ranked,
      streakDays: streak.days,
      countedToday: streak.countedToday,
      timeZone: me.timeZone,
      freezes: streak.freezes,
      season: season && summaryOfSeason(season),
      announcements: announcementsOf(community, now).slice(0, 3),
      badges: badgesIn(world, me, community.id),
      pendingPoints: pendingOf(world, me.id, community.id),
      tasks: todaysTasks(asker, community),
      around: board.around,
      reviewers: world.namesOf(community, ['leader', 'moderator']),
    };
  },

  'POST /api/communities/:communityId/leave': ({ asker, community }) => {
    requireALeader(leadersOf(community), asker.me.id);
    community.members = community.members.filter(({ userId }) => userId !== asker.me.id);
    return summaryOf(asker, community);
  },

  'GET /api/communities/:communityId/invite': ({ community }) => ({
    code: 'demodemode',
    url: `${globalThis.location?.origin ?? ''}/demo?screen=/community/${community.slug}`,
    threshold: community.inviteThreshold,
    qualified: 0,
    invited: [],
  }),

  'GET /api/communities/:communityId/announcements': ({ asker, community }) => ({
    items: announcementsOf(community, asker.now),
    next: null,
  }),
} satisfies AnswersFor<'member'>;

export const communityAnswersForReviewers = {
  'GET /api/communities/:communityId/admin': ({ asker, community }) => {
    const { world, now } = asker;
    const waiting = waitingFor(asker, community);
    return {
      community: summaryOf(asker, community),
      tasks: world
        .tasksOf(community.id)
        .toReversed()
        .map((task) => taskOf(task, now)),
      queue: waiting.map((claim) => reviewItem(asker, community, claim)),
      waiting: waiting.length,
      people: community.members.map(({ userId, role, joinedAt }) => ({
        id: userId,
        displayName: world.nameOf(userId) ?? '',
        role,
        joinedAt,
        points: world.pointsOf(userId, community.id),
      })),
    };
  },
} satisfies AnswersFor<'moderator'>;

export const communityAnswersForLeaders = {
  'PATCH /api/communities/:communityId': ({ asker, community, body: { leagues, ...changes } }) => {
    const since = community.leaguesSince ?? asker.now.toISOString();
    const changed = { ...changes, ...(leagues !== undefined && { leaguesSince: leagues ? since : null }) };
    Object.assign(community, JSON.parse(JSON.stringify(changed)));
    // The audit log stores changed settings by code, as on the server.
    const codes = Object.keys(changed).map((field) => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
    audit(asker, community, 'community.changed', codes.join(', '));
    return summaryOf(asker, community);
  },
} satisfies AnswersFor<'leader'>;

export function findCommunity({ communities }: World, named: string): Community {
  const community = communities.find(({ id, slug }) => id === named || slug === named);
  if (!community) throw notFound('community');
  return community;
}
