/** Who may call what. The access matrix holds the server to its declarations; this holds the declarations. */
import { expect, test } from 'vitest';
import { type Key, routes } from '../../server/contract/routes.ts';

/** `METHOD /rest` of the routes beneath an address that are not for `but`, each behind who may call it. */
const calledBy = (beneath: string, but: string): string[] =>
  (Object.keys(routes) as Key[])
    .filter((key) => `${key}/`.includes(` ${beneath}/`) && routes[key].access !== but)
    .map((key) => `${routes[key].access}: ${key.replace(beneath, '')}`);

const IN_A_COMMUNITY: Record<string, readonly string[]> = {
  public: [
    'GET ',
    'GET /activity',
    'GET /leaderboard',
    'GET /seasons',
    'GET /seasons/:seasonId',
    'GET /rewards/:rewardId',
    'GET /rewards/:rewardId/draw',
    'GET /card',
  ],
  verified: ['POST /join'],
  member: [
    'POST /leave',
    'GET /dashboard',
    'GET /tasks/:taskId',
    'GET /tasks/:taskId/poll',
    'GET /tasks/:taskId/seen',
    'POST /tasks/:taskId/claims',
    'GET /claims',
    'GET /claims/:claimId',
    'POST /claims/:claimId/resubmission',
    'POST /claims/:claimId/appeal',
    'PUT /images/:imageId',
    'GET /images/:imageId',
    'PUT /files/:fileId',
    'GET /files/:fileId',
    'GET /league',
    'GET /invite',
    'GET /announcements',
    'GET /live',
    'POST /tasks/:taskId/attempts',
  ],
  moderator: [
    'GET /admin',
    'GET /tasks',
    'GET /tasks/:taskId/preview',
    'GET /tasks/:taskId/event-key',
    'GET /review',
    'POST /claims/:claimId/decision',
    'POST /decisions',
    'GET /claims/:claimId/similar',
    'GET /members/:userId/record',
    'GET /saved-replies',
    'GET /ledger',
    'GET /members',
    'GET /morning',
    'GET /analytics',
    'GET /x',
  ],
  user: ['GET /chat-membership', 'POST /chat-membership/check'],
};
/** By the beginning of their addresses. */
const OF_OPERATORS = [
  'GET /jobs',
  'GET /overview',
  'GET /switches',
  'GET /recent-acts',
  'GET /analytics',
  ...['GET', 'POST', 'PUT', 'DELETE'].map((method) => `${method} /client-logs`),
];

test('who does not lead a community may call what is listed here of it, and nothing else', () => {
  const listed = Object.entries(IN_A_COMMUNITY).flatMap(([access, of]) => of.map((route) => `${access}: ${route}`));
  expect(calledBy('/api/communities/:communityId', 'leader').sort()).toEqual(listed.sort());
});

test('operators may call what tells of the instance and of the errors of devices; the rest of its pages is for administrators', () => {
  const called = calledBy('/api/admin', 'admin').map((route) => route.split('/').slice(0, 2).join('/'));
  expect([...new Set(called)].sort()).toEqual(OF_OPERATORS.map((route) => `ops: ${route}`).sort());
});
