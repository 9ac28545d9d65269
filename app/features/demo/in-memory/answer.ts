import { HttpError, notFound } from '../../../../server/base/http-error.ts';
import type { CommunityRole } from '../../../../server/contract/community.ts';
import type { ApiError } from '../../../../server/contract/errors.ts';
import type { Routes } from '../../../../server/contract/routes.ts';
import { refuseOutside } from '../../../../server/domain/chat-gate.ts';
import { demandRole } from '../../../../server/domain/roles.ts';
import { m } from '../../../paraglide/messages.js';
import { activityAnswers } from './activity.ts';
import { announcementAnswersForLeaders } from './announcements.ts';
import type { AnyAnswer } from './answers.ts';
import { boardAnswers, boardAnswersForLeaders } from './boards.ts';
import { chatAnswers, chatAnswersForLeaders, chatAnswersForMembers, standingsOf } from './chats.ts';
import { claimAnswers } from './claims.ts';
import {
  communityAnswers,
  communityAnswersForLeaders,
  communityAnswersForMembers,
  communityAnswersForReviewers,
  findCommunity,
} from './communities.ts';
import { leagueAnswers } from './leagues.ts';
import { memberAnswersForLeaders, memberAnswersForReviewers } from './members.ts';
import { morningAnswers } from './morning.ts';
import { profileAnswers } from './profile.ts';
import { reviewAnswers, reviewAnswersForLeaders } from './review.ts';
import { plainAnswers, roomAnswersForLeaders, roomAnswersForReviewers, seasonAnswers } from './rooms.ts';
import { taskAnswers, taskAnswersForLeaders, taskAnswersForReviewers } from './tasks.ts';
import { type Asker, type Community, roleIn } from './world.ts';

/** The demo's routes, grouped by the role they need in the path's community. */
const OPEN = {
  ...plainAnswers,
  ...profileAnswers,
  ...communityAnswers,
  ...boardAnswers,
  ...activityAnswers,
  ...seasonAnswers,
  ...chatAnswers,
};
const MEMBER = {
  ...communityAnswersForMembers,
  ...taskAnswers,
  ...claimAnswers,
  ...leagueAnswers,
  ...chatAnswersForMembers,
};
const MODERATOR = {
  ...communityAnswersForReviewers,
  ...taskAnswersForReviewers,
  ...reviewAnswers,
  ...morningAnswers,
  ...memberAnswersForReviewers,
  ...roomAnswersForReviewers,
};
const LEADER = {
  ...communityAnswersForLeaders,
  ...taskAnswersForLeaders,
  ...reviewAnswersForLeaders,
  ...memberAnswersForLeaders,
  ...announcementAnswersForLeaders,
  ...boardAnswersForLeaders,
  ...chatAnswersForLeaders,
  ...roomAnswersForLeaders,
};

type Answers = typeof OPEN & typeof MEMBER & typeof MODERATOR & typeof LEADER;
/** The contract's statuses other than 200. */
const STATUS: {
  [K in keyof Answers as Routes[K] extends { status: number } ? K : never]: Routes[K] extends { status: infer S }
    ? S
    : never;
} = {
  'POST /api/communities/:communityId/tasks/:taskId/claims': 201,
  'POST /api/communities/:communityId/tasks': 201,
  'POST /api/communities/:communityId/tasks/:taskId/copies': 201,
  'POST /api/communities/:communityId/tasks/:taskId/grants': 201,
  'POST /api/communities/:communityId/adjustments': 201,
  'POST /api/communities/:communityId/announcements': 201,
  'POST /api/debug/client-logs': 201,
};

type Route = {
  method: string;
  segments: string[];
  least: CommunityRole | null;
  status: number;
  answer: AnyAnswer;
};
const routesOf = (answers: object, least: Route['least']): Route[] =>
  Object.entries(answers).map(([key, answer]) => {
    const [method = '', path = ''] = key.split(' ');
    const status = (STATUS as Partial<Record<string, number>>)[key] ?? 200;
    return { method, segments: path.split('/'), least, status, answer: answer as AnyAnswer };
  });
const ROUTES = [
  ...routesOf(OPEN, null),
  ...routesOf(MEMBER, 'member'),
  ...routesOf(MODERATOR, 'moderator'),
  ...routesOf(LEADER, 'leader'),
];
export const ANSWERED: string[] = [OPEN, MEMBER, MODERATOR, LEADER].flatMap((answers) => Object.keys(answers));

function paramsIn({ segments }: Route, path: readonly string[]): Record<string, string> | null {
  if (segments.length !== path.length) return null;
  const params: Record<string, string> = {};
  for (const [at, segment] of segments.entries()) {
    const given = path[at] ?? '';
    if (segment.startsWith(':')) params[segment.slice(1)] = decodeURIComponent(given);
    else if (segment !== given) return null;
  }
  return params;
}

export type Question = {
  method: string;
  /** With its query. */
  url: string;
  body: unknown;
  /** `Idempotency-Key`: a repeat gets the first answer. */
  key: string | null;
};
export type Reply = { status: number; body: unknown };

/** Answers a request as the server would: in the contract's shape, or with its error envelope. */
export async function answer(asker: Asker, { method, url, body, key }: Question): Promise<Reply> {
  const { world } = asker;
  const before = key === null ? undefined : world.answered.get(key);
  if (before) return before;
  const { pathname, searchParams } = new URL(url, 'https://demo.invalid');
  const path = pathname.split('/');
  let reply: Reply;
  try {
    reply = await found(asker, method, path, Object.fromEntries(searchParams), body);
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    const { status, reason, message, details } = error;
    reply = { status, body: { status, reason, message, details, requestId: 'demo' } satisfies ApiError };
  }
  if (key !== null) world.answered.set(key, reply);
  return reply;
}

/** Refuses a role below the route's, and a member who is outside the required chat. */
function admit({ me, now }: Asker, community: Community, least: CommunityRole): void {
  const role = roleIn(community, me.id);
  if (least === 'member' && role === 'member') refuseOutside(standingsOf(community, me.id), ['enter'], now);
  demandRole(role, least);
}

async function found(
  asker: Asker,
  method: string,
  path: readonly string[],
  query: Record<string, string>,
  body: unknown,
): Promise<Reply> {
  for (const route of ROUTES) {
    const params = route.method === method ? paramsIn(route, path) : null;
    if (!params) continue;
    const named = params['communityId'];
    const community = named === undefined ? undefined : findCommunity(asker.world, named);
    if (community && route.least) admit(asker, community, route.least);
    // Routes without a community in their path need none.
    const answered = await route.answer({ asker, community: community as never, params, query, body });
    return { status: route.status, body: answered };
  }
  if (path[1] !== 'api') throw notFound('address');
  throw new HttpError(403, 'NOT_IN_DEMO', m.demo_refused());
}
