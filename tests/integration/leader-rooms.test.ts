import { randomUUID } from 'node:crypto';
import { get } from 'node:http';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { ANNOUNCEMENTS_PAGE, AUDIT_PAGE, MEMBERS_PAGE } from '../../server/contract/limits.ts';
import { countQueued } from '../../server/features/analytics/counts.ts';
import { recordPoints } from '../../server/features/awards/record.ts';
import { untilLockWaits } from '../support/lock-waits.ts';
import { NAUGHTY, NOT_SHOWN } from '../support/naughty.ts';
import { ofFile } from '../support/of-file.ts';
import { type Reply, testServer } from '../support/server.ts';
import { community, memberOf, type Role, type TestCommunity } from '../support/world.ts';

const server = await ofFile(testServer({ sandbox: false }));

type Somebody = { userId: string; cookie: string };
let place: TestCommunity;
let leader: Somebody;
beforeEach(async () => {
  server.advance(60_000);
  place = await community(server, (await server.person()).userId);
  leader = await memberOf(server, place.id, 'leader', { name: 'Lena Leads' });
});

const send = (who: Somebody, method: string, path: string, body?: unknown): Promise<Reply> =>
  server.command(method, path, { cookie: who.cookie, body });
const ask = (method: string, path: string, body?: unknown, who = leader) =>
  send(who, method, `/api/communities/${place.id}${path}`, body);
const audited = async (action: string) =>
  (await ask('GET', `/audit?action=${action}`)).json.items as { by: string; subject: string; reason: string }[];
const give = (userId: string, points: number, communityId = place.id) =>
  server.sql.begin((tx) =>
    recordPoints(tx, server.runtime.now(), [{ communityId, userId, kind: 'adjust', points, actorId: leader.userId }]),
  );

/** Every item of a list that is read page by page, and how many pages it took. */
async function readAll(path: string, who = leader): Promise<{ items: { id: string }[]; pages: number }> {
  const items: { id: string }[] = [];
  for (let [after, pages] = ['', 1]; ; pages += 1) {
    const { json, text } = await send(who, 'GET', `${path}${path.includes('?') ? '&' : '?'}${after}`);
    if (!json.items) throw new Error(text);
    items.push(...json.items);
    if (json.next === null) return { items, pages };
    after = `after=${encodeURIComponent(json.next)}`;
  }
}

describe('members', () => {
  const names = (reply: Reply) => reply.json.items.map((item: { displayName: string }) => item.displayName);

  test('are found by a part of their name or handle, by role, and nothing else', async () => {
    const ana = await memberOf(server, place.id, 'member', { name: 'Ana María Ríos' });
    await memberOf(server, place.id, 'moderator', { name: '100%_Real \\ Bot' });
    await server.sql`update users set telegram_username = 'AnaWalks', twitter_username = 'riosana' where id = ${ana.userId}`;
    for (const search of ['maría', 'RÍOS', 'ana m', 'anaw', '@AnaWalks', 'riosa', ' Ana ']) {
      const reply = await ask('GET', `/members?search=${encodeURIComponent(search)}`);
      expect([search, names(reply), reply.json.total]).toEqual([search, ['Ana María Ríos'], 1]);
    }
    for (const search of ['%', '_', '\\']) {
      expect(names(await ask('GET', `/members?search=${encodeURIComponent(search)}`))).toEqual(['100%_Real \\ Bot']);
    }
    expect(names(await ask('GET', '/members?search=nobody-at-all'))).toEqual([]);
    expect(names(await ask('GET', '/members?role=leader'))).toEqual(['Lena Leads']);
  });

  test('are read page by page in each order, nobody twice and nobody left out', async () => {
    await server.sql`
      with people as (
        insert into users (telegram_user_id, display_name)
        select 900000000 + n, (array['Ö','z','a','A','日'])[n % 5 + 1] || (n / 10)
        from generate_series(1, 117) n returning id
      ) insert into community_members (community_id, user_id, role, joined_at)
        select ${place.id}, id, 'member', now() - (row_number() over ()) / 3 * interval '1 second' from people`;
    const scored = await server.sql<{ id: string }[]>`
      select user_id as id from community_members where community_id = ${place.id} and role = 'member' limit 40`;
    for (const [index, { id }] of scored.entries()) await give(id, 1 + (index % 7));
    const all = await server.sql<{ id: string }[]>`
      select user_id as id from community_members where community_id = ${place.id}`;
    for (const order of ['points', 'joined', 'name']) {
      const { items, pages } = await readAll(`/api/communities/${place.id}/members?order=${order}`);
      expect([order, pages]).toEqual([order, Math.ceil(all.length / MEMBERS_PAGE)]);
      expect(items.map((item) => item.id).sort()).toEqual(all.map((row) => row.id).sort());
    }
    const byPoints = (await readAll(`/api/communities/${place.id}/members`)).items as unknown as { points: number }[];
    expect(byPoints.map((row) => row.points)).toEqual(byPoints.map((row) => row.points).sort((a, b) => b - a));
    for (const after of ['x', '1', randomUUID(), '5_x', "1'_"]) {
      expect((await ask('GET', `/members?order=points&after=${encodeURIComponent(after)}`)).json.reason).toBe(
        'INVALID_INPUT',
      );
    }
  });

  test('are told in full with trust and badges, to leaders', async () => {
    const member = await memberOf(server, place.id, 'member', { name: 'Mo' });
    await give(member.userId, 12);
    const { json } = await ask('GET', `/members/${member.userId}`);
    expect(json).toMatchObject({ displayName: 'Mo', points: 12, role: 'member', approved: 0, invitedBy: null });
    expect(json.trust.score).toBeGreaterThanOrEqual(0);
    const stranger = await server.person();
    expect((await ask('GET', `/members/${stranger.userId}`)).status).toBe(404);
  });

  test('change roles; the board follows, and it is written down', async () => {
    const member = await memberOf(server, place.id, 'member', { name: 'Rita' });
    await give(member.userId, 9);
    const top = async () =>
      (await ask('GET', '/leaderboard')).json.top.map((row: { displayName: string }) => row.displayName);
    expect(await top()).toEqual(['Rita']);
    const role = async (to: Role, who = leader) => ask('PUT', `/members/${member.userId}/role`, { role: to }, who);
    expect((await role('leader')).json).toMatchObject({ role: 'leader', displayName: 'Rita', points: 9 });
    expect(await top()).toEqual([]);
    expect((await role('member')).json.role).toBe('member');
    expect(await top()).toEqual(['Rita']);
    await role('member');
    expect(await audited('member.made_leader')).toMatchObject([{ by: 'Lena Leads', subject: 'Rita' }]);
    expect(await audited('member.made_member')).toHaveLength(1);
  });

  test('the last leader stays one, however it is tried', async () => {
    const other = await memberOf(server, place.id, 'member');
    const id = leader.userId.toUpperCase();
    expect((await ask('PUT', `/members/${id}/role`, { role: 'member' })).json.reason).toBe('LAST_LEADER');
    expect((await ask('POST', `/members/${id}/removal`, { reason: 'Gone' })).json.reason).toBe('LAST_LEADER');
    expect((await ask('POST', '/leave')).json.reason).toBe('LAST_LEADER');
    // Two leaders who end each other's role at the same moment: one is left.
    await ask('PUT', `/members/${other.userId}/role`, { role: 'leader' });
    const asked: Promise<Reply>[] = [];
    await server.sql.begin(async (tx) => {
      await tx`select from community_members where community_id = ${place.id} for update`;
      asked.push(
        ask('PUT', `/members/${other.userId}/role`, { role: 'member' }),
        ask('PUT', `/members/${leader.userId}/role`, { role: 'member' }, other),
      );
      // Both were let in as leaders, and wait for each other.
      await untilLockWaits(server.sql, 2);
    });
    expect((await Promise.all(asked)).map(({ status }) => status).sort()).toEqual([200, 403]);
    const left = await server.sql`select from community_members where community_id = ${place.id} and role = 'leader'`;
    expect(left).toHaveLength(1);
  });

  test('are removed with a reason; their ledger stays, and they may come back', async () => {
    const member = await memberOf(server, place.id, 'member', { name: 'Gil' });
    await give(member.userId, 9);
    expect((await ask('POST', `/members/${member.userId}/removal`, { reason: 'Spam' })).json).toEqual({ ok: true });
    expect((await ask('GET', '/leaderboard')).json.top).toEqual([]);
    expect((await ask('GET', '/dashboard', undefined, member)).status).toBe(403);
    expect(await audited('member.removed')).toMatchObject([{ by: 'Lena Leads', subject: 'Gil', reason: 'Spam' }]);
    expect(await server.sql`select from point_events where user_id = ${member.userId}`).toHaveLength(1);
    expect((await ask('POST', `/members/${member.userId}/removal`, { reason: 'Spam' })).status).toBe(404);
    await ask('POST', '/join', undefined, member);
    expect((await ask('GET', '/leaderboard')).json.top).toMatchObject([{ displayName: 'Gil', points: 9 }]);
  });
});

describe('a community', () => {
  test('changes what it says of itself, and nothing that was not named', async () => {
    const changed = await ask('PATCH', '', {
      name: 'Valley',
      tags: ['Walks', 'walks'],
      visibility: 'private',
      inviteThreshold: 70,
    });
    expect(changed.json).toMatchObject({ name: 'Valley', tags: ['walks'], visibility: 'private', slug: place.slug });
    const detail = (await ask('GET', '')).json;
    expect(detail).toMatchObject({ inviteThreshold: 70, description: '', rules: '' });
    expect((await ask('PATCH', '', { name: 'a\u202eb' })).json.reason).toBe('INVALID_INPUT');
    expect((await ask('PATCH', '', {})).json.name).toBe('Valley');
    expect(await audited('community.changed')).toMatchObject([{ subject: 'invite_threshold, name, tags, visibility' }]);
  });
});

describe('announcements', () => {
  const post = (title: string, pinnedUntil?: string) =>
    ask('POST', '/announcements', { title, body: 'Words\r\nof two lines', ...(pinnedUntil ? { pinnedUntil } : {}) });
  const inHours = (hours: number) => new Date(server.runtime.now().getTime() + hours * 3_600_000).toISOString();
  const titles = (items: readonly unknown[]) => (items as { title: string }[]).map(({ title }) => title);

  test('stand with the pinned ones first, until their pin ends', async () => {
    await post('Pinned', inHours(2));
    for (const title of ['Two', 'Three', 'Four']) {
      server.advance(1_000);
      await post(title);
    }
    const list = async () => titles((await ask('GET', '/announcements')).json.items);
    const latest = async () => titles((await ask('GET', '/dashboard')).json.announcements);
    expect(await list()).toEqual(['Pinned', 'Four', 'Three', 'Two']);
    expect(await latest()).toEqual(['Pinned', 'Four', 'Three']);
    server.advance(2 * 3_600_000);
    expect(await list()).toEqual(['Four', 'Three', 'Two', 'Pinned']);
    expect((await ask('GET', '/announcements')).json.items[0]).toMatchObject({
      by: 'Lena Leads',
      body: 'Words\nof two lines',
      pinnedUntil: null,
    });
  });

  test('are read page by page, and by members only', async () => {
    await server.sql`
      insert into announcements (community_id, title, body, created_by, created_at, pinned_until)
      select ${place.id}, 'N' || n, 'B', ${leader.userId},
        ${server.runtime.now()}::timestamptz - n / 4 * interval '1 second',
        case when n % 3 = 0 then ${server.runtime.now()}::timestamptz + interval '1 day' end
      from generate_series(1, 70) n`;
    const member = await memberOf(server, place.id, 'member');
    const { items, pages } = await readAll(`/api/communities/${place.id}/announcements`, member);
    expect([new Set(items.map(({ id }) => id)).size, pages]).toEqual([70, Math.ceil(70 / ANNOUNCEMENTS_PAGE)]);
    for (const after of ['x', 'p', 'nyesterday_x', `q${new Date().toISOString()}_${randomUUID()}`]) {
      expect((await ask('GET', `/announcements?after=${encodeURIComponent(after)}`)).json.reason).toBe('INVALID_INPUT');
    }
  });

  test.each([[-1], [0], [20_000]])('a pin that ends %i hours from now is refused', async (hours) => {
    expect((await post('Pinned', inHours(hours))).json).toMatchObject({ status: 422, reason: 'DATE_OUT_OF_RANGE' });
  });

  test('are told of with whole characters, wherever their text is cut', async () => {
    for (const body of ['\u{1f600}'.repeat(200), `x${'\u{1f600}'.repeat(200)}`]) {
      const made = await ask('POST', '/announcements', { title: 'Smile', body });
      const [told] = await server.sql`select body from notifications where subject_id = ${made.json.id}`;
      expect(told?.['body']).toMatch(/^x?\u{1f600}+…$/u);
    }
  });

  test('are taken back, once', async () => {
    const { id } = (await post('Oops')).json;
    expect((await ask('DELETE', `/announcements/${id}`)).json).toEqual({ ok: true });
    expect((await ask('DELETE', `/announcements/${id}`)).status).toBe(404);
    expect((await ask('GET', '/announcements')).json.items).toEqual([]);
    expect(await audited('announcement.posted')).toMatchObject([{ subject: 'Oops' }]);
    expect(await audited('announcement.retracted')).toMatchObject([{ by: 'Lena Leads', subject: 'Oops' }]);
  });
});

test.each([
  '0000-01-01T00:00:00.000Z',
  '-000001-01-01T00:00:00.000Z',
  '+010000-01-01T00:00:00.000Z',
  '+275760-09-13T00:00:00.000Z',
])('a place at %s, which the database cannot read, is in no list', async (time) => {
  await server.sql`update users set role = 'admin' where id = ${leader.userId}`;
  const hook = await ask('POST', '/webhooks', { url: 'https://hooks.example.org/', events: ['member.left'] });
  const after = encodeURIComponent(`${time}_${randomUUID()}`);
  for (const path of [
    `/api/communities/${place.id}/announcements?after=p${after}`,
    `/api/communities/${place.id}/campaigns?after=${after}`,
    `/api/communities/${place.id}/webhooks/${hook.json.id}/deliveries?after=${after}`,
    `/api/admin/leader-applications?after=w${after}`,
    `/api/admin/campaigns?after=${after}`,
  ]) {
    const reply = await send(leader, 'GET', path);
    expect([path, reply.status, reply.json.reason]).toEqual([path, 400, 'INVALID_INPUT']);
  }
});

describe('leading', () => {
  const mine = (who: Somebody) => send(who, 'GET', '/api/user/leader-application');
  const about = { about: 'I have walked here for ten years.', plan: 'A walk on every Saturday.' };
  const apply = (who: Somebody, body: object = about) => send(who, 'POST', '/api/user/leader-application', body);
  const decide = (who: Somebody, id: string, body: object) =>
    send(who, 'POST', `/api/admin/leader-applications/${id}/decision`, body);

  test('needs no application where the whole checklist is met', async () => {
    const person = await server.person();
    await server.sql`update users set telegram_username = 'tess', twitter_username = 'tess' where id = ${person.userId}`;
    const { json } = await mine(person);
    expect(json).toMatchObject({ mayLead: true, application: null });
    expect(json.eligibility.map((line: { what: string; met: boolean }) => [line.what, line.met])).toEqual([
      ['telegram_username', true],
      ['x_linked', true],
      ['verified', true],
      ['in_channel', true],
    ]);
    expect((await apply(person)).json.reason).toBe('MAY_LEAD');
  });

  test('is applied for, rejected with a reason, applied for again, approved: which verifies by hand', async () => {
    const person = await server.person({ verified: false, name: 'Petra' });
    const admin = await server.person({ role: 'admin', name: 'Ada' });
    expect((await mine(person)).json.mayLead).toBe(false);
    expect((await apply(person, { ...about, link: 'javascript:alert(1)' })).json.reason).toBe('URL_NOT_ALLOWED');
    const first = await apply(person, { ...about, link: 'https://walks.example.org' });
    expect(first.json).toMatchObject({ mayLead: false, application: { state: 'submitted', reason: null } });
    expect((await apply(person)).json.reason).toBe('ALREADY_APPLIED');
    const { id } = first.json.application;
    expect((await decide(admin, id, { decision: 'reject' })).json.reason).toBe('INVALID_INPUT');
    await decide(admin, id, { decision: 'reject', reason: 'Tell us where' });
    expect((await mine(person)).json).toMatchObject({
      mayLead: false,
      application: { state: 'rejected', reason: 'Tell us where' },
    });
    expect((await decide(admin, id, { decision: 'approve', reason: 'Known to us' })).json).toMatchObject({
      reason: 'ALREADY_DECIDED',
      details: { application: { id, state: 'rejected' } },
    });
    server.advance(1_000);
    const second = (await apply(person)).json.application.id;
    const started = { name: 'Petra’s', slug: `petra-${second.slice(0, 8)}x`, description: '' };
    expect((await send(person, 'POST', '/api/communities', started)).json.reason).toBe('NOT_VERIFIED');
    expect((await decide(admin, second, { decision: 'approve', reason: 'Known to us' })).json.state).toBe('approved');
    expect((await mine(person)).json.mayLead).toBe(true);
    expect((await send(person, 'POST', '/api/communities', started)).status).toBe(201);
    const entries = await server.sql`
      select action, subject, reason from audit_entries where community_id is null and subject = 'Petra' order by id`;
    expect([...entries]).toEqual([
      { action: 'application.rejected', subject: 'Petra', reason: 'Tell us where' },
      { action: 'application.approved', subject: 'Petra', reason: 'Known to us' },
    ]);
  });

  test('two admins who decide at the same moment: the first one counts', async () => {
    const person = await server.person({ verified: false });
    const admins = await Promise.all([server.person({ role: 'admin' }), server.person({ role: 'admin' })]);
    const { id } = (await apply(person)).json.application;
    const replies = await Promise.all(
      admins.map((admin) => decide(admin, id, { decision: 'approve', reason: 'Known to us' })),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  test('applications are listed page by page, those that wait first', async () => {
    const admin = await server.person({ role: 'admin' });
    await server.sql`
      with people as (
        insert into users (telegram_user_id, display_name)
        select 800000000 + n, 'Applicant ' || n from generate_series(1, 130) n returning id
      ) insert into leader_applications (user_id, about, plan, submitted_at, state)
        select id, 'About', 'Plan', ${server.runtime.now()}::timestamptz - (row_number() over ()) / 4 * interval '1 s',
          (array['submitted','approved','rejected'])[(row_number() over ()) % 3 + 1] from people`;
    const [{ count }] = await server.sql<[{ count: number }]>`select count(*)::int from leader_applications`;
    const { items } = await readAll('/api/admin/leader-applications', admin);
    expect(new Set(items.map(({ id }) => id)).size).toBe(count);
    const states = (items as unknown as { state: string }[]).map(({ state }) => state === 'submitted');
    expect(states).toEqual([...states].sort((a, b) => Number(b) - Number(a)));
  });
});

describe('exports', () => {
  const file = (name: string, format: string) => ask('GET', `/exports/${name}?format=${format}`);

  test('carry what people wrote as text, under a name, and are written down', async () => {
    const member = await memberOf(server, place.id, 'member', { name: '=HYPERLINK("https://x","y")' });
    await give(member.userId, -3);
    const csv = await file('members', 'csv');
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(csv.headers.get('content-disposition')).toMatch(
      new RegExp(`^attachment; filename="${place.slug}-members-\\d{4}-\\d\\d-\\d\\d\\.csv"$`),
    );
    expect(csv.headers.get('x-content-type-options')).toBe('nosniff');
    expect(csv.text).toContain(`"'=HYPERLINK(""https://x"",""y"")"`);
    const ledger = await file('ledger', 'ndjson');
    expect(ledger.headers.get('content-type')).toBe('application/x-ndjson');
    expect(JSON.parse(ledger.text)).toMatchObject({ kind: 'adjust', points: -3, member_id: member.userId });
    expect(await audited('export.members')).toMatchObject([{ by: 'Lena Leads' }]);
    expect((await file('members', 'xlsx')).json.reason).toBe('INVALID_INPUT');
  });

  test('hold every row, also of more than a page, and only of this community', async () => {
    const elsewhere = await community(server, (await server.person()).userId);
    await server.sql`
      insert into claims (community_id, task_id, user_id, period, state, points, evidence, acted_at, local_day, submitted_at)
      select ${place.id}, (select id from tasks where community_id = ${place.id} and kind = 'submit_text' limit 1),
        ${leader.userId}, 'p' || n, 'rejected', 5, '{"kind":"submit_text","text":"+1"}', now(), current_date, now() - n / 7 * interval '1 microsecond'
      from generate_series(1, 2500) n`;
    const lines = (await file('claims', 'ndjson')).text.trimEnd().split('\n');
    const ids = new Set(lines.map((line) => JSON.parse(line).id));
    // Each community begins with one claim.
    expect([lines.length, ids.size, ids.has(elsewhere.claimId)]).toEqual([2_501, 2_501, false]);
    const csv = (await file('claims', 'csv')).text;
    expect(csv.split('\r\n')).toHaveLength(2_501 + 2);
    expect(csv).toContain(`"'+1"`);
  });

  test('whose reader goes away are no failure of ours', async () => {
    await server.sql`
      insert into claims (community_id, task_id, user_id, period, state, points, evidence, acted_at, local_day)
      select ${place.id}, ${place.taskId}, ${leader.userId}, 'p' || n, 'rejected', 5,
        jsonb_build_object('kind', 'submit_text', 'text', repeat('x', 3000)), now(), current_date
      from generate_series(1, 6000) n`;
    const failed = vi.spyOn(server.runtime.log, 'child');
    const logged: unknown[] = [];
    failed.mockImplementation(
      () =>
        ({
          info: () => {},
          warn: () => {},
          debug: () => {},
          error: (...told: unknown[]) => logged.push(told),
        }) as never,
    );
    const closed = new Promise<void>((done) => {
      const asking = get(
        `${server.url.replace('localhost', '127.0.0.1')}/api/communities/${place.id}/exports/claims?format=csv`,
        { headers: { cookie: leader.cookie } },
        (answer) => {
          answer.once('data', () => asking.destroy());
          answer.on('close', done);
        },
      );
      asking.on('error', () => {});
    });
    await closed;
    // The next answer comes after what the last one left behind.
    expect((await file('members', 'csv')).status).toBe(200);
    expect(logged).toEqual([]);
    failed.mockRestore();
  });

  test('have the same columns in both formats', async () => {
    for (const name of ['members', 'claims', 'ledger']) {
      await give(leader.userId, 1);
      const [header = ''] = (await file(name, 'csv')).text.split('\r\n');
      const [line = ''] = (await file(name, 'ndjson')).text.split('\n');
      expect(Object.keys(JSON.parse(line)).sort()).toEqual((JSON.parse(`[${header}]`) as string[]).sort());
    }
  });
});

test('analytics count what happened, day by day', async () => {
  const [ana, ben, cy] = await Promise.all(
    ['Ana', 'Ben', 'Cy'].map((name) => memberOf(server, place.id, 'member', { name })),
  );
  await server.sql`delete from claims where community_id = ${place.id}`;
  await server.sql`
    update community_members set joined_at = now() - interval '400 days' where community_id = ${place.id} and user_id <> ${cy!.userId}`;
  const now = server.runtime.now();
  // By the server's clock, which tests set ahead of the database's: late in the evening those are two days.
  await server.sql`update community_members set joined_at = ${now} where user_id = ${cy!.userId}`;
  const day = (back: number) => new Date(now.getTime() - back * 86_400_000).toISOString().slice(0, 10);
  type Claim = [userId: string, back: number, state: string, minutes: number | null, by?: string | null];
  const claim = (...[userId, back, state, minutes, by = leader.userId]: Claim) => {
    const sent = new Date(`${day(back)}T00:00:00Z`);
    const decided = minutes === null ? null : new Date(sent.getTime() + minutes * 60_000);
    return server.sql`
      with c as (
        insert into claims (community_id, task_id, user_id, period, state, points, acted_at, local_day, submitted_at,
          decided_at, decided_by)
        values (${place.id}, ${place.taskId}, ${userId}, ${`${back}`}, ${state}, 5, ${sent}, ${day(back)}, ${sent}, ${decided},
          ${decided && by}) returning *)
      insert into claim_events (community_id, claim_id, kind, from_state, to_state, at)
      select community_id, id, 'submitted', null, 'submitted', submitted_at from c
      union all select community_id, id, state, 'submitted', state, decided_at from c where decided_at is not null`;
  };
  await claim(ana!.userId, 0, 'submitted', null);
  await claim(ana!.userId, 2, 'approved', 10);
  await claim(ana!.userId, 3, 'approved', 20);
  await claim(ben!.userId, 2, 'rejected', 30);
  await claim(ben!.userId, 20, 'approved', 500);
  await give(ana!.userId, 11);
  await countQueued(server.runtime);
  const { json } = await ask('GET', '/analytics?days=7');
  expect(json.days.map((one: { day: string }) => one.day)).toEqual([6, 5, 4, 3, 2, 1, 0].map(day));
  expect(json.days.map(({ day: _, ...counts }: { day: string }) => Object.values(counts).join(' '))).toEqual([
    '0 0 0 0 0',
    '0 0 0 0 0',
    '0 0 0 0 0',
    '1 0 1 1 0',
    '2 0 2 1 0',
    '0 0 0 0 0',
    '1 1 1 0 11',
  ]);
  // Leader, the claim's author of the fixture, and three more.
  expect(json.members).toEqual({ all: 5, active7: 2, active28: 2 });
  expect(json.reviewMinutes).toEqual({ p50: 20, p90: 30, waiting: 1 });
  const [first, second] = json.tasks;
  expect(first).toMatchObject({ taskId: place.taskId, answers: 4, approved: 2, rejected: 1 });
  expect(second).toMatchObject({ title: 'Write', answers: 0 });
  const longer = (await ask('GET', '/analytics')).json;
  expect([longer.days.length, longer.reviewMinutes.p50]).toEqual([28, 20]);
  // What decided itself took no reviewer's time.
  await claim(cy!.userId, 1, 'approved', 0, null);
  expect((await ask('GET', '/analytics?days=7')).json.reviewMinutes).toEqual({ p50: 20, p90: 30, waiting: 1 });
  const quiet = await community(server, leader.userId);
  const other = await memberOf(server, quiet.id, 'moderator');
  await server.sql`delete from claims where community_id = ${quiet.id}`;
  const none = (await send(other, 'GET', `/api/communities/${quiet.id}/analytics?days=90`)).json;
  expect(none).toMatchObject({ reviewMinutes: { p50: null, p90: null, waiting: 0 } });
  expect(none.days).toHaveLength(90);
});

test('a review is as long as somebody waited for it: no grant, an appeal since it was made', async () => {
  const here = await community(server, leader.userId);
  await server.sql`delete from claims where community_id = ${here.id}`;
  const asker = await memberOf(server, here.id, 'moderator');
  const now = server.runtime.now();
  const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000);
  /** What happened to an answer, and how many minutes ago. */
  const claim = async (state: string, steps: Record<string, number>) => {
    const at = Object.values(steps).map((minutes) => ago(minutes).toISOString());
    await server.sql`
      with c as (
        insert into claims (community_id, task_id, user_id, period, state, points, acted_at, local_day, submitted_at, decided_at, decided_by)
        values (${here.id}, ${here.taskId}, ${asker.userId}, ${randomUUID()}, ${state}, 5, ${at[0]!}, ${now}, ${at[0]!}, ${at.at(-1)!},
          ${leader.userId}) returning *)
      insert into claim_events (community_id, claim_id, kind, to_state, at)
      select community_id, id, kind, state, at from c, unnest(${Object.keys(steps)}::text[], ${at}::text[]::timestamptz[]) as s (kind, at)`;
  };
  await claim('approved', { submitted: 100, approved: 80 });
  await claim('rejected', { submitted: 2_000, rejected: 1_960, appealed: 3 });
  await claim('approved', { submitted: 5_000, rejected: 4_990, appealed: 31, appeal_granted: 1 });
  await claim('reversed', { submitted: 9_000, approved: 8_950, reversed: 1 });
  for (let count = 0; count < 3; count += 1) await claim('approved', { given: count });
  await countQueued(server.runtime);
  const { json } = await send(asker, 'GET', `/api/communities/${here.id}/analytics?days=28`);
  expect([json.reviewMinutes.p50, json.reviewMinutes.p90]).toEqual([30, 50]);
});

test('points of many, or of many places, are summed beyond an integer', async () => {
  const member = await memberOf(server, place.id, 'member');
  for (const userId of [member.userId, (await memberOf(server, place.id, 'member')).userId]) await give(userId, 1e9);
  for (let count = 0; count < 2; count += 1) {
    const elsewhere = await community(server, leader.userId, { visibility: 'private' });
    await give(member.userId, 1e9, elsewhere.id);
  }
  await give((await memberOf(server, place.id, 'member')).userId, 1e9);
  const { json, status, text } = await ask('GET', '/analytics?days=7');
  expect([status, json?.days?.at(-1).points], text).toEqual([200, 3e9]);
  const profile = await send(member, 'GET', '/api/user/profile');
  expect([profile.status, profile.json?.points], profile.text).toEqual([200, 3e9]);
});

test('the audit log is read page by page, the latest first, and holds nothing of another community', async () => {
  await server.sql`
    insert into audit_entries (community_id, actor_id, action, subject)
    select ${place.id}, ${leader.userId}, 'test.done', n::text from generate_series(1, 120) n`;
  await server.sql`insert into audit_entries (community_id, action) values (null, 'test.done')`;
  const { items, pages } = await readAll(`/api/communities/${place.id}/audit?action=test.done`);
  expect(pages).toBe(Math.ceil(120 / AUDIT_PAGE));
  expect((items as unknown as { subject: string }[]).map(({ subject }) => Number(subject))).toEqual(
    Array.from({ length: 120 }, (_, index) => 120 - index),
  );
  for (const after of ['x', '-1', '9'.repeat(30), '1.5']) {
    expect((await ask('GET', `/audit?after=${after}`)).json.reason).toBe('INVALID_INPUT');
  }
});

describe('whatever text is sent', () => {
  const kept = (text: string) => text.trim().replaceAll('\r\n', '\n');
  /** Wherever leaders write: the field as it came back, or the reason of the refusal. */
  async function write(text: string): Promise<{ sent: string; back: string; isLine: boolean }[]> {
    const words = `Words: ${text}`;
    const back = (reply: Reply, field: (json: Reply['json']) => string): string => {
      expect(reply.status, reply.text).toBeLessThan(500);
      return reply.status < 300 ? field(reply.json) : reply.json.reason;
    };
    const line = words.slice(0, 50);
    const applicant = await server.person({ verified: false });
    const posted = await ask('POST', '/announcements', { title: 'Title', body: words });
    const titled = await ask('POST', '/announcements', { title: line, body: 'Body' });
    const named = await ask('PATCH', '', { name: line });
    const ruled = await ask('PATCH', '', { rules: words });
    const applied = await send(applicant, 'POST', '/api/user/leader-application', {
      about: `${words} and so on and on`,
      plan: 'A walk on every Saturday.',
    });
    const keyed = await ask('POST', '/api-keys', { name: line, scopes: ['read:board'] });
    const member = await memberOf(server, place.id, 'member');
    const removed = await ask('POST', `/members/${member.userId}/removal`, { reason: words });
    const [entry] = removed.status < 300 ? await audited('member.removed') : [];
    const rules = ruled.status < 300 ? (await ask('GET', '')).json.rules : ruled.json.reason;
    return [
      { isLine: false, sent: words, back: back(posted, (json) => json.body) },
      { isLine: true, sent: line, back: back(titled, (json) => json.title) },
      { isLine: true, sent: line, back: back(named, (json) => json.name) },
      { isLine: false, sent: words, back: rules },
      { isLine: false, sent: `${words} and so on and on`, back: back(applied, (json) => json.application.about) },
      { isLine: true, sent: line, back: back(keyed, (json) => json.name) },
      { isLine: false, sent: words, back: back(removed, () => entry?.reason ?? 'not written down') },
    ];
  }

  /** What makes more than a line of it, turns it around, or hides in it. */
  const NOT_IN_A_LINE = /[\r\n\t\u2066\u00ad\u200b\ufeff]|\p{M}{4}/u;
  test.each(NAUGHTY.map((text) => [JSON.stringify(text), text]))('%s is kept as it is', async (_, text) => {
    for (const { sent, back, isLine } of await write(text)) {
      if (isLine && NOT_IN_A_LINE.test(sent)) expect(back).toBe('INVALID_INPUT');
      else expect(back).toBe(kept(sent));
    }
    const csv = await ask('GET', '/exports/members?format=csv');
    expect(csv.status).toBe(200);
  });

  test.each(NOT_SHOWN.map((text) => [JSON.stringify(text), text]))('%s is refused', async (_, text) => {
    for (const { back } of await write(text)) expect(back).toMatch(/^(INVALID_INPUT|BAD_TEXT)$/);
  });
});
