import { createPublicKey } from 'node:crypto';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ADJUSTMENT_MAX, LEDGER_PAGE, POINTS_BY_HAND_MAX } from '../../server/contract/limits.ts';
import { Profile } from '../../server/contract/user.ts';
import { recordPoints } from '../../server/features/awards/record.ts';
import { verifyExport } from '../../server/features/ledger/export.ts';
import { untilLockWaits } from '../support/lock-waits.ts';
import { folderOfFile, ofFile } from '../support/of-file.ts';
import { testServer } from '../support/server.ts';
import { community, memberOf } from '../support/world.ts';

const home = folderOfFile();
const server = await ofFile(testServer({ sandbox: false, config: { home } }));

const command = (method: string, path: string, cookie: string, body: unknown) =>
  server.command(method, path, { cookie, body });

async function place(visibility: 'public' | 'private' = 'public') {
  const leader = await server.person();
  const { id } = await community(server, leader.userId, { visibility });
  await server.sql`insert into community_members (community_id, user_id, role) values (${id}, ${leader.userId}, 'leader')`;
  return {
    id,
    at: `/api/communities/${id}`,
    leader,
    member: await memberOf(server, id, 'member', { name: 'Zoë “=1”' }),
  };
}
const give = (communityId: string, userId: string, points: number[]) =>
  server.sql.begin((tx) =>
    recordPoints(
      tx,
      server.runtime.now(),
      points.map((count) => ({ communityId, userId, kind: 'adjust' as const, points: count, actorId: null })),
    ),
  );

describe('points by hand', () => {
  it('are given and taken with a reason, told to the member, and audited', async () => {
    const { id, at, leader, member } = await place();
    const adjust = (body: object, cookie = leader.cookie) => command('POST', `${at}/adjustments`, cookie, body);
    const given = await adjust({ userId: member.userId, points: 25, reason: 'Carried the tents' });
    expect(given).toMatchObject({ status: 201, json: { kind: 'adjust', points: 25, displayName: 'Zoë “=1”' } });
    expect((await adjust({ userId: member.userId, points: -5, reason: 'Counted twice' })).status).toBe(201);
    expect((await adjust({ userId: member.userId, points: 0, reason: 'Nothing' })).status).toBe(400);
    expect((await adjust({ userId: leader.userId, points: 5, reason: 'Myself' })).json.reason).toBe(
      'LEADERS_DO_NOT_COMPETE',
    );
    expect((await adjust({ userId: crypto.randomUUID(), points: 5, reason: 'Nobody' })).status).toBe(404);
    expect((await adjust({ userId: member.userId, points: 5, reason: 'Mine' }, member.cookie)).status).toBe(403);
    const mine = await server.request('GET', '/api/user/ledger', { cookie: member.cookie });
    expect(mine.json.items.map(({ points, reason }: { points: number; reason: string }) => [points, reason])).toEqual([
      [-5, 'Counted twice'],
      [25, 'Carried the tents'],
    ]);
    const audited =
      await server.sql`select subject, reason from audit_entries where community_id = ${id} and action = 'points.adjusted' order by id`;
    expect(audited.map((row) => ({ ...row }))).toEqual([
      { subject: 'Zoë “=1”: +25', reason: 'Carried the tents' },
      { subject: 'Zoë “=1”: -5', reason: 'Counted twice' },
    ]);
  });
});

it('points by hand end where no number is left for the points of other communities', async () => {
  const { at, leader, member } = await place();
  const adjust = (points: number) =>
    command('POST', `${at}/adjustments`, leader.cookie, { userId: member.userId, points, reason: 'Far too many' });
  for (const [sum, points] of [
    [POINTS_BY_HAND_MAX, ADJUSTMENT_MAX],
    [-POINTS_BY_HAND_MAX, -ADJUSTMENT_MAX],
  ] as const) {
    const elsewhere = await place();
    await server.sql`
      insert into community_members (community_id, user_id, role) values (${elsewhere.id}, ${member.userId}, 'member')`;
    const [{ now }] = await server.sql<[{ now: number }]>`
      select coalesce(sum(points), 0)::int as now from point_events where user_id = ${member.userId}`;
    await give(elsewhere.id, member.userId, [sum - points - now]);
    expect((await adjust(points)).status).toBe(201);
    expect((await adjust(points)).json).toMatchObject({ status: 409, reason: 'POINTS_LIMIT' });
    // What brings the sum back is no harm.
    expect((await adjust(-points)).status).toBe(201);
    // Elsewhere they earn as before.
    await give(elsewhere.id, member.userId, [1_000]);
  }
});

describe('the ledger', () => {
  it('is read page by page, whole and without repeats, by its member and by who reviews', async () => {
    const { id, at, leader, member } = await place();
    const points = Array.from({ length: LEDGER_PAGE * 2 + 3 }, (_, index) => index + 1);
    await give(id, member.userId, points);
    // Neither what another member has here, nor what this one has elsewhere.
    await give(id, (await memberOf(server, id, 'member')).userId, [2_000]);
    const elsewhere = await place();
    await give(elsewhere.id, member.userId, [1_000]);
    for (const [path, cookie] of [
      [`/api/user/ledger?communityId=${id}`, member.cookie],
      [`${at}/ledger?userId=${member.userId}`, leader.cookie],
    ] as const) {
      const seen: number[] = [];
      for (let next: string | null = ''; next !== null; ) {
        const reply = await server.request('GET', `${path}${next === '' ? '' : `&after=${next}`}`, { cookie });
        seen.push(...reply.json.items.map((entry: { points: number }) => entry.points));
        next = reply.json.next;
      }
      expect(seen.length).toBe(points.length);
      expect(new Set(seen)).toEqual(new Set(points));
    }
    const [latest] = (await server.request('GET', '/api/user/ledger', { cookie: member.cookie })).json.items;
    expect(latest).toMatchObject({ points: 1_000 });
    expect((await server.request('GET', '/api/user/ledger?after=x', { cookie: member.cookie })).status).toBe(400);
  });

  it('is exported signed: it verifies as it came, and with any byte changed it does not', async () => {
    const { id, member } = await place();
    await give(id, member.userId, [5, 20, -3]);
    const file = await server.request('GET', '/api/user/ledger/export', { cookie: member.cookie });
    expect(file.headers.get('content-disposition')).toMatch(/attachment; filename="?points-/);
    const { publicKey, keyId, algorithm } = (await server.request('GET', '/api/ledger/public-key')).json;
    expect([algorithm, JSON.parse(file.text).keyId]).toEqual(['Ed25519', keyId]);
    expect(() => createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: publicKey }, format: 'jwk' })).not.toThrow();
    expect(verifyExport(file.text, publicKey)).toContain('Zoë “=1” has 22 points from 3 entries');
    const bytes = Buffer.from(file.text);
    for (let at = 0; at < bytes.length; at += 1) {
      const other = Buffer.from(bytes);
      other[at] = (bytes[at] ?? 0) ^ 1;
      expect(() => verifyExport(other.toString(), publicKey), `byte ${at}`).toThrow();
    }
    for (const text of [`${file.text} `, JSON.stringify(JSON.parse(file.text), null, 1)])
      expect(() => verifyExport(text, publicKey)).toThrow();
    expect(() => verifyExport(file.text, Buffer.alloc(32, 3).toString('base64url'))).toThrow();
    expect(statSync(join(home, 'ledger-key.pem')).mode & 0o777).toBe(0o600);
  });
});

describe('an invite', () => {
  it('opens a private community, and counts once the guest has the points', async () => {
    const { id, at, member } = await place('private');
    const invite = (await server.request('GET', `${at}/invite`, { cookie: member.cookie })).json;
    expect(invite).toMatchObject({ threshold: 50, qualified: 0, invited: [] });
    expect((await server.request('GET', `${at}/invite`, { cookie: member.cookie })).json.code).toBe(invite.code);
    const spoken = `${invite.code.slice(0, 5).toUpperCase()}-${invite.code.slice(5)}`;
    const looked = await server.request('GET', `/api/invites?code=${spoken}`);
    expect(looked.json).toMatchObject({ community: { id, role: null }, invitedBy: 'Zoë “=1”' });
    expect((await server.request('GET', '/api/invites?code=nothere22')).status).toBe(404);

    const guests = await Promise.all(Array.from({ length: 3 }, () => server.person()));
    for (const guest of guests) {
      const joined = await command('POST', '/api/invites/accept', guest.cookie, { code: spoken });
      expect(joined).toMatchObject({ status: 200, json: { id, role: 'member' } });
    }
    const [guest] = guests;
    const qualified = async () =>
      (await server.request('GET', `${at}/invite`, { cookie: member.cookie })).json.qualified as number;
    await give(id, guest?.userId ?? '', [49]);
    expect(await qualified()).toBe(0);
    await give(id, guest?.userId ?? '', [1]);
    expect(await qualified()).toBe(1);
    await give(id, guest?.userId ?? '', [-40]);
    expect(await qualified()).toBe(1);
    for (const other of guests.slice(1)) await give(id, other.userId, [50]);
    const profile = Profile.parse((await server.request('GET', '/api/user/profile', { cookie: member.cookie })).json);
    expect(profile.badges.map(({ code }) => code)).toEqual(['good_host']);
    const again = await command('POST', '/api/invites/accept', member.cookie, { code: invite.code });
    expect(again.json.role).toBe('member');
    expect((await server.sql`select from referrals where community_id = ${id}`).length).toBe(3);
  });

  it('counts a guest who has the points of a threshold that is lowered, and goes on when it is raised', async () => {
    const { id, at, leader, member } = await place();
    const { code } = (await server.request('GET', `${at}/invite`, { cookie: member.cookie })).json;
    const guests = await Promise.all(Array.from({ length: 3 }, () => server.person()));
    for (const guest of guests) await command('POST', '/api/invites/accept', guest.cookie, { code });
    await give(id, guests[0]?.userId ?? '', [20]);
    const counted = async (inviteThreshold: number) => {
      expect((await command('PATCH', at, leader.cookie, { inviteThreshold })).status).toBe(200);
      return (await server.request('GET', `${at}/invite`, { cookie: member.cookie })).json.qualified as number;
    };
    expect(await counted(21)).toBe(0);
    expect(await counted(20)).toBe(1);
    expect(await counted(100)).toBe(1);
    expect(await counted(0)).toBe(3);
    const profile = Profile.parse((await server.request('GET', '/api/user/profile', { cookie: member.cookie })).json);
    expect(profile.badges.map((badge) => badge.code)).toEqual(['good_host']);
  });

  it('leads nowhere once who made it has left', async () => {
    const { id, at, member } = await place('private');
    const { code } = (await server.request('GET', `${at}/invite`, { cookie: member.cookie })).json;
    await server.sql`delete from community_members where community_id = ${id} and user_id = ${member.userId}`;
    for (const { cookie } of [await server.person(), member])
      expect((await command('POST', '/api/invites/accept', cookie, { code })).status).toBe(404);
    expect((await server.request('GET', `/api/invites?code=${code}`)).status).toBe(404);
    expect(await server.sql`select from referrals where community_id = ${id}`).toHaveLength(0);
  });

  it('brings no guest who was active here before', async () => {
    const { id, at, member } = await place();
    const { code } = (await server.request('GET', `${at}/invite`, { cookie: member.cookie })).json;
    const old = await memberOf(server, id, 'member');
    await give(id, old.userId, [60]);
    await server.sql`delete from community_members where community_id = ${id} and user_id = ${old.userId}`;
    expect((await command('POST', '/api/invites/accept', old.cookie, { code })).status).toBe(200);
    expect(await server.sql`select from referrals where community_id = ${id}`).toHaveLength(0);
  });
});

describe('a profile', () => {
  it('moves to another time zone once in 30 days', async () => {
    const { cookie, userId } = await server.person();
    const move = (timeZone: string) => command('PATCH', '/api/user/profile', cookie, { timeZone });
    expect((await move('Europe/Lisbon')).json).toMatchObject({
      timeZone: 'Europe/Lisbon',
      timeZoneChangeAt: expect.any(String),
    });
    expect(await move('Asia/Tokyo')).toMatchObject({ status: 409, json: { reason: 'TIME_ZONE_LOCKED' } });
    expect((await move('Europe/Lisbon')).status).toBe(200);
    for (const zone of ['+05:00', 'Mars/Base', '../etc', 'Europe/Lis bon']) expect((await move(zone)).status).toBe(400);
    await server.sql`update users set time_zone_changed_at = time_zone_changed_at - interval '30 days' where id = ${userId}`;
    expect((await move('Asia/Tokyo')).json).toMatchObject({ timeZone: 'Asia/Tokyo' });
  });

  it('does so at the next midnight there, so that no moment is of two days', async () => {
    const { at, member, id } = await place();
    const { cookie, userId } = member;
    const day = (ahead: number) =>
      new Date(server.runtime.now().getTime() + ahead * 86_400_000).toISOString().slice(0, 10);
    const [first, second] = [day(1), day(2)];
    const clock = (iso: string) => server.advance(Date.parse(iso) - server.runtime.now().getTime());
    const [{ id: taskId }] = await server.sql<[{ id: string }]>`
      insert into tasks (community_id, kind, title, points, recurrence, created_by, created_at)
      values (${id}, 'check_in', 'Daily', 5, 'daily', ${userId}, '2026-01-01') returning id`;
    await server.sql`update community_members set joined_at = '2026-01-01' where user_id = ${userId}`;
    const claim = async (actedAt?: string) =>
      (await command('POST', `${at}/tasks/${taskId}/claims`, cookie, actedAt === undefined ? {} : { actedAt })).status;
    const days = async () =>
      (await server.sql`select local_day::text as day from claims where user_id = ${userId} order by 1`).map(
        ({ day }) => day,
      );
    clock(`${first}T12:00:00Z`);
    expect(await claim()).toBe(201);
    const moved = await command('PATCH', '/api/user/profile', cookie, { timeZone: 'pacific/KIRITIMATI' });
    expect(moved.json).toMatchObject({ timeZone: 'Pacific/Kiritimati', timeZoneFrom: `${second}T00:00:00.000Z` });
    expect(await claim(), 'it is the next day there').toBe(409);
    clock(`${first}T23:59:00Z`);
    expect(await claim()).toBe(409);
    clock(`${second}T00:01:00Z`);
    expect(await claim()).toBe(201);
    expect(await claim(`${first}T12:00:00.000Z`), 'the same moment again').toBe(409);
    expect(await days()).toEqual([first, second]);
    const now = (await server.request('GET', '/api/user/profile', { cookie })).json;
    expect(now).toMatchObject({ timeZone: 'Pacific/Kiritimati', timeZoneFrom: null });
  });

  it('knows a zone by each of its names', async () => {
    const { cookie, userId } = await server.person();
    const move = async (timeZone: string) =>
      (await command('PATCH', '/api/user/profile', cookie, { timeZone })).json.timeZone;
    expect(await move('Asia/Calcutta')).toBe('Asia/Kolkata');
    // No change, so nothing is locked.
    expect(await move('Asia/Kolkata')).toBe('Asia/Kolkata');
    expect(await move('asia/calcutta')).toBe('Asia/Kolkata');
    await server.sql`update users set time_zone_changed_at = null where id = ${userId}`;
    expect(await move('europe/lisbon')).toBe('Europe/Lisbon');
  });

  it('moves once, told by two devices at the same moment', async () => {
    const { cookie, userId } = await server.person();
    const moves = await server.sql.begin(async (tx) => {
      await tx`select from users where id = ${userId} for no key update`;
      const sent = ['Europe/Lisbon', 'Asia/Tokyo'].map((timeZone) =>
        command('PATCH', '/api/user/profile', cookie, { timeZone }),
      );
      await untilLockWaits(server.sql, 2);
      return { sent };
    });
    const answers = await Promise.all(moves.sent);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(answers.find(({ status }) => status === 409)?.json.reason).toBe('TIME_ZONE_LOCKED');
  });
});
