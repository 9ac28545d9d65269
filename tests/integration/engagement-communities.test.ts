import { describe, expect, it } from 'vitest';
import type { DirectoryQuery } from '../../server/contract/communities.ts';
import { COMMUNITIES_CREATED_PER_DAY, DIRECTORY_PAGE, TASKS_PER_COMMUNITY } from '../../server/contract/limits.ts';
import { reservedNames } from '../../server/contract/pages.ts';
import { setBoardState } from '../../server/features/boards/state.ts';
import { decideClaim } from '../../server/features/claims/decision.ts';
import { appeal, resubmit } from '../../server/features/claims/mine.ts';
import { reverseClaim } from '../../server/features/claims/reversal.ts';
import { changeCommunity } from '../../server/features/communities/change.ts';
import { createCommunity } from '../../server/features/communities/create.ts';
import { listCommunities } from '../../server/features/communities/directory.ts';
import { changeRole, joinCommunity, leaveCommunity } from '../../server/features/communities/membership.ts';
import { readAdmin } from '../../server/features/community-pages/admin.ts';
import { readDashboard } from '../../server/features/community-pages/dashboard.ts';
import { readDetail } from '../../server/features/community-pages/detail.ts';
import { readMyCommunities } from '../../server/features/profile/profile.ts';
import { changeTask, createTask } from '../../server/features/tasks/tasks.ts';
import { createTestDatabase } from '../support/database.ts';
import { refusal, type StagedCommunity, stage } from '../support/engagement.ts';
import { untilLockWaits } from '../support/lock-waits.ts';
import { ofFile } from '../support/of-file.ts';

const db = await ofFile(createTestDatabase());
const on = stage(db.sql);

const NOON = new Date('2026-11-21T12:00:00Z');
const DAY = 86_400_000;

describe('starting a community', () => {
  const start = (userId: string, slug: string, now = NOON, more: object = {}) =>
    db.sql.begin((sql) =>
      createCommunity(
        sql,
        { userId, now, config: { productSlug: 'muster', newCommunitiesCount: false } },
        { name: `Called ${slug}`, slug, description: '', ...more },
      ),
    );

  it.each([
    ['ridge-va11ey-walkers', 'Another name', 'SLUG_TAKEN'],
    ['another-address', 'Ridge V\u0430lley Walkers', 'NAME_TAKEN'],
    ['a-third-address', 'RIDGE VALLEY WALKERS', 'NAME_TAKEN'],
  ])('takes no %s called %s beside one that looks like it', async (slug, name, reason) => {
    const [first, second] = [await on.person(), await on.person()];
    await start(first, 'ridge-valley-walkers', NOON, { name: 'Ridge Valley Walkers' }).catch(() => undefined);
    expect(await refusal(start(second, slug, NOON, { name }))).toMatchObject({ status: 409, reason });
    const made = await start(second, `${slug}-two`, NOON, { name: `${name} two`.replace('\u0430', 'e') });
    const asked = { communityId: made.id, userId: second, now: NOON };
    const rename = (to: string) => db.sql.begin((tx) => changeCommunity(tx, asked, { name: to }));
    expect(await refusal(rename('Ridge Valley Walkers'))).toMatchObject({ status: 409, reason: 'NAME_TAKEN' });
    expect(await rename(`${name} TWO`.replace('\u0430', 'e'))).toMatchObject({ id: made.id });
    expect(await rename(`Renamed ${slug}`)).toMatchObject({ name: `Renamed ${slug}` });
    expect(
      await start(await on.person(), `${slug}-three`, NOON, { name: `${name} two`.replace('\u0430', 'e') }),
    ).toMatchObject({ slug: `${slug}-three` });
  });

  it('makes its founder the leader', async () => {
    const founder = await on.person();
    const made = await start(founder, 'Ridge-Walkers', NOON, { tags: ['Walking', 'walking'], languages: ['en', 'en'] });
    expect(made).toMatchObject({
      slug: 'ridge-walkers',
      role: 'leader',
      members: 1,
      openTasks: 0,
      visibility: 'public',
      tags: ['walking'],
      languages: ['en'],
    });
  });

  it('refuses an address that is taken, reserved or malformed, each by its own name', async () => {
    const [first, second] = [await on.person(), await on.person()];
    await start(first, 'valley');
    expect(await refusal(start(second, 'VALLEY'))).toMatchObject({ status: 409, reason: 'SLUG_TAKEN' });
    expect(await refusal(start(second, 'Admin'))).toMatchObject({ status: 409, reason: 'SLUG_RESERVED' });
    expect(await refusal(start(second, '12345'))).toMatchObject({ status: 422, reason: 'SLUG_INVALID' });
    for (const word of reservedNames('muster')) expect((await refusal(start(second, word))).reason).toMatch(/^SLUG_/);
  });

  it('gives an address to one of two who ask at the same moment', async () => {
    const people = await Promise.all(Array.from({ length: 6 }, () => on.person()));
    const results = await Promise.allSettled(people.map((person) => start(person, 'sought-after')));
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
    for (const result of results) {
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ reason: 'SLUG_TAKEN' });
    }
  });

  it('is possible three times in 24 hours, also for who asks ten times at once', async () => {
    const founder = await on.person();
    const asks = Array.from({ length: 10 }, (_, index) => start(founder, `busy-founder-${index}`));
    const results = await Promise.allSettled(asks);
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(COMMUNITIES_CREATED_PER_DAY);
    const soon = new Date(NOON.getTime() + DAY - 60_000);
    expect(await refusal(start(founder, 'one-more', soon))).toMatchObject({
      status: 429,
      reason: 'COMMUNITY_LIMIT',
      retryAfterSeconds: 60,
    });
    await start(founder, 'one-more', new Date(NOON.getTime() + DAY));
  });

  it('takes no name that would rearrange the line it stands in', async () => {
    const founder = await on.person();
    const asked = start(founder, 'turned-around', NOON, { name: 'abc\u202edef' });
    expect(await refusal(asked)).toMatchObject({ status: 400, reason: 'INVALID_INPUT' });
  });
});

describe('the directory', () => {
  it('shows private communities to nobody but their members', async () => {
    const [open, closed] = [await on.community(), await on.community('private')];
    const member = await on.member(closed.id);
    const ids = async (userId: string | null) => (await listCommunities(db.sql, userId)).map((row) => row.id);
    expect(await ids(null)).toContain(open.id);
    expect(await ids(null)).not.toContain(closed.id);
    expect(await ids(await on.person())).not.toContain(closed.id);
    expect(await ids(member)).toContain(closed.id);
    await db.sql`update communities set status = 'suspended' where id = ${open.id}`;
    expect(await ids(open.leader)).not.toContain(open.id);
  });

  it('finds by words, tag, language and size who is too small for the list, and never what is private', async () => {
    const crowd = await on.person();
    await db.sql`
      insert into communities (slug, name, created_by, created_at)
      select 'crowd-' || n, 'Crowd ' || n, ${crowd}, ${NOON} from generate_series(1, ${DIRECTORY_PAGE}) n`;
    await db.sql`
      insert into community_members (community_id, user_id, role)
      select c.id, u.id, 'member' from communities c, (select id from users limit 4) u where c.slug like 'crowd-%'`;
    const [small, hidden] = [await on.community(), await on.community('private')];
    await db.sql`
      update communities set name = 'Café São_Farne', description = '100% ferns', tags = '{botany}', languages = '{pt}'
      where id in (${small.id}, ${hidden.id})`;
    const found = async (sought: DirectoryQuery, userId: string | null = null) =>
      (await listCommunities(db.sql, userId, sought)).map((row) => row.id);
    expect(await found({})).toHaveLength(DIRECTORY_PAGE);
    expect(await found({})).not.toContain(small.id);
    for (const sought of [
      { search: 'farne' },
      { search: '  CAFE   sao ' },
      { search: 'cafe\u0301 botany' },
      { search: '100%' },
      { search: 'o_f' },
      { search: small.slug },
      { tag: 'botany' },
      { language: 'pt' },
      { search: 'ferns', tag: 'botany', language: 'pt', below: '3' },
    ])
      expect([sought, await found(sought)]).toEqual([sought, [small.id]]);
    for (const sought of [
      { search: 'farne nowhere' },
      { search: 'f_rne' },
      { search: '1%s' },
      { tag: 'bot' },
      { language: 'p' },
      { search: 'farne', below: '2' },
    ])
      expect([sought, await found(sought)]).toEqual([sought, []]);
    expect(await found({ search: 'farne' }, hidden.leader)).toEqual(expect.arrayContaining([small.id, hidden.id]));
    expect(await found({ below: '3' })).toContain(small.id);
    await db.sql`delete from communities where slug like 'crowd-%'`;
  });

  it('counts members and open tasks, and says what I am there', async () => {
    const place = await on.community();
    await on.task(place);
    const archived = await on.task(place);
    await db.sql`update tasks set status = 'archived' where id = ${archived}`;
    const over = await on.task(place);
    await db.sql`update tasks set closes_at = '2001-01-01Z' where id = ${over}`;
    const mine = (await listCommunities(db.sql, place.moderator)).find((row) => row.id === place.id);
    expect(mine).toMatchObject({ members: 2, openTasks: 1, role: 'moderator' });
    expect(Object.keys(mine ?? {})).not.toContain('created_at');
  });

  it('tells a stranger no tasks and no board of a private community', async () => {
    const place = await on.community('private');
    const member = await on.member(place.id);
    await on.claim(place, await on.task(place), member);
    const detail = (userId: string | null, role: 'member' | null) =>
      db.sql.begin((sql) => readDetail(sql, { communityId: place.id, userId, role, now: NOON }));
    expect(await detail(null, null)).toMatchObject({ sampleTasks: [], top: [] });
    const over = await on.task(place);
    await db.sql`update tasks set closes_at = ${NOON} where id = ${over}`;
    const seen = await detail(member, 'member');
    expect(seen.sampleTasks).toHaveLength(1);
    expect(seen.top).toMatchObject([{ userId: member, points: 5, me: true }]);
  });
});

describe('coming and going', () => {
  const join = (communityId: string, userId: string) =>
    db.sql.begin((sql) => joinCommunity(sql, { communityId, userId, now: NOON }));
  const leave = (communityId: string, userId: string) =>
    db.sql.begin((sql) => leaveCommunity(sql, { communityId, userId, now: new Date() }));

  it('joins once, and changes nobody’s role', async () => {
    const place = await on.community();
    const person = await on.person();
    expect(await join(place.id, person)).toMatchObject({ role: 'member', members: 3 });
    expect(await join(place.id, person)).toMatchObject({ role: 'member', members: 3 });
    expect(await join(place.id, place.leader)).toMatchObject({ role: 'leader' });
  });

  it('cannot join what is private or suspended', async () => {
    const [closed, suspended] = [await on.community('private'), await on.community()];
    await db.sql`update communities set status = 'suspended' where id = ${suspended.id}`;
    const person = await on.person();
    expect(await refusal(join(closed.id, person))).toMatchObject({ status: 404 });
    expect(await refusal(join(suspended.id, person))).toMatchObject({ status: 404 });
  });

  it('never leaves a community without a leader, even when both go at once', async () => {
    const place = await on.community();
    expect(await refusal(leave(place.id, place.leader))).toMatchObject({ status: 409, reason: 'LAST_LEADER' });
    const second = await on.person();
    await on.join(place.id, second, 'leader');
    const results = await Promise.allSettled([leave(place.id, place.leader), leave(place.id, second)]);
    expect(results.map((result) => result.status).sort()).toEqual(['fulfilled', 'rejected']);
    const [left] = await db.sql`
      select count(*)::int from community_members where community_id = ${place.id} and role = 'leader'`;
    expect(left).toEqual({ count: 1 });
  });

  it('never leaves a community to leaders who are suspended', async () => {
    const place = await on.community();
    const other = await on.person();
    await on.join(place.id, other, 'leader');
    await db.sql`update users set suspended_at = now() where id = ${other}`;
    expect(await refusal(leave(place.id, place.leader))).toMatchObject({ status: 409, reason: 'LAST_LEADER' });
    await db.sql`update users set suspended_at = null where id = ${other}`;
    expect(await leave(place.id, place.leader)).toMatchObject({ role: null });
  });

  it('lets a leader go who has just handed over, also at the same moment', async () => {
    const place = await on.community();
    const heir = await on.member(place.id);
    const over = { communityId: place.id, userId: heir, leaderId: place.leader, now: NOON };
    let left: Promise<unknown> = Promise.resolve();
    await db.sql.begin(async (tx) => {
      await changeRole(tx, over, 'leader');
      left = leave(place.id, place.leader).catch((error: unknown) => error);
      await untilLockWaits(db.sql, 1);
    });
    expect(await left).toMatchObject({ role: null });
    expect(await refusal(leave(place.id, heir))).toMatchObject({ reason: 'LAST_LEADER' });
  });

  it('keeps the ledger of who left', async () => {
    const place = await on.community();
    const member = await on.member(place.id);
    await on.claim(place, await on.task(place), member);
    await leave(place.id, member);
    expect(await db.sql`select points from point_events where user_id = ${member}`).toHaveLength(1);
  });
});

describe('tasks', () => {
  const NEW = {
    setup: { kind: 'check_in' },
    title: 'Say hello',
    instructions: '',
    points: 5,
    recurrence: 'daily',
  } as const;
  const create = (place: StagedCommunity) =>
    db.sql.begin((sql) => createTask(sql, { communityId: place.id, userId: place.leader, now: NOON }, NEW));

  it('are added, reworded, archived and brought back', async () => {
    const place = await on.community();
    const task = await create(place);
    const { setup, ...words } = NEW;
    expect(task).toMatchObject({ ...setup, ...words, status: 'live' });
    const change = (asked: object) =>
      db.sql.begin((sql) =>
        changeTask(sql, { communityId: place.id, userId: place.leader, taskId: task.id, now: NOON }, asked),
      );
    expect(await change({ title: 'Say hi' })).toEqual({ ...task, title: 'Say hi' });
    expect(await change({ status: 'archived' })).toMatchObject({ title: 'Say hi', status: 'archived' });
    expect(await change({ status: 'live' })).toMatchObject({ status: 'live' });
    expect(await change({})).toEqual({ ...task, title: 'Say hi' });
  });

  it('end at the limit, also when two are added at once, and archived ones make room', async () => {
    const place = await on.community();
    await db.sql`
      insert into tasks (community_id, kind, title, points, recurrence, created_by)
      select ${place.id}, 'check_in', 'Task ' || n, 1, 'once', ${place.leader} from generate_series(2, ${TASKS_PER_COMMUNITY}) n`;
    const results = await Promise.allSettled([create(place), create(place)]);
    expect(results.map((result) => result.status).sort()).toEqual(['fulfilled', 'rejected']);
    const [one] = await db.sql<{ id: string }[]>`select id from tasks where community_id = ${place.id} limit 1`;
    const change = (status: 'live' | 'archived') =>
      db.sql.begin((sql) =>
        changeTask(sql, { communityId: place.id, userId: place.leader, taskId: one!.id, now: NOON }, { status }),
      );
    await change('live');
    await change('archived');
    await create(place);
    expect(await refusal(change('live'))).toMatchObject({ status: 409, reason: 'TASK_LIMIT' });
  });
});

describe('the dashboard', () => {
  const look = (place: StagedCommunity, userId: string, now = NOON, timeZone = 'UTC') =>
    db.sql.begin((sql) => readDashboard(sql, { communityId: place.id, userId, timeZone, now }));

  it('puts first what needs me: turned down, open, waiting, done; archived tasks are gone', async () => {
    const place = await on.community();
    const member = await on.member(place.id);
    const done = await on.task(place, { points: 15 });
    const waiting = await on.task(place, { kind: 'submit_text', points: 35 });
    const open = await on.task(place, { recurrence: 'weekly' });
    const rejected = await on.task(place, { kind: 'submit_text' });
    const archived = await on.task(place);
    await db.sql`update tasks set status = 'archived' where id = ${archived}`;
    await on.claim(place, done, member, { now: NOON });
    await on.claim(place, waiting, member, { text: 'one', now: NOON });
    await on.reject(place, (await on.claim(place, rejected, member, { text: 'two', now: NOON })).id);
    const dashboard = await look(place, member);
    expect(dashboard.tasks.map((task) => [task.id, task.claim?.state ?? null])).toEqual([
      [rejected, 'rejected'],
      [open, null],
      [waiting, 'submitted'],
      [done, 'approved'],
    ]);
    expect(dashboard.tasks[0]?.claim).toMatchObject({
      reason: 'Not this time',
      evidence: { text: 'two' },
      submittedAt: NOON.toISOString(),
    });
    expect(dashboard.tasks[0]?.claim?.decidedBy).toMatch(/^Person/);
    expect(dashboard).toMatchObject({
      points: 15,
      rank: 1,
      ranked: 1,
      pendingPoints: 35,
      streakDays: 1,
      countedToday: true,
      asOf: NOON.toISOString(),
      community: { id: place.id, role: 'member' },
    });
    expect(dashboard.reviewers).toHaveLength(2);
    expect(dashboard.around.map((row) => row.userId)).toEqual([member]);
  });

  it('shows the newest try, and opens a daily task again the next morning of the member', async () => {
    const place = await on.community();
    const member = await on.member(place.id);
    const daily = await on.task(place, { recurrence: 'daily' });
    const text = await on.task(place, { kind: 'submit_text' });
    await on.reject(place, (await on.claim(place, text, member, { text: 'first', now: NOON })).id);
    await on.claim(place, text, member, { text: 'second', now: new Date(NOON.getTime() + 60_000) });
    const timeZone = 'Pacific/Auckland';
    await on.claim(place, daily, member, { timeZone, now: new Date('2026-11-21T10:00:00Z') });
    const claims = async (iso: string) => {
      const { tasks } = await look(place, member, new Date(iso), timeZone);
      return Object.fromEntries(
        tasks.map((task) => [
          task.id,
          (task.claim?.evidence?.kind === 'submit_text' ? task.claim.evidence.text : null) ?? task.claim?.state ?? null,
        ]),
      );
    };
    expect(await claims('2026-11-21T10:59:00Z')).toEqual({ [daily]: 'approved', [text]: 'second' });
    expect(await claims('2026-11-21T11:00:00Z')).toEqual({ [daily]: null, [text]: 'second' });
  });

  it('is an honest start for somebody new, and for a leader who does not compete', async () => {
    const place = await on.community();
    const newcomer = await look(place, await on.member(place.id));
    expect(newcomer).toMatchObject({
      points: 0,
      rank: null,
      streakDays: 0,
      countedToday: false,
      tasks: [],
      around: [],
    });
    expect(await look(place, place.leader)).toMatchObject({ rank: null, community: { role: 'leader' } });
  });

  it('counts a streak over days, whatever the server’s calendar says, until a day is missing that nothing saves', async () => {
    const place = await on.community();
    const member = await on.member(place.id);
    const daily = await on.task(place, { recurrence: 'daily' });
    const timeZone = 'America/Los_Angeles';
    const claim = (iso: string) => on.claim(place, daily, member, { timeZone, now: new Date(iso) });
    // In Los Angeles: the 14th, 15th late in the evening, (the 16th is repaired,) 17th, 18th, and the 19th in the small hours
    for (const iso of [
      '2026-11-14T20:00:00Z',
      '2026-11-16T07:59:00Z',
      '2026-11-17T20:00:00Z',
      '2026-11-18T20:00:00Z',
      '2026-11-19T08:01:00Z',
    ]) {
      await claim(iso);
    }
    const streak = async (iso: string) => {
      const now = new Date(iso);
      const { streakDays, countedToday, timeZone: zone } = await look(place, member, now, timeZone);
      expect(zone).toBe(timeZone);
      const mine = await readMyCommunities(db.sql, { userId: member, timeZone }, now);
      expect(mine.find(({ id }) => id === place.id)).toMatchObject({ streakDays, countedToday });
      return { streakDays, countedToday };
    };
    expect(await streak('2026-11-20T07:59:00Z')).toEqual({ streakDays: 5, countedToday: true });
    expect(await streak('2026-11-21T07:59:00Z')).toEqual({ streakDays: 5, countedToday: false });
    expect(await streak('2026-11-21T08:00:00Z')).toEqual({ streakDays: 0, countedToday: false });
  });
});

describe('the leaders’ room', () => {
  it('lists what waits for me, the longest first, with what is known of its author, and never my own', async () => {
    const place = await on.community();
    const [member, other] = [await on.member(place.id, 'Mira'), await on.member(place.id)];
    const [first, second] = [
      await on.task(place, { kind: 'submit_text', points: 35 }),
      await on.task(place, { kind: 'submit_text' }),
    ];
    const minutes = (n: number) => new Date(NOON.getTime() + n * 60_000);
    await on.reject(place, (await on.claim(place, second, member, { text: 'no', now: minutes(0) })).id);
    const late = await on.claim(place, second, other, { text: 'late', now: minutes(9) });
    const early = await on.claim(place, first, member, { text: 'early', now: minutes(5) });
    await on.claim(place, first, place.moderator, { text: 'mine', now: minutes(1) });
    const room = await db.sql.begin((sql) => readAdmin(sql, place.id, place.moderator, NOON));
    expect(room.queue.map((item) => item.claim.id)).toEqual([early.id, late.id]);
    expect(room.waiting).toBe(2);
    expect(room.queue[0]).toMatchObject({
      claim: { evidence: { text: 'early' }, points: 35 },
      task: { id: first, kind: 'submit_text', points: 35, status: 'live' },
      member: { id: member, displayName: 'Mira', approved: 0, rejected: 1 },
    });
    expect(room.people.slice(0, 2).map((person) => person.role)).toEqual(['leader', 'moderator']);
    expect(new Set(room.tasks.map((task) => task.id))).toEqual(new Set([first, second]));
    expect((await db.sql.begin((sql) => readAdmin(sql, place.id, place.leader, NOON))).waiting).toBe(3);
  });
});

describe('my communities', () => {
  it('say what is to do for me in each, by my calendar', async () => {
    const [place, led] = [await on.community(), await on.community()];
    const member = await on.member(place.id);
    await on.join(led.id, member, 'leader');
    const [daily, text] = [
      await on.task(place, { recurrence: 'daily' }),
      await on.task(place, { kind: 'submit_text' }),
    ];
    await on.claim(place, daily, member, { now: NOON });
    await on.claim(place, text, member, { text: 'mine', now: NOON });
    const theirs = await on.task(led, { kind: 'submit_text' });
    await on.claim(led, theirs, await on.member(led.id), { text: 'theirs', now: NOON });
    const mine = async (now: Date) =>
      new Map((await readMyCommunities(db.sql, { userId: member, timeZone: 'UTC' }, now)).map((row) => [row.id, row]));
    const today = await mine(NOON);
    expect(today.get(place.id)).toMatchObject({ role: 'member', points: 5, rank: 1, todo: 0, waiting: 1, toReview: 0 });
    expect(today.get(led.id)).toMatchObject({
      role: 'leader',
      points: 0,
      rank: null,
      todo: 0,
      waiting: 0,
      toReview: 1,
    });
    expect((await mine(new Date(NOON.getTime() + DAY))).get(place.id)).toMatchObject({ todo: 1 });
  });

  it('count appeals that I may hear, and no task that was done and taken back', async () => {
    const place = await on.community();
    const member = await on.member(place.id);
    const mine = async (userId: string) =>
      (await readMyCommunities(db.sql, { userId, timeZone: 'UTC' }, NOON)).find(({ id }) => id === place.id);
    const done = await on.claim(place, await on.task(place), member, { now: NOON });
    const takenBack = { communityId: place.id, claimId: done.id, leaderId: place.leader, now: NOON };
    await db.sql.begin((tx) => reverseClaim(tx, takenBack, { reason: 'A copy' }));
    expect(await mine(member)).toMatchObject({ todo: 0 });
    const text = await on.task(place, { kind: 'submit_text' });
    const { id } = await on.claim(place, text, member, { text: 'mine', now: NOON });
    await on.reject(place, id, place.moderator, NOON);
    const asked = { communityId: place.id, claimId: id, userId: member, now: NOON };
    await db.sql.begin((tx) => appeal(tx, asked, { text: 'It was there, look again.' }));
    expect(await mine(place.leader)).toMatchObject({ toReview: 1 });
    expect(await mine(place.moderator)).toMatchObject({ toReview: 0 });
  });

  it('count as to do what Today offers: no shut task, what was sent back, nothing that somebody else must answer', async () => {
    const [place, other] = [await on.community(), await on.community()];
    const member = await on.member(place.id);
    await on.join(other.id, member);
    const todo = async (now = NOON) => {
      const rows = await readMyCommunities(db.sql, { userId: member, timeZone: 'UTC' }, now);
      return [place.id, other.id].map((id) => rows.find((row) => row.id === id)?.todo);
    };
    const first = await on.task(place, { kind: 'submit_text' });
    await on.task(place, { conditions: { match: 'all', of: [{ is: 'task', taskId: first }] } });
    await on.task(other, { conditions: { match: 'all', of: [{ is: 'points', atLeast: 5 }] } });
    await on.task(place, { schedule: { window: { days: [6], from: '13:00', until: '14:00' } } });
    await on.task(place, { kind: 'manual' });
    await on.task(place, { schedule: { opensAt: new Date(NOON.getTime() + DAY).toISOString() } });
    await on.task(place, { schedule: { closesAt: NOON.toISOString() } });
    const event = { place: 'The hut', startsAt: '2026-11-20T10:00:00Z', endsAt: '2026-11-20T12:00:00Z' };
    await on.task(place, { setup: { kind: 'telegram_event', ...event } });
    const full = await on.task(place, { caps: { total: 1 } });
    await on.claim(place, full, await on.member(place.id), { now: NOON });
    expect(await todo()).toEqual([1, 0]);
    // An hour later the window is open.
    expect(await todo(new Date(NOON.getTime() + 3_600_000))).toEqual([2, 0]);

    const { id } = await on.claim(place, first, member, { text: 'mine', now: NOON });
    expect(await todo()).toEqual([0, 0]);
    const ask = { communityId: place.id, claimId: id, reviewerId: place.moderator, now: NOON };
    await db.sql.begin((tx) => decideClaim(tx, ask, { decision: 'request_changes', reason: 'Say where' }));
    expect(await todo()).toEqual([1, 0]);
    const asked = { communityId: place.id, claimId: id, userId: member, now: NOON };
    const text = { kind: 'submit_text', text: 'mine, at the hut' } as const;
    await db.sql.begin((tx) => resubmit(tx, asked, { evidence: text }));
    expect(await todo()).toEqual([0, 0]);
    await on.reject(place, id, place.moderator, NOON);
    expect(await todo()).toEqual([1, 0]);
    await db.sql.begin((tx) => appeal(tx, asked, { text: 'It was there, look again.' }));
    expect(await todo()).toEqual([0, 0]);
    await on.approve(place, id, place.leader, NOON);
    // What waited for the first task is open; the other community's points are its own.
    expect(await todo()).toEqual([1, 0]);
  });

  it('show the rank of a frozen board as it stands there, and none of a hidden one', async () => {
    const place = await on.community();
    const [first, second] = [await on.member(place.id), await on.member(place.id)];
    const rank = async (userId: string) =>
      (await readMyCommunities(db.sql, { userId, timeZone: 'UTC' }, NOON)).find(({ id }) => id === place.id)?.rank;
    const set = (state: 'frozen' | 'hidden') =>
      db.sql.begin((tx) => setBoardState(tx, { communityId: place.id, userId: place.leader, state, now: NOON }));
    await on.claim(place, await on.task(place, { points: 7 }), first, { now: NOON });
    await set('frozen');
    await on.claim(place, await on.task(place, { points: 50 }), second, { now: NOON });
    expect([await rank(first), await rank(second)]).toEqual([1, null]);
    await set('hidden');
    expect([await rank(first), await rank(second)]).toEqual([null, null]);
  });
});
