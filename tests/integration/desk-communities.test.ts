import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { DeskCommunityDetail } from '../../server/contract/desk.ts';
import { countQueued } from '../../server/features/analytics/counts.ts';
import { endCommunitySuspensions } from '../../server/features/desk/change.ts';
import { notify } from '../../server/features/notifications/notify.ts';
import { spreadNext } from '../../server/features/notifications/spread.ts';
import { ofFile } from '../support/of-file.ts';
import { testServer } from '../support/server.ts';
import { community, memberOf } from '../support/world.ts';

const server = await ofFile(testServer({ sandbox: false }));
const admin = await server.person({ name: 'Maya', role: 'admin' });

const REASON = 'Answers were sold there';
const ask = (method: string, path: string, cookie: string, body?: object, key: string = randomUUID()) =>
  server.command(method, path, { cookie, key, body });
const act = (placeId: string, what: string, body: object, cookie = admin.cookie, key?: string) =>
  ask(what === 'featured' ? 'PUT' : 'POST', `/api/admin/communities/${placeId}/${what}`, cookie, body, key);
const suspend = (placeId: string, until: string | null = null) => act(placeId, 'suspension', { reason: REASON, until });
const find = async (query: string) =>
  (await server.request('GET', `/api/admin/communities?${query}`, { cookie: admin.cookie })).json as {
    items: { id: string; name: string; members: number }[];
    next: string | null;
    total: number;
  };
const auditOf = async (placeId: string) =>
  (
    await server.sql<{ action: string; reason: string | null; actor: string | null }[]>`
      select action, reason, actor_id as actor from audit_entries
      where subject_id = ${placeId} and community_id is null order by id`
  ).map(({ action, reason, actor }) => [action, reason, actor]);

async function place(options: Parameters<typeof community>[2] = {}) {
  const one = await community(server, admin.userId, options);
  const leader = await memberOf(server, one.id, 'leader', { name: `Leader of ${one.slug}` });
  const member = await memberOf(server, one.id, 'member');
  return { ...one, leader, member };
}

describe('the list', () => {
  test('has private and suspended communities too, found by name, address, leader and id', async () => {
    const one = await place({ visibility: 'private' });
    await suspend(one.id);
    for (const words of [one.slug.replace('-', ' '), one.slug, `leader of ${one.slug}`, one.id])
      expect(
        (await find(`search=${encodeURIComponent(words)}`)).items.map(({ id }) => id),
        words,
      ).toContain(one.id);
    const ids = async (filter: string) => (await find(`filter=${filter}`)).items.map(({ id }) => id);
    expect(await ids('suspended')).toContain(one.id);
    expect(await ids('featured')).not.toContain(one.id);
    expect((await find(`search=${encodeURIComponent("%' or true --")}`)).total).toBe(0);
  });

  test('is read page by page, the newest first, none twice and none left out', async () => {
    await server.sql`
      insert into communities (slug, name, created_by, created_at)
      select 'crowd-' || n, 'Crowd ' || n, ${admin.userId}, '2026-01-01T10:00:00.123456Z' from generate_series(1, 120) n`;
    const seen: string[] = [];
    let after = '';
    do {
      const page = await find(`search=crowd${after}`);
      seen.push(...page.items.map(({ id }) => id));
      expect(page.total).toBe(120);
      after = page.next === null ? '' : `&after=${encodeURIComponent(page.next)}`;
    } while (after !== '');
    expect([seen.length, new Set(seen).size]).toEqual([120, 120]);
  });

  test('and the page of one tell how it fares, and no answer of a member', async () => {
    const one = await place();
    await server.sql`
      insert into claim_events (community_id, claim_id, kind, to_state)
      select community_id, id, 'submitted', 'submitted' from claims where community_id = ${one.id}`;
    await countQueued(server.runtime);
    const reply = await ask('GET', `/api/admin/communities/${one.id}`, admin.cookie);
    expect(DeskCommunityDetail.parse(reply.json)).toMatchObject({
      members: 3,
      active7: 1,
      tasks: 2,
      answers: { waiting: 1, approved: 0, rejected: 0 },
      staff: [{ id: one.leader.userId, role: 'leader', isSuspended: false }],
      suspension: null,
      featuredAt: null,
      history: [],
    });
    expect(reply.text).not.toContain('my words');
    expect((await ask('GET', `/api/admin/communities/${randomUUID()}`, admin.cookie)).status).toBe(404);
    expect((await ask('GET', `/api/admin/communities/${one.id}`, one.leader.cookie)).status).toBe(403);
  });
});

describe('a suspension', () => {
  test('tells members and leaders why and until when, hides the rest, and restored all is as before', async () => {
    const one = await place();
    const at = `/api/communities/${one.id}`;
    const paths = [at, `${at}/dashboard`, `${at}/leaderboard`];
    const seen = async (cookie: string) =>
      Promise.all(
        paths.map(async (path) => (await server.request('GET', path, { cookie })).text.replace(/"asOf":"[^"]+"/, '')),
      );
    const before = await seen(one.member.cookie);
    const until = new Date(server.runtime.now().getTime() + 7 * 86_400_000).toISOString();
    const reply = await suspend(one.id, until);
    expect(DeskCommunityDetail.parse(reply.json).suspension).toMatchObject({ until, reason: REASON });
    for (const { cookie } of [one.member, one.leader])
      for (const path of paths) {
        const refused = await server.request('GET', path, { cookie });
        expect(refused, path).toMatchObject({
          status: 403,
          json: { reason: 'COMMUNITY_SUSPENDED', details: { until, reason: REASON } },
        });
        expect(refused.json.message).toContain(REASON);
      }
    const stranger = await server.person();
    expect((await server.request('GET', at, { cookie: stranger.cookie })).status).toBe(404);
    expect((await server.request('GET', '/api/communities')).text).not.toContain(one.id);
    const claim = await ask('POST', `${at}/tasks/${one.taskId}/claims`, one.member.cookie, {});
    expect(claim.json.reason).toBe('COMMUNITY_SUSPENDED');
    const announced = await ask('POST', `${at}/announcements`, one.leader.cookie, {
      title: 'Still here',
      body: 'Yes.',
    });
    expect(announced.json.reason).toBe('COMMUNITY_SUSPENDED');

    expect((await act(one.id, 'restoration', { reason: 'A mistake' })).status).toBe(200);
    expect(await seen(one.member.cookie)).toEqual(before);
    expect((await server.request('GET', '/api/communities')).text).toContain(one.id);
    expect(await auditOf(one.id)).toEqual([
      ['community.suspended', REASON, admin.userId],
      ['community.restored', 'A mistake', admin.userId],
    ]);
    expect((await act(one.id, 'restoration', { reason: 'Again' })).json.reason).toBe('NOT_SUSPENDED');
  });

  test('stops what would be pushed, to one person too', async () => {
    const one = await place();
    const told = async () => {
      const id = await notify(server.sql, {
        topic: 'review',
        communityId: one.id,
        userId: one.member.userId,
        path: '/',
        title: 'Reviewed',
        body: 'Approved',
        at: server.runtime.now(),
      });
      while (await spreadNext(server.runtime));
      const [{ members }] = await server.sql<[{ members: number }]>`select members from notifications where id = ${id}`;
      return members;
    };
    expect(await told()).toBe(1);
    await suspend(one.id);
    expect(await told()).toBe(0);
  });

  test('ends at its time by itself, and not before; a second one changes it and keeps when it began', async () => {
    const one = await place();
    const now = server.runtime.now();
    const first = await suspend(one.id, new Date(now.getTime() + 1_000_000).toISOString());
    const second = await suspend(one.id, new Date(now.getTime() + 3_600_000).toISOString());
    expect(second.json.suspension.since).toBe(first.json.suspension.since);
    const status = async () => (await server.request('GET', `/api/communities/${one.id}`)).status;
    await endCommunitySuspensions(server.sql, new Date(now.getTime() + 3_599_000));
    expect(await status()).toBe(404);
    await endCommunitySuspensions(server.sql, new Date(now.getTime() + 3_601_000));
    expect(await status()).toBe(200);
    expect((await auditOf(one.id)).map(([action]) => action)).toEqual([
      'community.suspended',
      'community.suspension_changed',
      'community.restored',
    ]);
  });

  test('sent twice is done once, and one that ends at once is refused', async () => {
    const one = await place();
    const [key, body] = [randomUUID(), { reason: REASON, until: null }];
    const replies = [
      await act(one.id, 'suspension', body, admin.cookie, key),
      await act(one.id, 'suspension', body, admin.cookie, key),
    ];
    expect(replies[1]?.json).toEqual(replies[0]?.json);
    expect(await auditOf(one.id)).toHaveLength(1);
    const over = await suspend(one.id, server.runtime.now().toISOString());
    expect(over.json.reason).toBe('INVALID_TIME');
    expect((await act(randomUUID(), 'suspension', body)).status).toBe(404);
  });
});

describe('a hand-over', () => {
  const rolesIn = async (placeId: string) =>
    Object.fromEntries(
      (
        await server.sql<{ userId: string; role: string }[]>`
          select user_id as "userId", role from community_members where community_id = ${placeId}`
      ).map(({ userId, role }) => [userId, role]),
    );
  const give = (placeId: string, userId: string, others: 'stay' | 'member' = 'stay') =>
    act(placeId, 'handover', { userId, others, reason: 'Its leader is gone' });

  test('makes a stranger leader, leaves the others or makes them members, and is in both audits', async () => {
    const one = await place();
    const heir = await server.person({ name: 'Hanne' });
    expect((await give(one.id, heir.userId, 'member')).status).toBe(200);
    expect(await rolesIn(one.id)).toMatchObject({ [heir.userId]: 'leader', [one.leader.userId]: 'member' });
    expect((await ask('GET', `/api/communities/${one.id}/admin`, heir.cookie)).status).toBe(200);
    expect((await ask('GET', `/api/communities/${one.id}/admin`, one.leader.cookie)).status).toBe(403);
    expect(await auditOf(one.id)).toEqual([['community.handed_over', 'Hanne: Its leader is gone', admin.userId]]);
    const inside = await ask('GET', `/api/communities/${one.id}/audit`, heir.cookie);
    expect(inside.json.items).toMatchObject([
      { action: 'member.made_member', by: 'Maya', reason: 'Its leader is gone' },
      { action: 'member.made_leader', by: 'Maya', subject: 'Hanne' },
    ]);
    expect((await give(one.id, one.member.userId)).status).toBe(200);
    expect(await rolesIn(one.id)).toMatchObject({ [heir.userId]: 'leader', [one.member.userId]: 'leader' });
    expect((await give(one.id, heir.userId)).json.reason).toBe('LEADS_ALREADY');
  });

  test.each([
    ['nobody', async () => randomUUID(), 404, 'NO_SUCH_PERSON'],
    ['somebody suspended', async () => (await server.person({ suspended: true })).userId, 409, 'SUSPENDED_ACCOUNT'],
    ['somebody not verified', async () => (await server.person({ verified: false })).userId, 409, 'NOT_VERIFIED'],
  ] as const)('to %s is refused and changes nothing', async (_, whom, status, reason) => {
    const one = await place();
    const before = await rolesIn(one.id);
    expect(await give(one.id, await whom())).toMatchObject({ status, json: { reason } });
    expect(await rolesIn(one.id)).toEqual(before);
    expect(await auditOf(one.id)).toEqual([]);
  });
});

test('a featured community is first in the directory and says so; a suspended one cannot be', async () => {
  const [large, small] = [await place(), await place()];
  for (let n = 0; n < 3; n += 1) await memberOf(server, large.id, 'member');
  const feature = (featured: boolean) => act(small.id, 'featured', { featured, reason: 'Well led' });
  expect((await feature(true)).json.featuredAt).not.toBeNull();
  expect((await feature(true)).status).toBe(200);
  const [first] = (await server.request('GET', '/api/communities')).json;
  expect(first).toMatchObject({ id: small.id, featured: true });
  await suspend(small.id);
  expect((await act(large.id, 'featured', { featured: false, reason: 'None' })).status).toBe(200);
  expect((await feature(false)).status).toBe(200);
  expect((await feature(true)).json.reason).toBe('SUSPENDED_COMMUNITY');
  expect((await auditOf(small.id)).map(([action]) => action)).toEqual([
    'community.featured',
    'community.suspended',
    'community.not_featured',
  ]);
});
