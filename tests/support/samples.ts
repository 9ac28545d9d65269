import { createECDH, randomBytes } from 'node:crypto';
import { versionOf } from '../../server/contract/policies.ts';
import type { Declaration } from '../../server/contract/route.ts';
import type { BodyOf, Key } from '../../server/contract/routes.ts';
import { routes } from '../../server/contract/routes.ts';

type BodyKey = { [K in Key]: BodyOf<K> extends undefined ? never : K }[Key];

let made = 0;

const alertRule = (): BodyOf<'POST /api/admin/client-logs/rules'> => ({
  name: 'New issues',
  enabled: true,
  when: { kind: 'new_issue' },
  to: { kind: 'telegram', chatId: '-1001' },
  quiet: null,
  cooldownMinutes: 60,
});
/** As a browser gives it; its keys are real, its endpoint is nobody's. */
export function sampleSubscription(endpoint = `https://fcm.googleapis.com/fcm/send/${crypto.randomUUID()}`) {
  const ecdh = createECDH('prime256v1');
  ecdh.generateKeys();
  return {
    endpoint,
    expirationTime: null,
    keys: { p256dh: ecdh.getPublicKey().toString('base64url'), auth: randomBytes(16).toString('base64url') },
  };
}

const quizPack = (): BodyOf<'POST /api/communities/:communityId/quiz-packs'> => ({
  title: 'The ridge',
  about: '',
  language: 'en',
  questions: [
    {
      id: 'fog',
      kind: 'number',
      text: 'How high is the hut?',
      explanation: '',
      correct: { value: '1204', tolerance: '5' },
      unit: 'm',
    },
  ],
});

/** A body that each route takes, made anew for each call. A new route with a body does not compile without one. */
export const SAMPLES: { [K in BodyKey]: () => BodyOf<K> } = {
  'POST /api/auth/telegram/callback': () => ({ state: 'unknown', result: 'e30' }),
  'POST /api/auth/telegram/mini-app': () => ({ initData: 'auth_date=1&hash=00' }),
  'POST /api/x/post-checks': () => ({ url: 'https://x.com/maya_walks/status/1234567890', code: 'K7Q2MX' }),
  'POST /api/communities/:communityId/chats/links': () => ({ sort: 'group' }),
  'PATCH /api/communities/:communityId/chats/:connectionId': () => ({ gate: 'claim' }),
  'POST /api/telegram/webhook': () => ({
    update_id: 1,
    chat_member: {
      chat: { id: -1001 },
      date: Math.floor(Date.now() / 1000),
      new_chat_member: { status: 'member', user: { id: 99 } },
    },
  }),
  'POST /api/assistant/answers': () => ({ question: 'How do I earn a freeze?' }),
  'POST /api/communities/:communityId/task-proposals': () => ({ sentence: 'A photo of the river each week' }),
  'POST /api/communities/:communityId/summaries': () => ({ answers: ['It was good', 'It was late'] }),
  'POST /api/auth/x/proof': () => ({ url: 'https://x.com/maya_walks/status/1234567890' }),
  'PUT /api/admin/communities/:placeId/x-budget': () => ({ thousandths: 5_000, reason: 'Paid by their sponsor' }),
  'PUT /api/admin/switches/x-points': () => ({ isOn: false, reason: 'X forbids it' }),
  'POST /api/admin/people/:userId/x-link': () => ({
    handle: 'maya_walks',
    evidence: 'https://example.org/letter',
    reason: 'Showed it to us',
  }),
  'POST /api/auth/x/complete': () => ({ code: 'a-code', state: 'a-state' }),
  'POST /api/admin/people/:userId/suspension': () => ({ reason: 'Sent pictures of others', until: null }),
  'POST /api/admin/people/:userId/restoration': () => ({ reason: 'It was a mistake' }),
  'POST /api/admin/people/:userId/sign-out': () => ({ reason: 'Lost the phone' }),
  'POST /api/admin/people/:userId/x': () => ({ decision: 'verify', reason: 'Showed it to us' }),
  'POST /api/admin/people/:userId/archive': () => ({ reason: 'Asked for it by letter' }),
  'POST /api/admin/people/:userId/erasure': () => ({ word: 'ERASE', reason: 'Asked for it by letter' }),
  'POST /api/admin/people/:userId/erasure-cancellation': () => ({ reason: 'Changed their mind' }),
  'POST /api/user/erasure': () => ({ word: 'ERASE', leavesCommunities: true }),
  'POST /api/user/consents': () => ({ agreed: [{ document: 'terms', version: versionOf('terms').version }] }),
  'PUT /api/admin/people/:userId/role': () => ({ role: 'ops', reason: 'Helps at night' }),
  'POST /api/communities': () => {
    made += 1;
    return { name: `Sample ${made}`, slug: `sample-${made}`, description: 'A community' };
  },
  'POST /api/communities/:communityId/tasks': () => ({
    setup: { kind: 'check_in' },
    title: 'Say hello',
    instructions: '',
    points: 5,
    recurrence: 'daily',
  }),
  'PUT /api/communities/:communityId/task-order': () => ({ taskIds: [crypto.randomUUID()] }),
  'PUT /api/communities/:communityId/saved-replies': () => ({ reject: ['Name the path, please'], request_changes: [] }),
  'PATCH /api/communities/:communityId/tasks/:taskId': () => ({ title: 'Say hello again' }),
  'POST /api/communities/:communityId/tasks/:taskId/claims': () => ({}),
  'POST /api/communities/:communityId/claims/:claimId/decision': () => ({ decision: 'approve' }),
  'PATCH /api/communities/:communityId': () => ({ description: 'Changed' }),
  'POST /api/communities/:communityId/tasks/:taskId/grants': () => ({
    userId: crypto.randomUUID(),
    reason: 'Helped a lot',
  }),
  'POST /api/communities/:communityId/claims/:claimId/resubmission': () => ({
    evidence: { kind: 'submit_text', text: 'More of it' },
  }),
  'POST /api/communities/:communityId/claims/:claimId/appeal': () => ({ text: 'It was there, please look again.' }),
  'POST /api/communities/:communityId/decisions': () => ({
    decisions: [{ claimId: crypto.randomUUID(), decision: 'approve' }],
  }),
  'POST /api/communities/:communityId/claims/:claimId/reversal': () => ({ reason: 'Not what it seemed' }),
  'POST /api/communities/:communityId/adjustments': () => ({
    userId: crypto.randomUUID(),
    points: 5,
    reason: 'Thanks',
  }),
  'PUT /api/communities/:communityId/board': () => ({ state: 'hidden' }),
  'PUT /api/admin/instance-board': () => ({ communityId: crypto.randomUUID(), counts: true, reason: 'Plays fair' }),
  'POST /api/communities/:communityId/seasons': () => ({
    name: 'Spring',
    rules: '',
    startsAt: null,
    endsAt: new Date(Date.now() + 30 * 86_400_000).toISOString(),
    graceHours: 48,
    taskIds: [],
  }),
  'PATCH /api/communities/:communityId/seasons/:seasonId': () => ({ name: 'Early spring' }),
  'POST /api/communities/:communityId/seasons/:seasonId/rewards': () => ({
    name: 'A mug',
    description: '',
    rule: { type: 'top_n', places: 3 },
    minTrust: null,
  }),
  'PATCH /api/communities/:communityId/rewards/:rewardId': () => ({ name: 'A large mug' }),
  'PUT /api/communities/:communityId/members/:userId/role': () => ({ role: 'moderator' }),
  'POST /api/communities/:communityId/members/:userId/removal': () => ({ reason: 'Asked to leave' }),
  'POST /api/invites/accept': () => ({ code: 'abcd2345' }),
  'POST /api/user/leader-application': () => ({
    about: 'I have walked here for ten years.',
    plan: 'A walk every Saturday.',
  }),
  'POST /api/admin/leader-applications/:applicationId/decision': () => ({ decision: 'approve', reason: 'Known to us' }),
  'POST /api/communities/:communityId/announcements': () => ({ title: 'Saturday', body: 'We meet at ten.' }),
  'PUT /api/communities/:communityId/announcements/:announcementId': () => ({ title: 'Sunday', body: 'At eleven.' }),
  'POST /api/communities/:communityId/webhooks': () => ({
    url: 'https://hooks.example.org/muster',
    events: ['claim.decided'],
  }),
  'PATCH /api/communities/:communityId/webhooks/:webhookId': () => ({ active: false }),
  'POST /api/communities/:communityId/api-keys': () => ({ name: 'Spreadsheet', scopes: ['read:board'] }),
  'POST /api/pwa/subscribe': () => ({ subscription: sampleSubscription() }),
  'POST /api/pwa/unsubscribe': () => ({ endpoint: 'https://fcm.googleapis.com/fcm/send/a-token' }),
  'POST /api/pwa/notifications/:notificationId/events': () => ({ event: 'shown', at: '2026-11-21T12:00:00.000Z' }),
  'POST /api/communities/:communityId/campaigns': () => ({
    title: 'Saturday',
    body: 'We meet at ten.',
    sendAt: null,
    audience: {},
  }),
  'POST /api/communities/:communityId/campaigns/test': () => ({ title: 'Saturday', body: 'We meet at ten.' }),
  'POST /api/admin/campaigns': () => ({ title: 'News', body: 'Something new.', sendAt: null, audience: {} }),
  'PUT /api/admin/campaigns/:campaignId': () => ({ title: 'News', body: 'Newer.', sendAt: null, audience: {} }),
  'POST /api/admin/campaigns/test': () => ({ title: 'News', body: 'Something new.' }),
  'POST /api/admin/campaigns/:campaignId/cancellation': () => ({ reason: 'Too early' }),
  'POST /api/admin/people/:userId/sessions/:sessionId/end': () => ({ reason: 'Lost the phone' }),
  'POST /api/admin/communities/:placeId/suspension': () => ({ reason: 'Sold answers', until: null }),
  'POST /api/admin/communities/:placeId/restoration': () => ({ reason: 'It was a mistake' }),
  'POST /api/admin/communities/:placeId/handover': () => ({
    userId: crypto.randomUUID(),
    others: 'stay',
    reason: 'Its leader is gone',
  }),
  'PUT /api/admin/communities/:placeId/featured': () => ({ featured: true, reason: 'Well led' }),
  'PUT /api/admin/communities/:placeId/large-imports': () => ({ allowed: true, reason: 'Moves from elsewhere' }),
  'POST /api/auth/admin-link': () => ({ token: 'no-token-of-ours' }),
  'PUT /api/partnership-requests/:requestId': () => ({
    name: 'Ada Nwosu',
    organisation: 'Fernmap',
    contact: 'ada@fernmap.example',
    kind: 'software',
    message: 'We would like to show your boards on our maps.',
  }),
  'POST /api/admin/partnership-requests/:requestId/state': () => ({
    from: 'new',
    to: 'in_talk',
    reason: 'Looks good, called them',
  }),
  'POST /api/quiz/attempts': () => ({ pack: 'shipped:privacy' }),
  'POST /api/quiz/attempts/:attemptId/answers': () => ({ tookMs: 60_000, answers: [] }),
  'POST /api/communities/:communityId/quiz-packs': quizPack,
  'PUT /api/communities/:communityId/quiz-packs/:packId': quizPack,
  'PUT /api/user/notifications': () => ({ quiet: null, dailyCap: 5, collapse: true, choices: [] }),
  'PUT /api/user/visibility': () => ({ hidden: true }),
  'PATCH /api/user/profile': () => ({ timeZone: 'Europe/Lisbon' }),
  'POST /api/debug/client-logs': () => ({
    type: 'error',
    data: { message: 'it broke', timestamp: '2026-11-21T12:00:00.000Z' },
  }),
  'POST /api/debug/client-logs/batch': () => ({
    sentAt: '2026-11-21T12:00:00.000Z',
    entries: [
      { id: crypto.randomUUID(), type: 'debug', data: { action: 'tap', timestamp: '2026-11-21T12:00:00.000Z' } },
    ],
  }),
  'POST /api/admin/client-logs/issues/:issueId/state': () => ({ state: 'open' }),
  'POST /api/admin/client-logs/issues/:issueId/merge': () => ({ issueIds: [crypto.randomUUID()] }),
  'POST /api/admin/client-logs/issues/:issueId/split': () => ({ groupIds: ['1'] }),
  'POST /api/admin/client-logs/regroup': () => ({ apply: false }),
  'POST /api/admin/client-logs/rules': alertRule,
  'PUT /api/admin/client-logs/rules/:ruleId': alertRule,
};

export type RouteUnderTest = { key: Key; method: string; path: string; declaration: Declaration };

/** Every route of the contract. */
export const ALL_ROUTES: RouteUnderTest[] = Object.entries(routes).map(([key, declaration]) => {
  const [method = '', path = ''] = key.split(' ');
  return { key: key as Key, method, path, declaration };
});

const PARAMETERS = new Set(
  ALL_ROUTES.flatMap(({ path }) => [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)),
);
/** An id for every parameter that a path names, each of nothing that is there. */
export const idsOfNothing = (): Record<string, string> =>
  Object.fromEntries([...PARAMETERS].map((name) => [name, crypto.randomUUID()]));

/** A body for the route, undefined when it takes none. */
export const sampleBody = (key: string): unknown =>
  Object.hasOwn(SAMPLES, key) ? SAMPLES[key as BodyKey]() : undefined;

/** The route's path with its parameters filled in. */
export const fill = (path: string, params: Record<string, string>): string =>
  path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));

/** Query without which a route says nothing. */
export const queryOf = (path: string): string => {
  if (path.includes('/exports/') || path === '/api/admin/audit/export') return '?format=csv';
  if (path === '/api/admin/analytics/export') return '?table=people';
  if (path.includes('/imports')) return '?kind=people&name=members.csv';
  return path === '/api/invites' ? '?code=abcd2345' : '';
};
