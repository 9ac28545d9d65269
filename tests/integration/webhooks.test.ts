import { createHmac, randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  WEBHOOK_RETRY_FIRST_MS,
  WEBHOOK_RETRY_FOR_MS,
  WEBHOOK_TIMEOUT_MS,
  WEBHOOK_WAITING_MAX,
  WEBHOOKS_PER_COMMUNITY,
} from '../../server/contract/limits.ts';
import { deliverWebhooks, nextTry } from '../../server/features/webhooks/deliver.ts';
import { post } from '../../server/integrations/outward/post.ts';
import { sweep } from '../../server/sweep.ts';
import { ofFile } from '../support/of-file.ts';
import { startReceiver } from '../support/receiver.ts';
import { type Reply, testServer } from '../support/server.ts';
import { community, memberOf, type TestCommunity } from '../support/world.ts';

const [server, receiver] = await Promise.all([ofFile(testServer({ sandbox: false })), ofFile(startReceiver())]);

let place: TestCommunity;
let cookie: string;
beforeEach(async () => {
  const founder = await server.person();
  place = await community(server, founder.userId);
  ({ cookie } = await memberOf(server, place.id, 'leader'));
});
afterEach(async () => {
  receiver.received.length = 0;
  receiver.answer((response) => void response.writeHead(200).end('ok'));
  await server.sql`delete from webhooks`;
});

const ask = (method: string, path: string, body?: unknown): Promise<Reply> =>
  server.command(method, `/api/communities/${place.id}${path}`, { cookie, body });
const add = async (events: string[] = ['announcement.posted'], url = 'https://hooks.example.org/in?key=k') =>
  (await ask('POST', '/webhooks', { url, events })).json;
const announceOne = (title = 'Saturday') => ask('POST', '/announcements', { title, body: 'We meet at ten.' });
const never = new AbortController().signal;
const deliver = (signal = never) => deliverWebhooks(server.runtime, signal, (posting) => post(posting, receiver.world));
const log = async (webhookId: string) => (await ask('GET', `/webhooks/${webhookId}/deliveries`)).json.items;

describe('a webhook', () => {
  test('gets what it asked for, signed over time and body with the secret that was shown once', async () => {
    const hook = await add(['announcement.posted', 'member.joined']);
    const posted = await announceOne();
    await deliver();
    expect(receiver.received).toHaveLength(1);
    const [{ headers, body, path } = { headers: {}, body: '', path: '' }] = receiver.received;
    expect(path).toBe('/in?key=k');
    const [, time = '', sign = ''] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['muster-signature'])) ?? [];
    expect(createHmac('sha256', hook.secret).update(`${time}.${body}`).digest('hex')).toBe(sign);
    expect(Math.abs(Number(time) * 1_000 - server.runtime.now().getTime())).toBeLessThan(60_000);
    expect(JSON.parse(body)).toEqual({
      id: expect.any(String),
      event: 'announcement.posted',
      communityId: place.id,
      at: posted.json.at,
      data: posted.json,
    });
    const [delivery] = await log(hook.id);
    expect(delivery).toMatchObject({
      event: 'announcement.posted',
      state: 'delivered',
      attempts: 1,
      status: 200,
      body,
    });
    expect(headers).toMatchObject({ 'muster-event': 'announcement.posted', 'muster-delivery': delivery.id });
    await deliver();
    expect(receiver.received).toHaveLength(1);

    const [listed] = (await ask('GET', '/webhooks')).json;
    expect(listed).toMatchObject({ id: hook.id, lastDelivery: { status: 200, error: null } });
    expect(JSON.stringify(listed)).not.toContain(hook.secret);
    // What follows the host may be a secret of the receiver's.
    const [written] = (await ask('GET', '/audit')).json.items.filter(
      ({ action }: { action: string }) => action === 'webhook.added',
    );
    expect(written).toMatchObject({ subject: 'hooks.example.org' });
  });

  test('gets nothing of other events, other communities, or what was undone', async () => {
    await add(['member.joined']);
    await announceOne();
    const elsewhere = await community(server, (await server.person()).userId);
    const other = await memberOf(server, elsewhere.id, 'leader');
    await server.command('POST', `/api/communities/${elsewhere.id}/announcements`, {
      cookie: other.cookie,
      body: { title: 'Elsewhere', body: 'x' },
    });
    await deliver();
    expect(receiver.received).toEqual([]);
  });

  test('hears who comes, who goes, and who is removed', async () => {
    await add(['member.joined', 'member.left']);
    const person = await server.person();
    const go = (what: string) =>
      server.command('POST', `/api/communities/${place.id}/${what}`, { cookie: person.cookie });
    await go('join');
    await go('leave');
    await go('join');
    await ask('POST', `/members/${person.userId}/removal`, { reason: 'Asked to go' });
    await deliver();
    expect(receiver.received.map(({ body }) => JSON.parse(body)).map(({ event, data }) => [event, data])).toEqual([
      ['member.joined', { userId: person.userId }],
      ['member.left', { userId: person.userId, removed: false }],
      ['member.joined', { userId: person.userId }],
      ['member.left', { userId: person.userId, removed: true }],
    ]);
  });

  test('hears of a claim that is decided at once first that it was sent, then how it was decided', async () => {
    await add(['claim.decided', 'claim.submitted']);
    for (let count = 0; count < 8; count += 1) {
      const member = await memberOf(server, place.id, 'member');
      const claimed = await server.command('POST', `/api/communities/${place.id}/tasks/${place.taskId}/claims`, {
        cookie: member.cookie,
        body: {},
      });
      expect(claimed.json.state).toBe('approved');
    }
    await deliver();
    const told = receiver.received.map(({ body }) => JSON.parse(body)).map(({ event, data }) => [data.claim.id, event]);
    expect(told).toHaveLength(16);
    for (const id of new Set(told.map(([claimId]) => claimId))) {
      expect(told.filter(([claimId]) => claimId === id).map(([, event]) => event)).toEqual([
        'claim.submitted',
        'claim.decided',
      ]);
    }
  });

  test('is an address of the open internet, and at most so many are kept', async () => {
    for (const url of [
      'http://hooks.example.org/',
      'https://10.0.0.1/',
      'https://localhost/',
      'https://a.example:8443/',
    ]) {
      expect((await ask('POST', '/webhooks', { url, events: ['member.left'] })).json).toMatchObject({
        status: 422,
        reason: 'URL_NOT_ALLOWED',
      });
    }
    const hook = await add();
    expect((await ask('PATCH', `/webhooks/${hook.id}`, { url: 'https://[::1]/x' })).json.reason).toBe(
      'URL_NOT_ALLOWED',
    );
    for (let count = 1; count < WEBHOOKS_PER_COMMUNITY; count += 1)
      await add(undefined, `https://hooks.example.org/${count}`);
    expect((await ask('POST', '/webhooks', { url: 'https://a.example/', events: ['member.left'] })).json.reason).toBe(
      'WEBHOOK_LIMIT',
    );
  });

  test('is one for each address, however it is written', async () => {
    const first = await add();
    for (const url of ['https://hooks.example.org/in?key=k', 'HTTPS://HOOKS.example.org:443/in?key=k']) {
      const again = await ask('POST', '/webhooks', { url, events: ['member.left'] });
      expect(again.json).toMatchObject({ status: 409, reason: 'WEBHOOK_EXISTS', details: { field: 'url' } });
    }
    const other = await add(undefined, 'https://hooks.example.org/other?');
    expect(other.url).toBe('https://hooks.example.org/other');
    const moved = await ask('PATCH', `/webhooks/${other.id}`, { url: first.url });
    expect(moved.json).toMatchObject({ status: 409, reason: 'WEBHOOK_EXISTS' });
    const ten = Array.from({ length: 10 }, () =>
      ask('POST', '/webhooks', { url: 'https://hooks.example.org/new', events: ['member.left'] }),
    );
    const made = (await Promise.all(ten)).filter(({ status }) => status === 201);
    expect(made).toHaveLength(1);
    expect((await ask('GET', '/webhooks')).json).toHaveLength(3);
    await announceOne();
    await deliver();
    expect(receiver.received.map(({ path }) => path).sort()).toEqual(['/in?key=k', '/other']);
  });

  test('tells its secret once: a repeat of the command is told so, and nothing of it is kept in answers', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const make = () =>
      server.request('POST', `/api/communities/${place.id}/webhooks`, {
        cookie,
        headers,
        body: { url: 'https://hooks.example.org/', events: ['member.left'] },
      });
    const first = await make();
    expect([first.status, first.json.secret]).toEqual([201, expect.stringMatching(/^whsec_[\w-]{43}$/)]);
    const again = await make();
    expect(again.json).toMatchObject({ status: 409, reason: 'SHOWN_ONCE', details: { id: first.json.id } });
    expect(again.text).not.toContain(first.json.secret);
    const kept = await server.sql`select answer::text from idempotency_keys where answer::text like '%whsec%'`;
    expect(kept).toEqual([]);
  });
});

describe('what waits for a webhook', () => {
  const fill = (webhookId: string, count: number) => server.sql`
    insert into webhook_deliveries (webhook_id, event, body, created_at, next_try_at)
    select ${webhookId}, 'announcement.posted', '{}', ${server.runtime.now()}, ${new Date(server.runtime.now().getTime() + 3_600_000)}
    from generate_series(1, ${count}::int)`;
  const shown = async (id: string) => (await ask('GET', '/webhooks')).json.find((one: { id: string }) => one.id === id);

  test('is bounded: it is paused, its leaders are told, and it goes on when they start it', async () => {
    const [hook, beside] = [await add(), await add(undefined, 'https://well.example.org/')];
    await fill(hook.id, WEBHOOK_WAITING_MAX - 1);
    await announceOne('One');
    await announceOne('Two');
    expect(await shown(hook.id)).toMatchObject({ active: true, pausedAt: null, waiting: WEBHOOK_WAITING_MAX });
    await deliverWebhooks(server.runtime, never, async () => ({ error: 'CONNECTION' }));
    expect(await shown(hook.id)).toMatchObject({
      active: false,
      pausedAt: expect.any(String),
      waiting: WEBHOOK_WAITING_MAX,
    });
    expect(await shown(beside.id)).toMatchObject({ active: true, pausedAt: null, waiting: 2 });
    const told = await server.sql`
      select topic, audience, body from notifications where community_id = ${place.id} and subject_id = ${hook.id}`;
    expect(told).toEqual([
      { topic: 'security', audience: { roles: ['leader'] }, body: expect.stringContaining('hooks.example.org') },
    ]);
    const audited = await server.sql`
      select actor_id as by, subject from audit_entries where subject_id = ${hook.id} and action = 'webhook.paused'`;
    expect(audited).toEqual([{ by: null, subject: 'hooks.example.org' }]);
    await announceOne('Three');
    await deliverWebhooks(server.runtime, never, async () => ({ error: 'CONNECTION' }));
    expect(await server.sql`select from notifications where subject_id = ${hook.id}`).toHaveLength(1);
    await server.sql`
      delete from webhook_deliveries where id in (
        select id from webhook_deliveries where webhook_id = ${hook.id} limit ${WEBHOOK_WAITING_MAX / 2})`;
    const started = await ask('PATCH', `/webhooks/${hook.id}`, { active: true });
    expect(started.json).toMatchObject({ active: true, pausedAt: null });
    await announceOne('Four');
    expect(await shown(hook.id)).toMatchObject({ active: true, waiting: WEBHOOK_WAITING_MAX / 2 + 1 });
  });
});

describe('a delivery that fails', () => {
  test('is tried again, ever more seldom, for 24 hours by the server’s clock', async () => {
    receiver.answer((response) => void response.writeHead(500).end());
    const hook = await add();
    await announceOne();
    const began = server.runtime.now().getTime();
    const waits: number[] = [];
    for (;;) {
      const before = server.runtime.now().getTime();
      await deliver();
      const [delivery] = await log(hook.id);
      if (delivery.state !== 'waiting') break;
      expect(delivery).toMatchObject({ status: 500, attempts: waits.length + 1 });
      const wait = Date.parse(delivery.nextTryAt) - before;
      waits.push(wait);
      const tried = receiver.received.length;
      // A moment too early nothing is sent.
      server.advance(wait - 2_000);
      await deliver();
      expect(receiver.received).toHaveLength(tried);
      server.advance(2_500);
    }
    const [delivery] = await log(hook.id);
    expect(delivery).toMatchObject({ state: 'failed', nextTryAt: null, status: 500 });
    expect(receiver.received).toHaveLength(delivery.attempts);
    const lived = server.runtime.now().getTime() - began;
    expect(lived).toBeLessThanOrEqual(WEBHOOK_RETRY_FOR_MS);
    expect(lived).toBeGreaterThan(WEBHOOK_RETRY_FOR_MS - 3_700_000);
    const minutes = waits.map((wait) => Math.round(wait / 30_000) / 2);
    expect(minutes.slice(0, 9)).toEqual([0.5, 1, 2, 4, 8, 16, 32, 60, 60]);
    // Every try carries a signature of its own moment.
    expect(new Set(receiver.received.map(({ headers }) => headers['muster-signature'])).size).toBe(delivery.attempts);
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
  });

  test('arrives as soon as the receiver is well again', async () => {
    const hook = await add();
    receiver.answer((response) => void response.writeHead(302, { location: 'https://hooks.example.org/b' }).end());
    await announceOne();
    await deliver();
    expect((await log(hook.id))[0]).toMatchObject({ state: 'waiting', status: 302 });
    receiver.answer((response) => void response.writeHead(204).end());
    server.advance(WEBHOOK_RETRY_FIRST_MS + 1_000);
    await deliver();
    expect((await log(hook.id))[0]).toMatchObject({ state: 'delivered', status: 204, attempts: 2, nextTryAt: null });
  });

  test('says why nothing came back, and does not hold up another webhook', async () => {
    const broken = await add(['announcement.posted'], 'https://other.example.org/');
    const well = await add();
    await announceOne('One');
    await announceOne('Two');
    await deliver();
    expect((await log(broken.id)).map((one: { error: string }) => one.error).sort()).toEqual(['TLS', null].sort());
    expect((await log(well.id)).map((one: { state: string }) => one.state)).toEqual(['delivered', 'delivered']);
    expect(receiver.received.map(({ body }) => JSON.parse(body).data.title)).toEqual(['One', 'Two']);
  });

  test('holds up nobody, however many webhooks fail and however much waits for them', async () => {
    const well = await add();
    await announceOne();
    await server.sql`
      with dead as (
        insert into webhooks (community_id, url, events, secret, created_by)
        select community_id, 'https://dead.example.org/' || n, events, secret, created_by
        from webhooks cross join generate_series(1, 40) n returning id
      ) insert into webhook_deliveries (webhook_id, event, body, created_at, next_try_at)
        select dead.id, event, body, created_at, next_try_at - interval '1 hour'
        from dead cross join webhook_deliveries cross join generate_series(1, 5)`;
    const tried = new Map<string, number>();
    await deliverWebhooks(server.runtime, never, async ({ url }) => {
      tried.set(url.host, (tried.get(url.host) ?? 0) + 1);
      return url.host.startsWith('dead.') ? { error: 'CONNECTION' } : { status: 200 };
    });
    expect((await log(well.id))[0]).toMatchObject({ state: 'delivered' });
    expect([...tried]).toEqual(
      expect.arrayContaining([
        ['dead.example.org', 40],
        ['hooks.example.org', 1],
      ]),
    );
  });

  test('that the end of the process cut off counts as no try', async () => {
    const hook = await add();
    await announceOne();
    const stopping = new AbortController();
    receiver.answer(() => stopping.abort());
    await deliver(stopping.signal);
    expect((await log(hook.id))[0]).toMatchObject({ state: 'waiting', attempts: 0, lastTryAt: null });
  });

  test.each([
    [1, 30_000],
    [2, 60_000],
    [8, 3_600_000],
    [40, 3_600_000],
  ])('after %i tries waits %i ms', (attempts, wait) => {
    const made = new Date('2026-11-21T12:00:00Z');
    expect(nextTry(attempts, made, made)).toEqual(new Date(made.getTime() + wait));
    expect(nextTry(attempts, new Date(made.getTime() - WEBHOOK_RETRY_FOR_MS), made)).toBeNull();
  });
});

test('a receiver that takes its time has so much of it in one run, and goes on in the next', async () => {
  const hook = await add();
  for (let count = 0; count < 5; count += 1) await announceOne(`Number ${count}`);
  const slow = () =>
    deliverWebhooks(server.runtime, never, async () => {
      server.advance(WEBHOOK_TIMEOUT_MS - 1_000);
      return { status: 200 };
    });
  const waiting = async () => (await log(hook.id)).filter((one: { state: string }) => one.state === 'waiting').length;
  await slow();
  expect(await waiting()).toBe(3);
  await slow();
  expect(await waiting()).toBe(1);
});

describe('by hand', () => {
  test('a delivery goes anew with the same body, and the log keeps both', async () => {
    const hook = await add();
    await announceOne();
    await deliver();
    const [old] = await log(hook.id);
    server.advance(1_000);
    const again = await ask('POST', `/webhooks/${hook.id}/deliveries/${old.id}/replay`);
    expect(again.json).toMatchObject({ state: 'waiting', attempts: 0, body: old.body });
    await deliver();
    expect((await log(hook.id)).map((one: { id: string; state: string }) => [one.id, one.state])).toEqual([
      [again.json.id, 'delivered'],
      [old.id, 'delivered'],
    ]);
    expect(receiver.received.map(({ body }) => body)).toEqual([old.body, old.body]);
  });

  test('a delivery that waits goes at once', async () => {
    receiver.answer((response) => void response.writeHead(500).end());
    const hook = await add();
    await announceOne();
    await deliver();
    const [waiting] = await log(hook.id);
    expect((await ask('POST', `/webhooks/${hook.id}/deliveries/${waiting.id}/replay`)).json.id).toBe(waiting.id);
    await deliver();
    expect(receiver.received).toHaveLength(2);
    expect(await log(hook.id)).toHaveLength(1);
  });

  test('a stopped webhook gets nothing, neither new nor again, until it is started', async () => {
    const hook = await add();
    await announceOne('Before');
    expect((await ask('PATCH', `/webhooks/${hook.id}`, { active: false })).json.active).toBe(false);
    await announceOne('Meanwhile');
    await deliver();
    expect(receiver.received).toEqual([]);
    const [held] = await log(hook.id);
    expect((await ask('POST', `/webhooks/${hook.id}/deliveries/${held.id}/replay`)).json.reason).toBe(
      'WEBHOOK_STOPPED',
    );
    await ask('PATCH', `/webhooks/${hook.id}`, { active: true });
    await deliver();
    expect(receiver.received.map(({ body }) => JSON.parse(body).data.title)).toEqual(['Before']);
  });

  test('the log is read page by page, and forgotten after a month', async () => {
    const hook = await add();
    const [row] = await server.sql<[{ now: Date }]>`select ${server.runtime.now()}::timestamptz as now`;
    await server.sql`
      insert into webhook_deliveries (webhook_id, event, body, state, created_at)
      select ${hook.id}, 'member.left', '{}', 'delivered', ${row.now}::timestamptz - make_interval(secs => n / 3)
      from generate_series(1, 120) n`;
    const seen = new Set<string>();
    let [after, pages] = ['', 0];
    do {
      const { json } = await ask('GET', `/webhooks/${hook.id}/deliveries${after}`);
      for (const item of json.items) seen.add(item.id);
      after = json.next === null ? '' : `?after=${encodeURIComponent(json.next)}`;
      pages += 1;
    } while (after !== '');
    expect([seen.size, pages]).toEqual([120, 3]);
    expect((await ask('GET', `/webhooks/${hook.id}/deliveries?after=x`)).json.reason).toBe('INVALID_INPUT');
    server.advance(30 * 86_400_000 + 60_000);
    await sweep(server.runtime);
    expect(await server.sql`select from webhook_deliveries`).toHaveLength(0);
  });
});
