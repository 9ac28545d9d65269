import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { ApiScope } from '../../server/contract/route.ts';
import { ofFile } from '../support/of-file.ts';
import { ALL_ROUTES, fill, idsOfNothing, queryOf, type RouteUnderTest, sampleBody } from '../support/samples.ts';
import { type NewPerson, type Reply, testServer } from '../support/server.ts';
import { apiKey, changes, community, furnish, join, memberOf, type TestCommunity } from '../support/world.ts';

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
  'API key for everything',
  'API key for everything else',
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
  'NOT_FOR_KEYS',
  'NOT_TELEGRAM',
]);

/** The rules in words of their own: the reason a role is refused with, or null when it may call the route. */
function refusalFor(role: Role, { path, declaration }: RouteUnderTest): string | null {
  const { access, allowRevoked, allowSuspended, scope } = declaration;
  // Probes look at nobody.
  if (/^\/(livez|readyz|api\/health)$/.test(path)) return null;
  if (role === 'API key for everything') return scope === undefined ? 'NOT_FOR_KEYS' : null;
  if (role === 'API key for everything else') return 'NOT_FOR_KEYS';
  if (access === 'public') return null;
  if (access === 'telegram') return 'NOT_TELEGRAM';
  if (role === 'nobody') return 'NOT_SIGNED_IN';
  if (role === 'suspended') return allowSuspended ? null : 'SUSPENDED';
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

type Person = Exclude<Role, 'nobody' | 'API key for everything' | 'API key for everything else'>;
const PEOPLE: Record<Person, NewPerson> = {
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

const server = await ofFile(testServer());

// A minute of their own: nobody meets a rate limit here.
beforeEach(() => server.advance(60_000));

/** What calls that change nothing share, made for the first of them. */
const kept = new Map<unknown, Promise<unknown>>();
function once<T>(of: unknown, make: () => Promise<T>): Promise<T> {
  const made = (kept.get(of) as Promise<T> | undefined) ?? make();
  kept.set(of, made);
  return made;
}

/** What each role proves itself with: a cookie, or a key that goes into `Authorization`. */
type World = { here: TestCommunity; elsewhere: TestCommunity; proofs: Map<Role, string> };

/**
 * One community, another one, and a person of each kind. The revoked and the suspended were leaders here; the keys are
 * its leader's.
 */
async function world(scope?: ApiScope): Promise<World> {
  const founder = await server.person();
  const here = await community(server, founder.userId);
  const elsewhere = await community(server, founder.userId);
  const proofs = new Map<Role, string>();
  for (const [role, options] of Object.entries(PEOPLE) as [Person, NewPerson][]) {
    const { userId, cookie } = await server.person(options);
    proofs.set(role, cookie);
    if (role === 'member' || role === 'moderator' || role === 'leader') await join(server.sql, here.id, userId, role);
    if (role === 'leader') {
      const others = ApiScope.options.filter((one) => one !== scope);
      proofs.set('API key for everything', await apiKey(server.sql, here.id, userId, ApiScope.options));
      proofs.set('API key for everything else', await apiKey(server.sql, here.id, userId, others));
    }
    if (role === 'revoked' || role === 'suspended') await join(server.sql, here.id, userId, 'leader');
    if (role === 'leader of another') await join(server.sql, elsewhere.id, userId, 'leader');
  }
  return { here, elsewhere, proofs };
}

function call(route: RouteUnderTest, params: Record<string, string>, proof: string | undefined): Promise<Reply> {
  const isKey = proof?.startsWith('mk_') ?? false;
  const body = sampleBody(route.key);
  const type = route.declaration.bodyTypes?.[0];
  return server.request(route.method, fill(route.path, params) + queryOf(route.path), {
    ...(proof === undefined || isKey ? {} : { cookie: proof }),
    ...(body === undefined ? {} : { body }),
    ...(type === undefined ? {} : { raw: new Uint8Array([0xff, 0xd8]) }),
    headers: {
      // A script sends what a page of ours would not.
      ...(isKey ? { authorization: `Bearer ${proof}`, 'sec-fetch-site': null } : {}),
      ...(route.declaration.idempotent ? { 'idempotency-key': randomUUID() } : {}),
      ...(type === undefined ? {} : { 'content-type': type }),
    },
  });
}

const paramsOf = ({ id: communityId, taskId, claimId }: TestCommunity): Record<string, string> => ({
  ...idsOfNothing(),
  communityId,
  taskId,
  claimId,
});

describe.each(ALL_ROUTES)('$key', (route) => {
  test('lets in exactly whom its declaration names, and changes nothing for the others', async () => {
    const { scope } = route.declaration;
    const { here, proofs } = await (route.method === 'GET' ? once(scope ?? 'none', () => world(scope)) : world(scope));
    const seen: Record<string, string> = {};
    const wanted: Record<string, string> = {};
    // Whoever is refused comes first: what they all left as it was is looked at once.
    const refused = ROLES.filter((role) => refusalFor(role, route) !== null);
    const before = await changes(server.sql);
    for (const role of [...refused, ...ROLES.filter((role) => !refused.includes(role))]) {
      const expected = refusalFor(role, route);
      const reply = await call(route, paramsOf(here), proofs.get(role));
      const reason = reply.status >= 400 ? String(reply.json?.reason) : 'none';
      seen[role] = GATE.has(reason) ? reason : reply.status < 500 ? 'in' : `${reply.status} ${reply.text}`;
      wanted[role] = expected ?? 'in';
      if (expected !== null) expect(reply.status, role).toBe(/^NOT_(SIGNED_IN|TELEGRAM)$/.test(expected) ? 401 : 403);
      if (expected === 'TELEGRAM_MEMBERSHIP_REVOKED') expect(reply.json.message).toContain(expected);
      if (role === refused.at(-1))
        expect(await changes(server.sql), 'somebody refused changed something').toEqual(before);
    }
    expect(seen).toEqual(wanted);
  });

  test('answers 405 to every other method, and changes nothing', async () => {
    const { here, proofs } = await once('none', world);
    const path = fill(route.path, paramsOf(here));
    const taken = new Set(ALL_ROUTES.filter((other) => other.path === route.path).map((other) => other.method));
    const before = await changes(server.sql);
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].filter((other) => !taken.has(other))) {
      const reply = await server.request(method, path, { cookie: proofs.get('admin') ?? '' });
      expect([method, reply.status, reply.json?.reason]).toEqual([method, 405, 'METHOD_NOT_ALLOWED']);
      expect(reply.headers.get('allow')).toContain([...taken][0]);
    }
    expect(await changes(server.sql)).toEqual(before);
  });
});

const inCommunity = ALL_ROUTES.filter(({ path }) => path.includes(':communityId'));

async function privateCommunity() {
  const founder = await server.person();
  const hidden = await community(server, founder.userId, { visibility: 'private' });
  const strangers = [
    await server.person(),
    await server.person({ role: 'admin' }),
    await memberOf(server, hidden.id, 'leader', { membership: 'kicked' }),
    await memberOf(server, hidden.id, 'leader', { suspended: true }),
  ];
  return { hidden, strangers };
}

describe.each(inCommunity)('$key of a private community', (route) => {
  test('does not exist for strangers, staff of the instance, the revoked and the suspended', async () => {
    const { hidden, strangers } = await once(privateCommunity, privateCommunity);
    const before = await changes(server.sql);
    for (const { cookie } of strangers) {
      const reply = await call(route, paramsOf(hidden), cookie);
      expect(reply.status === 404 || (route.declaration.access !== 'public' && reply.status === 403)).toBe(true);
      expect(reply.text).not.toContain('World');
    }
    const nobody = await call(route, paramsOf(hidden), undefined);
    expect(nobody.status).toBe(route.declaration.access === 'public' ? 404 : 401);
    expect(await changes(server.sql)).toEqual(before);
  });
});

test.each<[string, NewPerson]>([
  ['a revoked', { membership: 'kicked' }],
  ['a suspended', { suspended: true }],
])('%s member reads what everybody may read as a stranger does', async (_, lost) => {
  const founder = await server.person();
  const open = await community(server, founder.userId);
  const hidden = await community(server, founder.userId, { visibility: 'private' });
  const { userId, cookie } = await memberOf(server, hidden.id, 'member', lost);
  await join(server.sql, open.id, userId, 'moderator');
  for (const path of ['', `/${open.id}`, `/${open.id}/leaderboard`]) {
    const [theirs, strangers] = await Promise.all(
      [{ cookie }, {}].map((ask) => server.request('GET', `/api/communities${path}`, ask)),
    );
    const bare = (reply: Reply | undefined) => reply?.text.replace(/"asOf":"[^"]+"/, '');
    expect(bare(theirs), path).toBe(bare(strangers));
  }
});

// The id of an image or a file is the device's: sending one to a place makes it there.
const MADE_BY_DEVICES: ReadonlySet<string> = new Set([
  'PUT /api/communities/:communityId/images/:imageId',
  'PUT /api/communities/:communityId/files/:fileId',
]);
const withObject = inCommunity.filter(({ key, path }) => /:(?!communityId)/.test(path) && !MADE_BY_DEVICES.has(key));

async function twoCommunities() {
  const founder = await server.person();
  const here = await community(server, founder.userId);
  const there = await furnish(server, await community(server, founder.userId));
  return { here, there, ...(await memberOf(server, here.id, 'leader')) };
}

describe.each(withObject)('$key with the id of another community’s object', (route) => {
  test('finds nothing and changes nothing', async () => {
    const { here, there, cookie } = await once(twoCommunities, twoCommunities);
    const before = await changes(server.sql);
    // An id of nothing is found by nobody and would prove nothing: each that the path names is of something there.
    const named = [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => name).filter((name) => name !== 'communityId');
    expect(Object.keys(there)).toEqual(expect.arrayContaining(named));
    const reply = await call(route, { ...there, communityId: here.id }, cookie);
    expect(reply.status, reply.text).toBe(404);
    expect(await changes(server.sql)).toEqual(before);
  });
});

async function suspendedCommunity() {
  const founder = await server.person();
  const closed = await community(server, founder.userId, { status: 'suspended' });
  return { closed, leader: await memberOf(server, closed.id, 'leader'), stranger: await server.person() };
}

describe.each(inCommunity)('$key of a suspended community', (route) => {
  test('is closed for its leader and unknown to strangers', async () => {
    const { closed, leader, stranger } = await once(suspendedCommunity, suspendedCommunity);
    // Where any site may read, nobody is signed in.
    const reason = route.declaration.anySite ? 'NOT_FOUND' : 'COMMUNITY_SUSPENDED';
    expect((await call(route, paramsOf(closed), leader.cookie)).json.reason).toBe(reason);
    expect((await call(route, paramsOf(closed), stranger.cookie)).status).toBe(404);
  });
});
