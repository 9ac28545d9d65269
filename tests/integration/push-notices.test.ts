import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { localDay } from '../../server/domain/periods.ts';
import { countQueued } from '../../server/features/analytics/counts.ts';
import { fanOut } from '../../server/features/notifications/fan-out.ts';
import { remindStreaks } from '../../server/features/notifications/streaks.ts';
import { closeSeasons } from '../../server/features/seasons/close.ts';
import { dayAt } from '../../server/rules/periods.ts';
import { settle, subscribe } from '../support/push-endpoint.ts';
import { openPushStage, type Someone } from '../support/push-stage.ts';
import { community, join, type Role } from '../support/world.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const { service, server, subscriber: made } = await openPushStage();
afterEach(() => {
  service.arrived.length = 0;
});

const now = () => server.runtime.now();
const inMs = (ms: number) => new Date(now().getTime() + ms).toISOString();
const send = () => fanOut(server.runtime, new AbortController().signal);
/** Moves the clock on to the next time that it shows so many minutes of a day in UTC. */
const until = (minute: number) => server.advance((((minute * MINUTE - now().getTime()) % DAY) + DAY) % DAY);

async function subscriber(timeZone = 'UTC'): Promise<Someone> {
  const someone = await made();
  await server.sql`update users set time_zone = ${timeZone} where id = ${someone.userId}`;
  return someone;
}
const command = async (who: Someone, method: string, path: string, body?: unknown) => {
  const reply = await server.command(method, path, { cookie: who.cookie, body });
  expect(reply.status, reply.text).toBeLessThan(300);
  return reply.json;
};
const kinds = ({ browser }: Someone) => browser.got().map(({ notification }) => notification.data.kind);
const want = (who: Someone, topic: string, channel: string, communityId: string | null = null) =>
  settle(server, who.cookie, { choices: [{ communityId, topic, channel }] });
/** From an hour ago until in two hours, on clocks of UTC. */
const quietNow = () => ({ from: inMs(-HOUR).slice(11, 16), to: inMs(2 * HOUR).slice(11, 16) });

/** What a push service was handed for somebody holds nothing of what is said, and what is said is read by them alone. */
async function holdsOnlyAKind(who: Someone, kind: string, words: RegExp): Promise<void> {
  const [payload] = who.browser.got();
  expect(payload?.notification.data).toEqual({ id: expect.any(String), kind, path: expect.stringMatching(/^\//) });
  expect(JSON.stringify(payload)).not.toMatch(words);
  const path = `/api/pwa/notifications/${payload?.notification.data.id}`;
  const { json } = await server.request('GET', path, { cookie: who.cookie });
  expect(`${json.title} ${json.body}`).toMatch(words);
  expect((await server.request('GET', path)).status).toBe(401);
}

async function place(): Promise<{ id: string; path: string; leader: Someone; member: Someone; stranger: Someone }> {
  const [leader, member, stranger] = [await subscriber(), await subscriber(), await subscriber()];
  const { id } = await community(server, leader.userId);
  for (const [{ userId }, role] of [
    [leader, 'leader'],
    [member, 'member'],
  ] as [Someone, Role][])
    await join(server.sql, id, userId, role);
  await server.sql`update communities set name = 'Heron Watch' where id = ${id}`;
  return { id, path: `/api/communities/${id}`, leader, member, stranger };
}

describe('a streak that is about to break', () => {
  beforeEach(() => until(18 * 60 + 30));
  let founder: string;
  let home: { id: string; taskId: string };
  beforeAll(async () => {
    founder = (await server.person()).userId;
    home = await community(server, founder);
  });

  /** Acts so many days ago on the member's own calendar. */
  async function acted({ userId }: Someone, ago: number, state = 'approved'): Promise<void> {
    const [row] = await server.sql<[{ zone: string }]>`select time_zone as zone from users where id = ${userId}`;
    const day = dayAt(localDay(now(), row.zone), -ago);
    await server.sql`
      insert into claims (community_id, task_id, user_id, period, state, points, acted_at, local_day)
      values (${home.id}, ${home.taskId}, ${userId}, ${day}, ${state}, 5, ${now()}, ${day})`;
  }
  async function walker(days: number[], timeZone?: string): Promise<Someone> {
    const one = await subscriber(timeZone);
    for (const day of days) await acted(one, day);
    return one;
  }
  const remind = async () => {
    await countQueued(server.runtime);
    await remindStreaks(server.runtime);
    await send();
  };

  test('is spoken of in the evening, once, to who has not acted today, in words of no one', async () => {
    const one = await walker([1]);
    for (let run = 0; run < 3; run += 1) {
      await remind();
      server.advance(10 * MINUTE);
    }
    expect(kinds(one)).toEqual(['streak']);
    await holdsOnlyAKind(one, 'streak', /One task/);
    until(18 * 60 + 30);
    await acted(one, 1);
    await remind();
    expect(kinds(one)).toEqual(['streak', 'streak']);
  });

  test('ends, or is held by a freeze or the repair: each is told what is so', async () => {
    // The repair went for the day before yesterday; the next is a week away, and there is no freeze.
    const [ends, held, mended] = [await walker([1, 3]), await walker([1, 2]), await walker([2, 3])];
    await remind();
    const said = async ({ cookie, browser }: Someone) => {
      const id = browser.got()[0]?.notification.data.id;
      return (await server.request('GET', `/api/pwa/notifications/${id}`, { cookie })).json.title;
    };
    expect(await said(ends)).toBe('Your streak ends today');
    expect(await said(held)).toBe('Keep your streak today');
    // Yesterday was mended: the streak is alive, and today is the last day on which it is.
    expect(await said(mended)).toBe('Your streak ends today');
  });

  test('nothing comes to who acted today, whose act waits, whose streak is over, whose evening it is not', async () => {
    const [done, waits, over, broken, east] = [
      await walker([0, 1]),
      await walker([1]),
      await walker([9]),
      await walker([4]),
      await walker([1], 'Asia/Tokyo'),
    ];
    await acted(waits, 0, 'submitted');
    const gone = await walker([1]);
    await server.sql`update users set suspended_at = now() where id = ${gone.userId}`;
    // Known to neither clock nor database: it stands in nobody's way.
    const nowhere = await walker([1], 'Nowhere/Land');
    await remind();
    for (const who of [done, waits, over, broken, east, gone]) expect(kinds(who)).toEqual([]);
    expect(kinds(nowhere)).toEqual(['streak']);
    server.advance(15 * HOUR);
    await remind();
    expect(kinds(east)).toEqual(['streak']);
  });

  test('comes in the same evening once what waited is turned down, and by the clocks of where its member went', async () => {
    const [waits, moved] = [await walker([1]), await walker([1])];
    await acted(waits, 0, 'submitted');
    await command(moved, 'PATCH', '/api/user/profile', { timeZone: 'Asia/Tokyo' });
    await remind();
    expect(kinds(waits)).toEqual([]);
    await server.sql`update claims set state = 'rejected' where user_id = ${waits.userId} and state = 'submitted'`;
    server.advance(10 * MINUTE);
    await remind();
    expect(kinds(waits)).toEqual(['streak']);
    // Still by the old clocks until midnight; then nine hours before them.
    expect(kinds(moved)).toEqual(['streak']);
    await acted(moved, 1);
    server.advance(15 * HOUR);
    await remind();
    expect(kinds(moved)).toEqual(['streak', 'streak']);
  });

  test('nor to who wants none, or had enough today; one that is put off into tomorrow is not said at all', async () => {
    const [none, full, quiet, early] = [await walker([1]), await walker([1]), await walker([1]), await walker([1])];
    await want(none, 'streak', 'none');
    await settle(server, full.cookie, { dailyCap: 1 });
    await server.sql`
      insert into notification_days (user_id, day, count, most) values (${full.userId}, ${localDay(now(), 'UTC')}, 1, 1)`;
    await settle(server, quiet.cookie, { quiet: { from: '18:00', to: '07:00' } });
    await settle(server, early.cookie, { quiet: { from: '18:00', to: '20:00' } });
    await remind();
    server.advance(90 * MINUTE);
    await send();
    expect(kinds(early)).toEqual(['streak']);
    server.advance(16 * HOUR);
    await send();
    for (const who of [none, full, quiet]) expect(kinds(who)).toEqual([]);
  });

  test('is kept by a push service until the day ends, and no longer', async () => {
    const one = await walker([1]);
    await remind();
    const [message] = service.arrived.filter(({ token }) => token === one.browser.token);
    const left = Date.parse(`${localDay(now(), 'UTC')}T24:00:00Z`) - now().getTime();
    expect(Number(message?.headers['ttl'])).toBeLessThanOrEqual(left / 1_000 + 1);
    expect(Number(message?.headers['ttl'])).toBeGreaterThan(left / 1_000 - 60);
  });
});

describe('a new task', () => {
  const task = (change: object = {}) => ({
    setup: { kind: 'check_in' },
    title: 'Count the herons',
    instructions: '',
    points: 5,
    recurrence: 'daily',
    ...change,
  });
  const opening = (opensAt: string | null) => ({ schedule: { opensAt, closesAt: null, window: null } });

  test('is told to the community, not to who made it nor to strangers, and its words are no part of it', async () => {
    const { path, leader, member, stranger } = await place();
    await command(leader, 'POST', `${path}/tasks`, task());
    await send();
    await send();
    expect([member, leader, stranger].map(kinds)).toEqual([['task'], [], []]);
    await holdsOnlyAKind(member, 'task', /Heron|heron/);
  });

  test('is not told of as a draft, and once when it is published', async () => {
    const { path, leader, member } = await place();
    const { id } = await command(leader, 'POST', `${path}/tasks`, task({ status: 'draft' }));
    await send();
    expect(kinds(member)).toEqual([]);
    await command(leader, 'PATCH', `${path}/tasks/${id}`, { status: 'live' });
    await command(leader, 'PATCH', `${path}/tasks/${id}`, { title: 'Count all herons' });
    await send();
    expect(kinds(member)).toEqual(['task']);
  });

  test('one after another are told of once, those that open at another time on their own', async () => {
    const { path, leader, member } = await place();
    await command(leader, 'POST', `${path}/tasks`, task(opening(inMs(3 * HOUR))));
    for (let count = 0; count < 3; count += 1) await command(leader, 'POST', `${path}/tasks`, task());
    await send();
    expect(kinds(member)).toEqual(['task']);
    server.advance(3 * HOUR - MINUTE);
    await send();
    expect(kinds(member)).toEqual(['task']);
    server.advance(2 * MINUTE);
    await send();
    expect(kinds(member)).toEqual(['task', 'task']);
    server.advance(20 * MINUTE);
    await command(leader, 'POST', `${path}/tasks`, task());
    await send();
    expect(kinds(member)).toEqual(['task', 'task', 'task']);
  });

  test('that is archived before it opens is not told of; one that opens later is, then', async () => {
    const { path, leader, member } = await place();
    const first = await command(leader, 'POST', `${path}/tasks`, task(opening(inMs(HOUR))));
    const second = await command(leader, 'POST', `${path}/tasks`, task(opening(inMs(2 * HOUR))));
    await command(leader, 'PATCH', `${path}/tasks/${first.id}`, { status: 'archived' });
    await command(leader, 'PATCH', `${path}/tasks/${second.id}`, opening(inMs(4 * HOUR)));
    server.advance(3 * HOUR);
    await send();
    expect(kinds(member)).toEqual([]);
    server.advance(HOUR + MINUTE);
    await send();
    expect(kinds(member)).toEqual(['task']);
    // It was said: another time for it is no news.
    await command(leader, 'PATCH', `${path}/tasks/${second.id}`, opening(inMs(HOUR)));
    server.advance(2 * HOUR);
    await send();
    expect(kinds(member)).toEqual(['task']);
  });

  test('keeps to what members chose: none of them here, not in quiet hours, no more than so many', async () => {
    const { id, path, leader, member } = await place();
    const [none, quiet, full] = [await subscriber(), await subscriber(), await subscriber()];
    for (const { userId } of [none, quiet, full]) await join(server.sql, id, userId, 'member');
    await want(none, 'task', 'none', id);
    await settle(server, quiet.cookie, { quiet: quietNow() });
    await settle(server, full.cookie, { dailyCap: 1 });
    await server.sql`
      insert into notification_days (user_id, day, count, most) values (${full.userId}, ${localDay(now(), 'UTC')}, 1, 1)`;
    await command(leader, 'POST', `${path}/tasks`, task());
    await send();
    expect([member, none, quiet, full].map(kinds)).toEqual([['task'], [], [], []]);
    server.advance(2 * HOUR + MINUTE);
    await send();
    expect([none, quiet, full].map(kinds)).toEqual([[], ['task'], []]);
  });
});

describe('a claim', () => {
  let answers = 0;
  const answer = () => {
    answers += 1;
    return { evidence: { kind: 'submit_text', text: `${answers} grey ones, by the weir.` } };
  };
  const writing = {
    setup: { kind: 'submit_text' },
    title: 'What did you see?',
    instructions: '',
    points: 5,
    recurrence: 'daily',
    status: 'live',
  };
  /** A community with a task that is reviewed, of which its people have heard. */
  async function reviewed() {
    const here = await place();
    const reviewer = await subscriber();
    await join(server.sql, here.id, reviewer.userId, 'moderator');
    const { id: taskId } = await command(here.leader, 'POST', `${here.path}/tasks`, writing);
    await send();
    service.arrived.length = 0;
    return { ...here, reviewer, claims: `${here.path}/tasks/${taskId}/claims` };
  }

  test('that waits is told to who reviews, not at each one, and what was decided to whose it is, alone', async () => {
    const { id, path, claims, leader, member, reviewer, stranger } = await reviewed();
    const other = await subscriber();
    await join(server.sql, id, other.userId, 'member');
    const claim = await command(member, 'POST', claims, answer());
    await command(other, 'POST', claims, answer());
    await send();
    const everybody = [leader, reviewer, member, other, stranger];
    expect(everybody.map(kinds)).toEqual([['queue'], ['queue'], [], [], []]);
    await holdsOnlyAKind(reviewer, 'queue', /Heron Watch/);
    await command(reviewer, 'POST', `${path}/claims/${claim.id}/decision`, {
      decision: 'reject',
      reason: 'It was a stork',
    });
    await send();
    expect(everybody.map(kinds)).toEqual([['queue'], ['queue'], ['review'], [], []]);
    await holdsOnlyAKind(member, 'review', /What did you see|does not count/);
    server.advance(15 * MINUTE + 1);
    const late = await subscriber();
    await join(server.sql, id, late.userId, 'member');
    await command(late, 'POST', claims, answer());
    await send();
    expect(everybody.map(kinds)).toEqual([['queue', 'queue'], ['queue', 'queue'], ['review'], [], []]);
  });

  test('a reviewer’s own act is no news to them; who wants neither hears of neither', async () => {
    const { id, path, claims, leader, member, reviewer } = await reviewed();
    await want(leader, 'queue', 'none', id);
    await want(member, 'review', 'none');
    const { id: own } = await command(reviewer, 'POST', claims, answer());
    await send();
    expect([leader, reviewer].map(kinds)).toEqual([[], []]);
    server.advance(15 * MINUTE + 1);
    const { id: theirs } = await command(member, 'POST', claims, answer());
    for (const claim of [own, theirs])
      await command(leader, 'POST', `${path}/claims/${claim}/decision`, { decision: 'approve' });
    await send();
    expect([leader, member, reviewer].map(kinds)).toEqual([[], [], expect.arrayContaining(['queue', 'review'])]);
  });
});

describe('a season', () => {
  const plan = (change: object = {}) => ({
    name: 'Nesting 2026',
    rules: '',
    startsAt: null,
    endsAt: inMs(2 * DAY),
    graceHours: 2,
    taskIds: [],
    ...change,
  });

  test('that begins and one whose results stand are told of once each, to all of the community', async () => {
    const { path, leader, member, stranger } = await place();
    const { id } = await command(leader, 'POST', `${path}/seasons`, plan());
    await send();
    expect(kinds(member)).toEqual([]);
    await command(leader, 'POST', `${path}/seasons/${id}/start`);
    await send();
    expect([member, leader, stranger].map(kinds)).toEqual([['season'], ['season'], []]);
    await holdsOnlyAKind(member, 'season', /Nesting|Heron/);
    // Over, and in its grace: the results do not stand yet.
    server.advance(2 * DAY + HOUR);
    await closeSeasons(server.runtime);
    await send();
    expect(kinds(member)).toEqual(['season']);
    server.advance(HOUR + MINUTE);
    for (let run = 0; run < 2; run += 1) {
      await closeSeasons(server.runtime);
      await send();
    }
    expect([member, leader, stranger].map(kinds)).toEqual([['season', 'season'], ['season', 'season'], []]);
    expect(member.browser.got()[1]?.notification.data.path).toContain('/leaderboard');
  });

  test('that begins by itself is told of when it does, once', async () => {
    const { path, leader, member } = await place();
    await command(leader, 'POST', `${path}/seasons`, plan({ startsAt: inMs(HOUR) }));
    await closeSeasons(server.runtime);
    await send();
    expect(kinds(member)).toEqual([]);
    server.advance(HOUR + 1);
    for (let run = 0; run < 2; run += 1) {
      await closeSeasons(server.runtime);
      await send();
    }
    expect(kinds(member)).toEqual(['season']);
  });

  test('keeps to what members chose: none of it, not in quiet hours, no more than so many', async () => {
    const { id, path, leader, member } = await place();
    const [none, quiet, full] = [await subscriber(), await subscriber(), await subscriber()];
    for (const { userId } of [none, quiet, full]) await join(server.sql, id, userId, 'member');
    await want(none, 'season', 'none');
    await settle(server, quiet.cookie, { quiet: quietNow() });
    await settle(server, full.cookie, { dailyCap: 1 });
    await server.sql`
      insert into notification_days (user_id, day, count, most) values (${full.userId}, ${localDay(now(), 'UTC')}, 1, 1)`;
    const season = await command(leader, 'POST', `${path}/seasons`, plan());
    await command(leader, 'POST', `${path}/seasons/${season.id}/start`);
    await send();
    expect([member, none, quiet, full].map(kinds)).toEqual([['season'], [], [], []]);
    server.advance(2 * HOUR + MINUTE);
    await send();
    expect([none, quiet, full].map(kinds)).toEqual([[], ['season'], []]);
  });
});

describe('a new sign-in', () => {
  const idOf = async (telegramUserId: number) =>
    (await server.sql<[{ id: string }]>`select id from users where telegram_user_id = ${telegramUserId}`)[0].id;
  async function phoneOf(telegramUserId: number): Promise<Someone> {
    const cookie = await server.signIn(telegramUserId);
    const browser = service.browser();
    await subscribe(server, cookie, browser);
    return { userId: await idOf(telegramUserId), cookie, browser };
  }

  test('is told at once on the devices that were there, in quiet hours and however much came, and on no other', async () => {
    const [other, phone] = [await phoneOf(1001), await phoneOf(1002)];
    await settle(server, phone.cookie, { quiet: quietNow(), dailyCap: 1 });
    await server.sql`
      insert into notification_days (user_id, day, count, most) values (${phone.userId}, ${localDay(now(), 'UTC')}, 1, 1)`;
    const desk = { ...phone, cookie: await server.signIn(1002), browser: service.browser() };
    await send();
    await subscribe(server, desk.cookie, desk.browser);
    await send();
    expect([phone, desk, other].map(kinds)).toEqual([['security'], [], []]);
    await holdsOnlyAKind(phone, 'security', /New sign-in/);
  });

  test('in the browser that was signed in already is no news, nor is the first of all', async () => {
    const phone = await phoneOf(1003);
    await send();
    expect(kinds(phone)).toEqual([]);
    await server.signIn(1003, phone.cookie);
    await send();
    expect(service.arrived).toEqual([]);
    expect(await server.sql`select from notifications where user_id = ${phone.userId}`).toEqual([]);
  });

  test('is not told to who chose so', async () => {
    const phone = await phoneOf(1004);
    await want(phone, 'security', 'none');
    await server.signIn(1004);
    await send();
    expect(kinds(phone)).toEqual([]);
  });
});
