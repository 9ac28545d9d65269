import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Declaration } from '../../server/contract/route.ts';
import { ALL_ROUTES, fill, type RouteUnderTest, sampleBody } from '../support/samples.ts';
import { type NewPerson, type Reply, type TestServer, testServer } from '../support/server.ts';
import { community, contents, join, memberOf, type TestCommunity } from '../support/world.ts';

const ROLES = [
  'nobody',
  'partial',
  'verified',
  'revoked',
  'suspended',
  'leader of another',
  'member',
  'moderator',
  'leader',
  'ops',
  'admin',
  'admin in the mini app',
] as const;
type Role = (typeof ROLES)[number];

/** Reasons with which the gate itself refuses; a handler's own refusals come after it. */
const GATE = new Set([
  'NOT_SIGNED_IN',
  'SUSPENDED',
  'TELEGRAM_MEMBERSHIP_REVOKED',
  'NOT_VERIFIED',
  'NOT_A_MEMBER',
  'NOT_ALLOWED',
  'NOT_STAFF',
  'WEB_SESSION_ONLY',
]);

/** The rules in words of their own: the reason a role is refused with, or null when it may call the route. */
function refusalFor(role: Role, { access, allowRevoked }: Declaration): string | null {
  if (access === 'public') return null;
  if (role === 'nobody') return 'NOT_SIGNED_IN';
  if (role === 'suspended') return 'SUSPENDED';
  if (role === 'revoked' && !allowRevoked) return 'TELEGRAM_MEMBERSHIP_REVOKED';
  switch (access) {
    case 'user':
      return null;
    case 'verified':
      return role === 'partial' ? 'NOT_VERIFIED' : null;
    case 'member':
      return ['member', 'moderator', 'leader'].includes(role) ? null : 'NOT_A_MEMBER';
    case 'moderator':
      return ['moderator', 'leader'].includes(role) ? null : 'NOT_ALLOWED';
    case 'leader':
      return role === 'leader' ? null : 'NOT_ALLOWED';
    case 'ops':
      if (role === 'admin in the mini app') return 'WEB_SESSION_ONLY';
      return role === 'ops' || role === 'admin' ? null : 'NOT_STAFF';
    case 'admin':
      if (role === 'admin in the mini app') return 'WEB_SESSION_ONLY';
      return role === 'admin' ? null : 'NOT_STAFF';
  }
}

const PEOPLE: Record<Exclude<Role, 'nobody'>, NewPerson> = {
  partial: { verified: false },
  verified: {},
  revoked: { membership: 'left' },
  suspended: { suspended: true },
  'leader of another': {},
  member: {},
  moderator: {},
  leader: {},
  ops: { role: 'ops' },
  admin: { role: 'admin' },
  'admin in the mini app': { role: 'admin', session: 'mini_app' },
};

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server?.close());

type World = { here: TestCommunity; elsewhere: TestCommunity; cookies: Map<Role, string> };

/** One community, another one, and a person of each kind. The revoked and the suspended were leaders here. */
async function world(): Promise<World> {
  const founder = await server.person();
  const here = await community(server, founder.userId);
  const elsewhere = await community(server, founder.userId);
  const cookies = new Map<Role, string>();
  for (const [role, options] of Object.entries(PEOPLE) as [Exclude<Role, 'nobody'>, NewPerson][]) {
    const { userId, cookie } = await server.person(options);
    cookies.set(role, cookie);
    if (role === 'member' || role === 'moderator' || role === 'leader') await join(server.sql, here.id, userId, role);
    if (role === 'revoked' || role === 'suspended') await join(server.sql, here.id, userId, 'leader');
    if (role === 'leader of another') await join(server.sql, elsewhere.id, userId, 'leader');
  }
  return { here, elsewhere, cookies };
}

function call(route: RouteUnderTest, params: Record<string, string>, cookie: string | undefined): Promise<Reply> {
  const body = sampleBody(route.key);
  return server.request(route.method, fill(route.path, params), {
    ...(cookie === undefined ? {} : { cookie }),
    ...(body === undefined ? {} : { body }),
    headers: route.declaration.idempotent ? { 'idempotency-key': randomUUID() } : {},
  });
}

const paramsOf = (place: TestCommunity) => ({
  communityId: place.id,
  taskId: place.taskId,
  claimId: place.claimId,
  sessionId: randomUUID(),
  issueId: randomUUID(),
  entryId: randomUUID(),
  ruleId: randomUUID(),
});

describe.each(ALL_ROUTES)('$key', (route) => {
  test('lets in exactly whom its declaration names, and changes nothing for the others', async () => {
    const { here, cookies } = await world();
    const seen: Record<string, string> = {};
    const wanted: Record<string, string> = {};
    for (const role of ROLES) {
      const expected = refusalFor(role, route.declaration);
      const before = expected === null ? null : await contents(server.sql);
      const reply = await call(route, paramsOf(here), cookies.get(role));
      const reason = reply.status >= 400 ? String(reply.json?.reason) : 'none';
      seen[role] = GATE.has(reason) ? reason : reply.status < 500 ? 'in' : `${reply.status} ${reply.text}`;
      wanted[role] = expected ?? 'in';
      if (before) {
        expect(reply.status, role).toBe(expected === 'NOT_SIGNED_IN' ? 401 : 403);
        expect(await contents(server.sql), `${role} changed something`).toEqual(before);
      }
      if (expected === 'TELEGRAM_MEMBERSHIP_REVOKED') expect(reply.json.message).toContain(expected);
    }
    expect(seen).toEqual(wanted);
  });

  test('answers 405 to every other method, and changes nothing', async () => {
    const { here, cookies } = await world();
    const path = fill(route.path, paramsOf(here));
    const taken = new Set(ALL_ROUTES.filter((other) => other.path === route.path).map((other) => other.method));
    const before = await contents(server.sql);
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].filter((other) => !taken.has(other))) {
      const reply = await server.request(method, path, { cookie: cookies.get('admin') ?? '' });
      expect([method, reply.status, reply.json?.reason]).toEqual([method, 405, 'METHOD_NOT_ALLOWED']);
      expect(reply.headers.get('allow')).toContain([...taken][0]);
    }
    expect(await contents(server.sql)).toEqual(before);
  });
});

const inCommunity = ALL_ROUTES.filter(({ path }) => path.includes(':communityId'));

describe.each(inCommunity)('$key of a private community', (route) => {
  test('does not exist for strangers, staff of the instance, the revoked and the suspended', async () => {
    const founder = await server.person();
    const hidden = await community(server, founder.userId, { visibility: 'private' });
    const strangers = [
      await server.person(),
      await server.person({ role: 'admin' }),
      await memberOf(server, hidden.id, 'leader', { membership: 'kicked' }),
      await memberOf(server, hidden.id, 'leader', { suspended: true }),
    ];
    const before = await contents(server.sql);
    for (const { cookie } of strangers) {
      const reply = await call(route, paramsOf(hidden), cookie);
      expect(reply.status === 404 || (route.declaration.access !== 'public' && reply.status === 403)).toBe(true);
      expect(reply.text).not.toContain('World');
    }
    const nobody = await call(route, paramsOf(hidden), undefined);
    expect(nobody.status).toBe(route.declaration.access === 'public' ? 404 : 401);
    expect(await contents(server.sql)).toEqual(before);
  });
});

const withObject = inCommunity.filter(({ path }) => path.includes(':taskId') || path.includes(':claimId'));

describe.each(withObject)('$key with the id of another community’s object', (route) => {
  test('finds nothing and changes nothing', async () => {
    const { here, elsewhere } = await world();
    const { cookie } = await memberOf(server, here.id, 'leader');
    const before = await contents(server.sql);
    const reply = await call(route, { ...paramsOf(elsewhere), communityId: here.id }, cookie);
    expect(reply.status).toBe(404);
    expect(await contents(server.sql)).toEqual(before);
  });
});

describe.each(inCommunity)('$key of a suspended community', (route) => {
  test('is closed for its leader and unknown to strangers', async () => {
    const founder = await server.person();
    const closed = await community(server, founder.userId, { status: 'suspended' });
    const leader = await memberOf(server, closed.id, 'leader');
    const stranger = await server.person();
    expect((await call(route, paramsOf(closed), leader.cookie)).json.reason).toBe('COMMUNITY_SUSPENDED');
    expect((await call(route, paramsOf(closed), stranger.cookie)).status).toBe(404);
  });
});
