import * as z from 'zod/mini';
import { Badge } from './badges.ts';
import { BoardRow } from './boards.ts';
import { CommunityRole, CommunitySummary } from './community.ts';
import { trimmed, whole, worded } from './fields.ts';
import {
  COMMUNITY_DESCRIPTION_MAX,
  COMMUNITY_NAME_MAX,
  COMMUNITY_RULES_MAX,
  COMMUNITY_TAG_MAX,
  COMMUNITY_TAGS_MAX,
  INVITE_THRESHOLD_MAX,
  SEARCH_MAX,
  SLUG_MAX,
  SLUG_MIN,
} from './limits.ts';
import { ReviewItem } from './review.ts';
import { Announcement } from './rooms.ts';
import { command, type Declaration, type RouteKey, read, route } from './route.ts';
import { SeasonSummary } from './seasons.ts';
import { Task, TaskWithClaim } from './tasks.ts';

const sought = z.optional(z.string().check(z.maxLength(SEARCH_MAX)));

/** One of the member's own communities, for the selector and `/communities`. */
export const MyCommunity = z.extend(CommunitySummary, {
  points: z.number(),
  rank: z.nullable(z.number()),
  /** Tasks open to me now. */
  todo: z.number(),
  /** My claims that wait for a reviewer. */
  waiting: z.number(),
  /** Claims of others that wait for me, where I may review. */
  toReview: z.number(),
  /** My streak there. Copies from earlier builds lack it. */
  streakDays: z.optional(z.number()),
  countedToday: z.optional(z.boolean()),
});
export type MyCommunity = z.infer<typeof MyCommunity>;

export const CommunityDetail = z.extend(CommunitySummary, {
  rules: z.string(),
  xHandle: z.nullable(z.string()),
  /** Points with which an invited member counts. */
  inviteThreshold: z.number(),
  /** Whether other sites may embed its card and board; only leaders see it. */
  embedding: z.optional(z.boolean()),
  /** Name of the member who invited the asker. */
  invitedBy: z.optional(z.string()),
  createdAt: z.string(),
  leaders: z.array(z.string()),
  sampleTasks: z.array(Task),
  top: z.array(BoardRow),
});
export type CommunityDetail = z.infer<typeof CommunityDetail>;

/** `/community/{id}/dashboard` in one answer, so one cached copy is the whole screen. */
export const Dashboard = z.object({
  community: CommunitySummary,
  asOf: z.string(),
  points: z.number(),
  rank: z.nullable(z.number()),
  ranked: z.number(),
  streakDays: z.number(),
  countedToday: z.boolean(),
  /** IANA name of the zone in which the member's days end. Copies from earlier builds lack it. */
  timeZone: z.optional(z.string()),
  /** Streak freezes held. */
  freezes: z.number(),
  /** The live season or the one in its grace. */
  season: z.nullable(SeasonSummary),
  announcements: z.array(Announcement),
  /** Badges earned here. */
  badges: z.array(Badge),
  pendingPoints: z.number(),
  tasks: z.array(TaskWithClaim),
  around: z.array(BoardRow),
  reviewers: z.array(z.string()),
});
export type Dashboard = z.infer<typeof Dashboard>;

/** `/community/{id}/admin` for who may lead or review there. */
export const CommunityAdmin = z.object({
  community: CommunitySummary,
  tasks: z.array(Task),
  queue: z.array(ReviewItem),
  waiting: z.number(),
  people: z.array(
    z.object({
      id: z.string(),
      displayName: z.string(),
      role: CommunityRole,
      joinedAt: z.string(),
      points: z.number(),
    }),
  ),
});
export type CommunityAdmin = z.infer<typeof CommunityAdmin>;

export const NewCommunity = z.strictObject({
  name: worded(2, COMMUNITY_NAME_MAX),
  slug: z.string().check(z.minLength(SLUG_MIN), z.maxLength(SLUG_MAX)),
  description: trimmed(0, COMMUNITY_DESCRIPTION_MAX),
  rules: z.optional(trimmed(0, COMMUNITY_RULES_MAX)),
  tags: z.optional(z.array(trimmed(1, COMMUNITY_TAG_MAX)).check(z.maxLength(COMMUNITY_TAGS_MAX))),
  languages: z.optional(
    z
      .array(z.string().check(z.regex(/^[a-z]{2,3}$/, 'must be a language code, as en')))
      .check(z.maxLength(COMMUNITY_TAGS_MAX)),
  ),
  visibility: z.optional(z.enum(['public', 'private'])),
});
export type NewCommunity = z.infer<typeof NewCommunity>;

/** Everything a leader may change; the slug stays, because links carry it. */
export const CommunityChange = z.strictObject({
  name: z.optional(worded(2, COMMUNITY_NAME_MAX)),
  description: z.optional(trimmed(0, COMMUNITY_DESCRIPTION_MAX)),
  rules: z.optional(trimmed(0, COMMUNITY_RULES_MAX)),
  tags: NewCommunity.shape.tags,
  languages: NewCommunity.shape.languages,
  visibility: NewCommunity.shape.visibility,
  inviteThreshold: z.optional(whole(0, INVITE_THRESHOLD_MAX)),
  /** Whether other sites may embed the card and the board of a public community. */
  embedding: z.optional(z.boolean()),
  /** Whether its members play in weekly groups. */
  leagues: z.optional(z.boolean()),
});
export type CommunityChange = z.infer<typeof CommunityChange>;

/** All that is given has to fit. */
export const DirectoryQuery = z.object({
  /** Each of its words occurs in name, description, address or tags; accents and capitals do not count. */
  search: sought,
  tag: sought,
  language: sought,
  /** Communities with fewer members. */
  below: z.optional(z.string().check(z.regex(/^\d{1,9}$/, 'must be a whole number'))),
});
export type DirectoryQuery = z.infer<typeof DirectoryQuery>;

export const communityRoutes = {
  'GET /api/communities': read(
    'public',
    'The directory of public communities, featured ones first, then the largest, or those of them that are sought',
    { query: DirectoryQuery, output: z.array(CommunitySummary) },
  ),
  'POST /api/communities': route('verified', 'Start a community; I become its leader', {
    body: NewCommunity,
    output: CommunitySummary,
    status: 201,
    cache: 'no-store',
    perMinute: 10,
    idempotent: true,
  }),
  'GET /api/communities/:communityId': read('public', 'One community, by id or slug', { output: CommunityDetail }),
  'POST /api/communities/:communityId/join': route('verified', 'Join a community', {
    output: CommunitySummary,
    cache: 'no-store',
    perMinute: 30,
    idempotent: true,
  }),
  'POST /api/communities/:communityId/leave': route('member', 'Leave a community; the ledger stays', {
    output: CommunitySummary,
    cache: 'no-store',
    perMinute: 30,
    idempotent: true,
  }),
  'GET /api/communities/:communityId/dashboard': read('member', 'What I can do now, and where I stand', {
    output: Dashboard,
  }),
  'GET /api/communities/:communityId/admin': read('moderator', 'Tasks, review queue and people', {
    output: CommunityAdmin,
  }),
  'PATCH /api/communities/:communityId': command('leader', 'Change what a community says of itself', {
    body: CommunityChange,
    output: CommunitySummary,
  }),
} as const satisfies Record<RouteKey, Declaration>;
