import { expect, test } from 'vitest';
import { fanOut } from '../../server/features/notifications/fan-out.ts';
import { spreadNext } from '../../server/features/notifications/spread.ts';
import { connectTo } from '../../server/storage/connect.ts';
import { openPushStage } from '../support/push-stage.ts';
import { join } from '../support/world.ts';

// What is announced and its notification are one act; who is told of it is counted before.

const { server, subscriber, place } = await openPushStage();

const send = () => fanOut(server.runtime, new AbortController().signal);
const later = (ms = 3_600_000) => new Date(server.runtime.now().getTime() + ms).toISOString();
const ask = (cookie: string, method: string, path: string, body?: unknown, key: string = crypto.randomUUID()) =>
  server.command(method, path, { cookie, key, body });
async function stage() {
  const made = await place();
  const { id, leader } = made;
  const path = `/api/communities/${id}/announcements`;
  const said = async () => (await ask(leader.cookie, 'GET', `${path}/sent`)).json.items;
  const campaigns = () => server.sql<{ state: string; title: string }[]>`
    select state, title from notifications where community_id = ${id} and topic = 'announcement' and subject_id is not null`;
  return { ...made, path, said, campaigns };
}
const words = (change: object = {}) => ({ title: 'Saturday', body: 'We meet at ten.', ...change });

test('is on Today and sent to its audience by one command, once however often it is tried', async () => {
  const { id, path, leader, member, moderator, said } = await stage();
  const notify = { sendAt: null, audience: { roles: ['member'] } };
  const key = crypto.randomUUID();
  const tries = await Promise.all([1, 2, 3].map(() => ask(leader.cookie, 'POST', path, words({ notify }), key)));
  const again = await ask(leader.cookie, 'POST', path, words({ notify }), key);
  const ids = [...tries, again].filter(({ status }) => status === 201).map(({ json }) => json.id);
  expect(new Set(ids).size).toBe(1);
  await send();
  expect([member, moderator].map(({ browser }) => browser.got().length)).toEqual([1, 0]);
  expect(await said()).toMatchObject([
    { announcementId: ids[0], title: 'Saturday', campaign: { sent: 1, audience: { roles: ['member'] } } },
  ]);
  // What was sent without being on Today is listed too.
  await ask(leader.cookie, 'POST', `/api/communities/${id}/campaigns`, { ...words(), ...notify });
  expect(await said()).toMatchObject([{ announcementId: null, campaign: { state: 'waiting' } }, {}]);
});

test('an announcement has one notification at most, whoever writes', async () => {
  const { id, path, leader } = await stage();
  const made = await ask(leader.cookie, 'POST', path, words());
  const second = server.sql`
    insert into notifications (topic, community_id, subject_id, path, title, body, campaign, created_at, send_at)
    values ('announcement', ${id}, ${made.json.id}, '/', 'a', 'b', true, now(), now())`;
  await expect(second).rejects.toThrow('notifications_of_announcement');
});

test('notifies everybody where an older app says nothing, and nobody where that is chosen', async () => {
  const { path, leader, member, moderator, said } = await stage();
  expect((await ask(leader.cookie, 'POST', path, words({ notify: null }))).status).toBe(201);
  await send();
  expect((await said())[0]).toMatchObject({ title: 'Saturday', campaign: null });
  expect(member.browser.got()).toEqual([]);
  await ask(leader.cookie, 'POST', path, words());
  await send();
  expect([member, moderator].map(({ browser }) => browser.got().length)).toEqual([1, 1]);
});

test('is changed with its notification until that is sent, and taken back with it', async () => {
  const { path, leader, member, said, campaigns } = await stage();
  const made = await ask(leader.cookie, 'POST', path, words({ notify: { sendAt: later(), audience: {} } }));
  const one = `${path}/${made.json.id}`;
  const notify = { sendAt: later(7_200_000), audience: { roles: ['moderator'] } };
  expect((await ask(leader.cookie, 'PUT', one, words({ title: 'Sunday', notify }))).json).toMatchObject({
    id: made.json.id,
    title: 'Sunday',
  });
  expect((await said())[0]).toMatchObject({
    title: 'Sunday',
    campaign: { state: 'waiting', sendAt: notify.sendAt, audience: { roles: ['moderator'] } },
  });
  server.advance(3_600_001);
  await send();
  expect(member.browser.got()).toEqual([]);
  // Nobody is notified any more, then everybody is: it is still one.
  expect((await ask(leader.cookie, 'PUT', one, words({ notify: null }))).status).toBe(200);
  expect(await campaigns()).toEqual([]);
  expect((await ask(leader.cookie, 'PUT', one, words({ notify: { sendAt: null, audience: {} } }))).status).toBe(200);
  await send();
  expect(member.browser.got()).toHaveLength(1);
  expect(await campaigns()).toHaveLength(1);
  const tooLate = await ask(leader.cookie, 'PUT', one, words({ title: 'Monday' }));
  expect(tooLate.json).toMatchObject({ status: 409, reason: 'CAMPAIGN_SENT' });
  expect((await said())[0]).toMatchObject({ title: 'Saturday' });
  const next = await ask(leader.cookie, 'POST', path, words({ notify: { sendAt: later(), audience: {} } }));
  expect((await ask(leader.cookie, 'DELETE', `${path}/${next.json.id}`)).status).toBe(200);
  server.advance(3_600_001);
  await send();
  expect(member.browser.got()).toHaveLength(1);
});

test('is nobody else’s to change, and goes out in the future', async () => {
  const [{ path, leader, member }, other] = [await stage(), await stage()];
  const made = await ask(leader.cookie, 'POST', path, words({ notify: { sendAt: later(), audience: {} } }));
  expect((await ask(member.cookie, 'PUT', `${path}/${made.json.id}`, words())).status).toBe(403);
  expect((await ask(member.cookie, 'GET', `${path}/sent`)).status).toBe(403);
  expect((await ask(other.leader.cookie, 'PUT', `${other.path}/${made.json.id}`, words())).status).toBe(404);
  const past = await ask(leader.cookie, 'POST', path, words({ notify: { sendAt: later(-1_000), audience: {} } }));
  expect(past.json).toMatchObject({ status: 422, reason: 'DATE_OUT_OF_RANGE' });
  expect((await ask(leader.cookie, 'GET', path)).json.items).toHaveLength(1);
});

test('by their own clocks each is told once when it is that time for them, also after a restart', async () => {
  const { id, path, leader, member, moderator, said } = await stage();
  const traveller = await subscriber();
  await join(server.sql, id, traveller.userId, 'member');
  const everybody = [traveller, member, moderator];
  // None of them puts its clocks forward or back.
  for (const [{ userId }, zone] of [
    [traveller, 'Pacific/Kiritimati'],
    [member, 'Asia/Kolkata'],
    [moderator, 'America/Phoenix'],
    [leader, 'UTC'],
  ] as const)
    await server.sql`update users set time_zone = ${zone}, time_zone_before = null, time_zone_from = null where id = ${userId}`;
  await server.sql`
    insert into notification_settings (user_id, quiet_from, quiet_to, daily_cap, collapse)
    values (${moderator.userId}, 1320, 480, 5, true)`;
  const day = later(2 * 86_400_000).slice(0, 10);
  const localTime = `${day}T07:30`;
  const first = `${day}T07:30:00.000+14:00`;

  const notify = { sendAt: null, localTime, audience: {} };
  const made = await ask(leader.cookie, 'POST', path, words({ notify: { ...notify, localTime: `${day}T09:00` } }));
  expect((await ask(leader.cookie, 'PUT', `${path}/${made.json.id}`, words({ notify }))).status).toBe(200);
  const campaign = { state: 'waiting', localTime, sendAt: new Date(first).toISOString() };
  expect((await said())[0]).toMatchObject({ campaign });
  const asked = await ask(leader.cookie, 'GET', `/api/communities/${id}/campaigns/reach?localTime=${localTime}`);
  expect(asked.json).toMatchObject({ everybody: 4, push: 3 });

  const got = () => everybody.map(({ browser }) => browser.got().length);
  const at = (moment: string) => server.advance(Date.parse(moment) - server.runtime.now().getTime());
  at(first);
  server.advance(-60_000);
  await send();
  expect(got()).toEqual([0, 0, 0]);
  // The process ends as soon as it has looked who is meant: another one goes on.
  server.advance(60_000);
  expect(await spreadNext(server.runtime)).toBe(true);
  const own = connectTo(server.runtime.config.databaseUrl ?? '', { max: 2 });
  const again = { ...server.runtime, sql: own };
  const sendAgain = () => fanOut(again, new AbortController().signal);
  await sendAgain();
  expect(got()).toEqual([1, 0, 0]);
  at(`${day}T07:29:00.000+05:30`);
  await sendAgain();
  expect(got()).toEqual([1, 0, 0]);
  at(`${day}T07:30:00.000+05:30`);
  await sendAgain();
  expect(got()).toEqual([1, 1, 0]);
  // Quiet hours end later than that.
  at(`${day}T07:59:00.000-07:00`);
  await sendAgain();
  expect(got()).toEqual([1, 1, 0]);
  at(`${day}T08:00:00.000-07:00`);
  await sendAgain();
  await sendAgain();
  await own.end();
  expect(got()).toEqual([1, 1, 1]);
  expect((await said())[0]).toMatchObject({ campaign: { sent: 3 } });
  // Over on every clock.
  expect((await ask(leader.cookie, 'POST', path, words({ notify }))).json.reason).toBe('DATE_OUT_OF_RANGE');
});

test('to everybody here is changed until it is sent', async () => {
  const admin = await server.person({ role: 'admin' });
  const body = words({ sendAt: later(), audience: {} });
  const { json } = await ask(admin.cookie, 'POST', '/api/admin/campaigns', body);
  const change = words({ title: 'Sunday', sendAt: later(7_200_000), audience: { activeDays: 7 } });
  const changed = await ask(admin.cookie, 'PUT', `/api/admin/campaigns/${json.id}`, change);
  expect(changed.json).toMatchObject({ id: json.id, state: 'waiting', ...change });
  const [row] = await server.sql`select audience from notifications where id = ${json.id}`;
  expect(row?.['audience']).toEqual({ activeDays: 7, except: admin.userId });
  await server.sql`update notifications set state = 'sending' where id = ${json.id}`;
  const late = await ask(admin.cookie, 'PUT', `/api/admin/campaigns/${json.id}`, change);
  expect(late.json.reason).toBe('CAMPAIGN_SENT');
});

test('its reach is who gets it: by role, points and activity, without who wants none or had enough of that day', async () => {
  const { id, path, leader, member, moderator } = await stage();
  const reach = async (query = '') =>
    (await ask(leader.cookie, 'GET', `/api/communities/${id}/campaigns/reach${query}`)).json;
  // The sender is not told; the author of the claim that every community here has can only be told by the bot.
  expect(await reach()).toEqual({
    everybody: 3,
    push: 2,
    browsers: 2,
    telegram: 1,
    optedOut: 0,
    capped: 0,
    workedOutFrom: null,
  });
  expect(await reach('?roles=moderator,leader')).toMatchObject({ everybody: 1, push: 1, browsers: 1 });
  expect(await reach('?minPoints=10')).toMatchObject({ everybody: 0, push: 0 });
  await server.sql`
    insert into scores (community_id, user_id, points, reached_at) values (${id}, ${member.userId}, 10, now())`;
  expect(await reach('?minPoints=10')).toMatchObject({ everybody: 1, browsers: 1 });
  expect(await reach('?activeDays=7')).toMatchObject({ everybody: 1, push: 0, telegram: 1 });

  const choices = [{ communityId: null, topic: 'announcement', channel: 'none' }];
  const settings = { quiet: null, dailyCap: 1, collapse: true };
  await ask(moderator.cookie, 'PUT', '/api/user/notifications', { ...settings, choices });
  await ask(member.cookie, 'PUT', '/api/user/notifications', { ...settings, choices: [] });
  expect(await reach()).toEqual({
    everybody: 3,
    push: 1,
    browsers: 1,
    telegram: 1,
    optedOut: 1,
    capped: 0,
    workedOutFrom: null,
  });
  await ask(leader.cookie, 'POST', path, words());
  await send();
  const today = { everybody: 3, push: 0, browsers: 0, optedOut: 1, capped: 1 };
  expect(await reach()).toMatchObject(today);
  const tomorrow = await reach(`?sendAt=${encodeURIComponent(later(86_400_000))}`);
  expect(tomorrow).toMatchObject({ push: 1, browsers: 1, capped: 0 });
  // What was counted is what happens.
  await ask(leader.cookie, 'POST', path, words());
  await send();
  const [row] = await server.sql`
    select members, opted_out, capped from notifications where community_id = ${id} and subject_id is not null
    order by created_at desc limit 1`;
  expect(row).toEqual({ members: today.everybody, opted_out: today.optedOut, capped: today.capped });
  await server.sql`update users set suspended_at = now() where id = ${member.userId}`;
  expect(await reach()).toMatchObject({ everybody: 2, capped: 0 });
});
