import { generateKeyPairSync } from 'node:crypto';
import { afterEach, describe, expect, test } from 'vitest';
import { PUSH_THROTTLED_REST_MS } from '../../server/contract/limits.ts';
import type { NotificationRoom, Topic } from '../../server/contract/push.ts';
import { fanOut } from '../../server/features/notifications/fan-out.ts';
import { type NewNotification, notify } from '../../server/features/notifications/notify.ts';
import { SERVICES, settle as settleFor } from '../support/push-endpoint.ts';
import { openPushStage, type Someone } from '../support/push-stage.ts';
import { testServer } from '../support/server.ts';
import { community, join } from '../support/world.ts';

/** A community of somebody else, and its members. */
async function placeOf(leaderId?: string, ...members: string[]): Promise<string> {
  const { id } = await community(server, leaderId ?? (await server.person()).userId);
  if (leaderId !== undefined) await join(server.sql, id, leaderId, 'leader');
  for (const userId of members) await join(server.sql, id, userId, 'member');
  return id;
}

const { service, server, subscriber: made } = await openPushStage({ sandbox: false });
const subscriber = (host?: string) => made({}, host);
afterEach(() => {
  service.answer(() => null);
  service.arrived.length = 0;
});

const never = new AbortController().signal;
const send = () => fanOut(server.runtime, never);
/** Goes on sending, with the clock put forward, until nothing waits any more. */
async function sendAll(): Promise<void> {
  for (;;) {
    await send();
    const [next] = await server.sql<
      { at: Date }[]
    >`select next_try_at as at from notification_chunks order by 1 limit 1`;
    if (!next) return;
    server.advance(Math.max(0, next.at.getTime() - server.runtime.now().getTime()) + 1);
  }
}
const tell = (given: Partial<NewNotification>) =>
  notify(server.sql, {
    topic: 'announcement',
    path: '/profile',
    title: 'Ilse says',
    body: 'Something private',
    at: server.runtime.now(),
    ...given,
  });
const figures = async (id: string) =>
  (
    await server.sql`
      select state, members, opted_out, capped, queued, sent, gone, failed, told from notifications where id = ${id}`
  )[0];

const settle = (cookie: string, change: object) => settleFor(server, cookie, change);
const isKept = async ({ browser }: Someone) =>
  (await server.sql`select from push_subscriptions where endpoint = ${browser.subscription.endpoint}`).length === 1;

describe('a notification', () => {
  test('reaches the browser of who it is for, encrypted, signed and padded, and names nobody', async () => {
    const [one, other] = [await subscriber(), await subscriber()];
    const id = await tell({ userId: one.userId, path: '/engagement-complete?task=1' });
    await send();
    expect(other.browser.got()).toEqual([]);
    expect(one.browser.got()).toEqual([
      {
        web_push: 8030,
        notification: {
          title: 'Muster',
          body: 'There is a new announcement.',
          navigate: `${server.url}/engagement-complete?task=1`,
          tag: 'announcement:here',
          lang: 'en',
          actions: [
            { action: 'open', title: 'Open', navigate: `${server.url}/engagement-complete?task=1` },
            { action: 'done', title: 'Mark done', navigate: `${server.url}/engagement-complete?task=1` },
          ],
          data: { id, kind: 'announcement', path: '/engagement-complete?task=1' },
        },
        mutable: true,
      },
    ]);
    expect(JSON.stringify(one.browser.got())).not.toMatch(/Ilse|private/);
    const [message] = service.arrived;
    expect(((message?.body.length ?? 0) - 86 - 16) % 256).toBe(0);
    expect(message?.headers).toMatchObject({ urgency: 'high', 'content-encoding': 'aes128gcm' });
    expect(Number(message?.headers['ttl'])).toBeGreaterThan(24 * 3_600 - 60);
    expect(await figures(id)).toMatchObject({ state: 'done', members: 1, queued: 1, sent: 1 });
  });

  test('says its words under the session of who it is for, and to nobody else', async () => {
    const [one, other] = [await subscriber(), await subscriber()];
    const id = await tell({ userId: one.userId });
    const ask = (cookie?: string) =>
      server.request('GET', `/api/pwa/notifications/${id}`, cookie === undefined ? {} : { cookie });
    expect((await ask(one.cookie)).json).toMatchObject({ title: 'Ilse says', body: 'Something private' });
    expect((await ask(other.cookie)).status).toBe(404);
    expect((await ask()).status).toBe(401);
    await send();
  });

  test('has a topic that differs between browsers and stays the same for one', async () => {
    const [one, other] = [await subscriber(), await subscriber()];
    for (const { userId } of [one, other, one]) await tell({ userId });
    await send();
    const topics = ({ browser }: Someone) =>
      service.arrived.filter(({ token }) => token === browser.token).map(({ headers }) => headers['topic']);
    const [first, second] = topics(one);
    expect(first).toBe(second);
    expect(first).not.toBe(topics(other)[0]);
  });

  test('stays apart from the one before where the member does not want them to take each other’s place', async () => {
    const one = await subscriber();
    await settle(one.cookie, { collapse: false });
    for (let count = 0; count < 2; count += 1) await tell({ userId: one.userId });
    await send();
    expect(new Set(service.arrived.map(({ headers }) => headers['topic'])).size).toBe(2);
    expect(new Set(one.browser.got().map(({ notification }) => notification.tag)).size).toBe(2);
  });

  test('to a community reaches its members, not who caused it, nor strangers', async () => {
    const [leader, member, stranger] = [await subscriber(), await subscriber(SERVICES[1]), await subscriber()];
    const place = await placeOf(leader.userId, member.userId);
    const reply = await server.command('POST', `/api/communities/${place}/announcements`, {
      cookie: leader.cookie,
      body: { title: 'Saturday', body: 'We meet at ten.' },
    });
    expect(reply.status, reply.text).toBe(201);
    await send();
    expect(member.browser.got()).toMatchObject([
      { notification: { data: { kind: 'announcement', path: `/community/${place}/dashboard` } } },
    ]);
    expect([...leader.browser.got(), ...stranger.browser.got()]).toEqual([]);
    const { id } = member.browser.got()[0]?.notification.data ?? { id: '' };
    const text = await server.request('GET', `/api/pwa/notifications/${id}`, { cookie: member.cookie });
    expect(text.json).toMatchObject({ body: 'We meet at ten.', title: expect.stringContaining('Saturday') });
    expect(await server.sql`select origin, sent from notification_services where notification_id = ${id}`).toEqual([
      { origin: `https://${SERVICES[1]}`, sent: 1 },
    ]);
  });

  test('for a browser whose keys are none fails, and reaches the member’s other browsers', async () => {
    const one = await subscriber();
    const other = await subscriber();
    await server.sql`
      update push_subscriptions set user_id = ${one.userId} where endpoint = ${other.browser.subscription.endpoint}`;
    await server.sql`
      update push_subscriptions set p256dh = decode(repeat('04', 65), 'hex')
      where endpoint = ${one.browser.subscription.endpoint}`;
    const id = await tell({ userId: one.userId });
    await send();
    expect(other.browser.got()).toHaveLength(1);
    expect(service.arrived).toHaveLength(1);
    expect(await figures(id)).toMatchObject({ state: 'done', sent: 1, failed: 1 });
    expect(await isKept(one)).toBe(true);
  });

  test('is signed with a key that an earlier start stored as PKCS 8', async () => {
    const one = await subscriber();
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
    const { x = '', y = '' } = privateKey.export({ format: 'jwk' });
    const point = Buffer.concat([Buffer.of(4), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]);
    const key = point.toString('base64url');
    await server.sql`
      insert into vapid_keys (public_key, private_key, retired_at)
      values (${key}, ${String(privateKey.export({ format: 'pem', type: 'pkcs8' }))}, now())`;
    await server.sql`
      update push_subscriptions set vapid_key = ${key} where endpoint = ${one.browser.subscription.endpoint}`;
    await tell({ userId: one.userId });
    await send();
    // The endpoint takes nothing whose signature is not of the key that the header names.
    expect(service.arrived.map(({ headers }) => headers.authorization)).toEqual([expect.stringMatching(`, k=${key}$`)]);
    expect(one.browser.got()).toHaveLength(1);
  });

  test.each(['suspended', 'left', 'kicked', 'signed out', 'session over'])('reaches nobody who is %s', async (how) => {
    const guarded = await testServer({
      sandbox: false,
      pushWorld: service.world,
      env: {},
      config: { telegram: { ...server.runtime.config.telegram, requiredChannel: '-1001' } },
    });
    try {
      const { userId, cookie } = await guarded.person();
      const { subscription } = service.browser();
      await guarded.request('POST', '/api/pwa/subscribe', { cookie, body: { subscription } });
      const id = await notify(guarded.sql, { topic: 'test', userId, path: '/', title: '', body: '', at: new Date() });
      if (how === 'suspended') await guarded.sql`update users set suspended_at = now() where id = ${userId}`;
      else if (how === 'signed out') await guarded.request('POST', '/api/auth/logout', { cookie });
      else if (how === 'session over')
        await guarded.sql`update sessions set expires_at = now() where user_id = ${userId}`;
      else await guarded.sql`update users set membership = ${how} where id = ${userId}`;
      await fanOut(guarded.runtime, never);
      expect(service.arrived).toEqual([]);
      expect(await guarded.sql`select state, sent from notifications where id = ${id}`).toEqual([
        { state: 'done', sent: 0 },
      ]);
    } finally {
      await guarded.close();
    }
  });
});

describe('what a push service answers', () => {
  test.each([404, 410])('%d ends the subscription', async (status) => {
    const one = await subscriber();
    service.answer((_token, response) => {
      response.writeHead(status).end();
      return 'answered';
    });
    const id = await tell({ userId: one.userId });
    await sendAll();
    expect(await isKept(one)).toBe(false);
    expect(await figures(id)).toMatchObject({ state: 'done', sent: 0, gone: 1, failed: 0 });
  });

  test.each([400, 401, 403, 413])('%d fails the message and keeps the subscription', async (status) => {
    const one = await subscriber();
    service.answer((_token, response) => {
      response.writeHead(status).end();
      return 'answered';
    });
    const id = await tell({ userId: one.userId });
    await sendAll();
    expect(await isKept(one)).toBe(true);
    expect(await figures(id)).toMatchObject({ state: 'done', sent: 0, failed: 1 });
    const { json } = await server.request('GET', '/api/user/notifications', { cookie: one.cookie });
    expect(json.devices[0].lastStatus).toBe(status);
  });

  test.each(['500', '502', '503', 'reset', '429'])(
    '%s is tried again, later each time, and arrives once',
    async (how) => {
      const one = await subscriber();
      let tries = 0;
      const times: number[] = [];
      service.answer((_token, response) => {
        tries += 1;
        times.push(server.runtime.now().getTime());
        if (tries > 3) return null;
        if (how === 'reset') response.socket?.destroy();
        else response.writeHead(Number(how)).end();
        return 'answered';
      });
      const id = await tell({ userId: one.userId });
      await sendAll();
      expect(one.browser.got()).toHaveLength(1);
      expect(await figures(id)).toMatchObject({ state: 'done', sent: 1, failed: 0 });
      const waits = times.slice(1).map((time, index) => time - (times[index] ?? 0));
      for (const [index, atLeast] of [5_000, 10_000, 20_000].entries()) {
        expect(waits[index]).toBeGreaterThanOrEqual(atLeast - 1_000);
      }
    },
  );

  test('what was taken back while it waits for another try is not tried again', async () => {
    const leader = await subscriber();
    const one = await subscriber();
    const id = await placeOf(leader.userId, one.userId);
    const act = (method: string, path: string, body?: unknown) =>
      server.command(method, `/api/communities/${id}/announcements${path}`, { cookie: leader.cookie, body });
    const { json } = await act('POST', '', { title: 'Saturday', body: 'We meet at ten.' });
    let back: Promise<unknown> | undefined;
    service.answer((_token, response) => {
      // Taken back in the very moment in which it is tried.
      back ??= act('DELETE', `/${json.id}`).finally(() => response.writeHead(503).end());
      return 'answered';
    });
    await send();
    await back;
    service.answer(() => null);
    await sendAll();
    expect(one.browser.got()).toEqual([]);
    expect(await server.sql`select state from notifications where subject_id = ${json.id}`).toEqual([
      { state: 'cancelled' },
    ]);
  });

  test('errors for a whole day keep the subscription, and give up the message', async () => {
    const one = await subscriber();
    service.answer((_token, response) => {
      response.writeHead(503).end();
      return 'answered';
    });
    const id = await tell({ userId: one.userId });
    await sendAll();
    expect(await isKept(one)).toBe(true);
    expect(await figures(id)).toMatchObject({ state: 'done', sent: 0, failed: 1 });
  });

  test.each([
    [429, '120'],
    [503, '120'],
    [500, '120'],
    [406, '120'],
    [406, null],
  ])('%d with Retry-After %s holds everything for that service, and nothing for the others', async (status, named) => {
    const people = await Promise.all([SERVICES[0], SERVICES[0], SERVICES[1]].map((host) => subscriber(host)));
    const [first, second, elsewhere] = people;
    let isBusy = true;
    const asked: string[] = [];
    service.answer((token, response) => {
      asked.push(token);
      if (!isBusy || token === elsewhere?.browser.token) return null;
      response.writeHead(status, named === null ? {} : { 'retry-after': named }).end();
      return 'answered';
    });
    const id = await tell({ userId: first?.userId ?? '' });
    await send();
    const later = await Promise.all([second, elsewhere].map((who) => tell({ userId: who?.userId ?? '' })));
    await send();
    expect(asked).toEqual([first?.browser.token, elsewhere?.browser.token]);
    server.advance(named === null ? PUSH_THROTTLED_REST_MS - 1_000 : 119_000);
    await send();
    expect(asked).toHaveLength(2);
    isBusy = false;
    server.advance(2_000);
    await sendAll();
    for (const who of people) expect(who.browser.got()).toHaveLength(1);
    for (const one of [id, ...later]) expect(await figures(one)).toMatchObject({ state: 'done', sent: 1, failed: 0 });
  });

  test('403 twice in a row ends the subscription, and not where a message was taken between', async () => {
    const [one, other] = [await subscriber(), await subscriber()];
    let refused = new Set([one.browser.token, other.browser.token]);
    service.answer((token, response) => {
      if (!refused.has(token)) return null;
      response.writeHead(403).end();
      return 'answered';
    });
    const sendBoth = async () => {
      const ids = [await tell({ userId: one.userId }), await tell({ userId: other.userId })];
      await sendAll();
      return Promise.all(ids.map(figures));
    };
    await sendBoth();
    expect([await isKept(one), await isKept(other)]).toEqual([true, true]);
    refused = new Set([one.browser.token]);
    expect(await sendBoth()).toMatchObject([{ gone: 1, failed: 0 }, { sent: 1 }]);
    expect([await isKept(one), await isKept(other)]).toEqual([false, true]);
    refused = new Set([other.browser.token]);
    await tell({ userId: other.userId });
    await sendAll();
    expect(await isKept(other)).toBe(true);
  });
});

describe('what members chose', () => {
  const topics: Topic[] = ['announcement', 'review'];
  test.each(topics)('no %s: none comes, and the sender sees how many did not want it', async (topic) => {
    const one = await subscriber();
    const choices = [{ communityId: null, topic, channel: 'none' }];
    expect((await settle(one.cookie, { choices })).status).toBe(200);
    const id = await tell({ topic, userId: one.userId });
    await send();
    expect(one.browser.got()).toEqual([]);
    expect(await figures(id)).toMatchObject({ state: 'done', members: 1, opted_out: 1, queued: 0 });
  });

  test('a choice for one community goes before the one for all', async () => {
    const one = await subscriber();
    const [loud, quiet] = [await placeOf(undefined, one.userId), await placeOf(undefined, one.userId)];
    const choices = [
      { communityId: null, topic: 'announcement', channel: 'none' },
      { communityId: loud, topic: 'announcement', channel: 'push' },
    ];
    expect((await settle(one.cookie, { choices })).status).toBe(200);
    for (const communityId of [quiet, loud]) await tell({ communityId, path: `/community/${communityId}/dashboard` });
    await send();
    expect(one.browser.got().map(({ notification }) => notification.data.path)).toEqual([
      `/community/${loud}/dashboard`,
    ]);
  });

  test('quiet hours put it off to their end; what the member asked for comes at once', async () => {
    const one = await subscriber();
    await server.sql`update users set time_zone = 'Asia/Kolkata' where id = ${one.userId}`;
    const clock = new Intl.DateTimeFormat('en-GB', { timeZone: 'Asia/Kolkata', hour: '2-digit', minute: '2-digit' });
    const at = (ms: number) => clock.format(new Date(server.runtime.now().getTime() + ms));
    const quiet = { from: at(-3_600_000), to: at(2 * 3_600_000) };
    expect((await settle(one.cookie, { quiet })).status).toBe(200);
    await tell({ userId: one.userId });
    await send();
    expect(one.browser.got()).toEqual([]);
    await server.request('POST', '/api/pwa/test', { cookie: one.cookie });
    await send();
    expect(one.browser.got()).toHaveLength(1);
    server.advance(2 * 3_600_000 - 120_000);
    await send();
    expect(one.browser.got()).toHaveLength(1);
    server.advance(180_000);
    await send();
    expect(one.browser.got()).toHaveLength(2);
  });

  test('no more on one day than they want; the next day counts anew', async () => {
    const one = await subscriber();
    await settle(one.cookie, { dailyCap: 2 });
    const ids = [];
    for (let count = 0; count < 4; count += 1) ids.push(await tell({ userId: one.userId }));
    await send();
    expect(one.browser.got()).toHaveLength(2);
    const capped = (await Promise.all(ids.map(figures))).map((row) => row?.['capped']);
    expect(capped.reduce((sum, count) => sum + count, 0)).toBe(2);
    server.advance(24 * 3_600_000);
    await tell({ userId: one.userId });
    await send();
    expect(one.browser.got()).toHaveLength(3);
  });

  test('a choice for a community that they left is in the way of no other', async () => {
    const { userId, cookie } = await server.person();
    const left = await placeOf(undefined, userId);
    await settle(cookie, { choices: [{ communityId: left, topic: 'task', channel: 'none' }] });
    await server.command('POST', `/api/communities/${left}/leave`, { cookie });
    const room = (await server.request('GET', '/api/user/notifications', { cookie })).json as NotificationRoom;
    expect(room.communities).toEqual([]);
    // As the screen sends it: all of what it was given, with one thing changed.
    const { choices, quiet, collapse } = room;
    expect((await settle(cookie, { choices, quiet, collapse, dailyCap: 3 })).status).toBe(200);
  });

  test('nonsense is refused: a community that is none of theirs, one topic twice, quiet all day', async () => {
    const { cookie } = await server.person();
    const elsewhere = await placeOf();
    const choice = { communityId: null, topic: 'task', channel: 'none' };
    const reasons = [];
    for (const change of [
      { choices: [{ ...choice, communityId: elsewhere }] },
      { choices: [choice, { ...choice, channel: 'push' }] },
      { quiet: { from: '07:00', to: '07:00' } },
      { quiet: { from: '7', to: '08:00' } },
      { dailyCap: 0 },
    ])
      reasons.push((await settle(cookie, change)).json.reason);
    expect(reasons).toEqual([
      'UNKNOWN_COMMUNITY',
      'SAME_CHOICE_TWICE',
      'QUIET_ALL_DAY',
      'INVALID_INPUT',
      'INVALID_INPUT',
    ]);
  });
});

describe('what became of it', () => {
  test('is counted once for each member, whatever is repeated, and by nobody whom it is not for', async () => {
    const [one, other] = [await subscriber(), await subscriber()];
    const id = await tell({ userId: one.userId });
    await send();
    const note = (cookie: string, event: string) =>
      server.request('POST', `/api/pwa/notifications/${id}/events`, {
        cookie,
        body: { event, at: new Date().toISOString() },
      });
    for (const event of ['shown', 'clicked', 'shown']) expect((await note(one.cookie, event)).status).toBe(200);
    expect((await note(other.cookie, 'shown')).status).toBe(404);
    expect(
      await server.sql`select event from notification_events where notification_id = ${id} order by event`,
    ).toEqual([{ event: 'clicked' }, { event: 'shown' }]);
  });

  test.each(['0000-01-01T00:00:00Z', '0001-01-01T00:00:00+23:59', '1970-01-01T00:00:00Z', '9999-12-31T23:59:59Z'])(
    'happened while there was a notification, though a device says %s',
    async (at) => {
      const one = await subscriber();
      const id = await tell({ userId: one.userId });
      const body = { event: 'shown', at };
      const said = await server.request('POST', `/api/pwa/notifications/${id}/events`, { cookie: one.cookie, body });
      expect(said.status, said.text).toBe(200);
      const [row] = await server.sql`
        select e.at between n.created_at and ${server.runtime.now()} as then from notification_events e
        join notifications n on n.id = e.notification_id where n.id = ${id}`;
      expect(row?.['then']).toBe(true);
      await send();
    },
  );

  test.each([
    ['clicked', 'dismissed'],
    ['dismissed', 'clicked'],
  ])('pressed is not put away, also where a browser says both: %s, %s', async (...events) => {
    const one = await subscriber();
    const id = await tell({ userId: one.userId });
    for (const event of events)
      await server.request('POST', `/api/pwa/notifications/${id}/events`, {
        cookie: one.cookie,
        body: { event, at: new Date().toISOString() },
      });
    expect(await server.sql`select event from notification_events where notification_id = ${id}`).toEqual([
      { event: 'clicked' },
    ]);
    await send();
  });

  test('put off: it comes once more, two hours later', async () => {
    // Of a streak is told on its own day alone, so that day must have two hours left.
    const now = server.runtime.now();
    server.advance(new Date(now).setUTCHours(24 + 10, 0, 0, 0) - now.getTime());
    const one = await subscriber();
    const id = await tell({ topic: 'streak', userId: one.userId });
    await send();
    for (let count = 0; count < 2; count += 1)
      await server.request('POST', `/api/pwa/notifications/${id}/events`, {
        cookie: one.cookie,
        body: { event: 'snoozed', at: new Date().toISOString() },
      });
    await send();
    expect(one.browser.got()).toHaveLength(1);
    server.advance(2 * 3_600_000);
    await send();
    expect(one.browser.got()).toHaveLength(2);
  });
});

test('a send that dies goes on where it was: nobody is left out, only what was on its way is sent twice', async () => {
  const people = await Promise.all(Array.from({ length: 3 }, () => subscriber()));
  const place = await placeOf(undefined, ...people.map(({ userId }) => userId));
  await tell({ communityId: place });
  const broken = {
    ...server.runtime,
    push: {
      ...server.runtime.push,
      here: {
        ...server.runtime.push.here,
        // Sent, and the process is gone before anything is written down.
        send: async (batch: Parameters<typeof server.runtime.push.here.send>[0]) => {
          await server.runtime.push.here.send(batch);
          return new Promise<never>(() => undefined);
        },
      },
    },
  };
  void fanOut(broken, never);
  await expect.poll(() => service.arrived.length).toBe(3);
  await sendAll();
  for (const { browser } of people) expect(browser.got()).toHaveLength(2);
  const topics = people.map(({ browser }) =>
    service.arrived.filter(({ token }) => token === browser.token).map(({ headers }) => headers['topic']),
  );
  for (const [first, second] of topics) expect(first).toBe(second);
});
