import { describe, expect, test } from 'vitest';
import { rotateKey } from '../../server/features/notifications/keys.ts';
import { createSession } from '../../server/http/session.ts';
import { untilLockWaits } from '../support/lock-waits.ts';
import { ofFile } from '../support/of-file.ts';
import { makeReader } from '../support/push-endpoint.ts';
import { sampleSubscription } from '../support/samples.ts';
import { testServer } from '../support/server.ts';

const server = await ofFile(testServer({ sandbox: false }));

const save = (cookie: string, subscription: unknown = sampleSubscription(), more: object = {}) =>
  server.request('POST', '/api/pwa/subscribe', { cookie, body: { subscription, ...more } });
const kept = (userId: string) => server.sql<{ endpoint: string }[]>`
  select endpoint from push_subscriptions where user_id = ${userId} order by saved_at, id`;
/** Another browser of somebody. */
async function signInAgain(userId: string): Promise<string> {
  const { token } = await createSession(server.sql, {
    userId,
    kind: 'web',
    userAgent: 'other',
    now: server.runtime.now(),
  });
  return `${(await server.person()).cookie.split('=', 1)[0]}=${token}`;
}

test('the public key is an uncompressed point, the same for everybody, and made once', async () => {
  const keys = await Promise.all(Array.from({ length: 5 }, () => server.request('GET', '/api/vapid-public-key')));
  const [first] = keys.map(({ json }) => json.publicKey as string);
  expect(new Set(keys.map(({ json }) => json.publicKey)).size).toBe(1);
  const point = Buffer.from(first ?? '', 'base64url');
  expect([point.length, point[0]]).toEqual([65, 4]);
  expect(await server.sql`select count(*)::int from vapid_keys`).toEqual([{ count: 1 }]);
});

test('a subscription is saved under who is signed in, and only then', async () => {
  const { cookie, userId } = await server.person();
  const subscription = sampleSubscription();
  expect((await server.request('POST', '/api/pwa/subscribe', { body: { subscription } })).status).toBe(401);
  expect(await kept(userId)).toEqual([]);
  expect((await save(cookie, subscription)).json).toEqual({ ok: true, id: expect.any(String) });
  expect(await kept(userId)).toEqual([{ endpoint: subscription.endpoint }]);
  const { json } = await server.request('GET', '/api/user/notifications', { cookie });
  expect(json.devices).toMatchObject([{ service: 'fcm.googleapis.com', current: true, lastTryAt: null }]);
  // Who can read an endpoint can ask its push service about it: it never comes back.
  expect(JSON.stringify(json)).not.toContain(subscription.endpoint);
});

test('the same browser saved again is the same subscription', async () => {
  const { cookie, userId } = await server.person();
  const subscription = sampleSubscription();
  const [first, second] = [await save(cookie, subscription), await save(cookie, subscription)];
  expect(second.json.id).toBe(first.json.id);
  expect(await kept(userId)).toHaveLength(1);
});

test('a session that ends at the same moment saves nothing, and whoever asked is told to sign in', async () => {
  const { cookie, userId } = await server.person();
  const answer = await server.sql.begin(async (tx) => {
    await tx`delete from sessions where user_id = ${userId}`;
    const saving = save(cookie);
    await untilLockWaits(server.sql, 1);
    return { saving };
  });
  const { status, json } = await answer.saving;
  expect([status, json.reason]).toEqual([401, 'NOT_SIGNED_IN']);
  expect(await kept(userId)).toEqual([]);
});

test('who signs out while a subscription is saved takes it along, and neither waits for ever', async () => {
  for (let round = 0; round < 10; round += 1) {
    const { cookie, userId } = await server.person();
    const subscription = sampleSubscription();
    await save(cookie, subscription);
    const answers = await Promise.all([
      save(cookie, subscription),
      server.request('POST', '/api/auth/logout', { cookie }),
      save(cookie),
    ]);
    for (const { status } of answers) expect([200, 204, 401]).toContain(status);
    expect(await kept(userId)).toEqual([]);
  }
});

describe('the owner moves with the session', () => {
  test('another member who signs in on the same browser has it, the one before no more', async () => {
    const [first, second] = [await server.person(), await server.person()];
    const subscription = sampleSubscription();
    await save(first.cookie, subscription);
    await save(second.cookie, subscription);
    expect(await kept(first.userId)).toEqual([]);
    expect(await kept(second.userId)).toEqual([{ endpoint: subscription.endpoint }]);
    const { json } = await server.request('GET', '/api/user/notifications', { cookie: second.cookie });
    expect(json.devices).toMatchObject([{ lastTryAt: null, lastStatus: null }]);
  });

  test('signing out takes it from the member, in the same moment', async () => {
    const { cookie, userId } = await server.person();
    await save(cookie);
    await server.request('POST', '/api/auth/logout', { cookie });
    expect(await kept(userId)).toEqual([]);
  });

  test('a session ended from elsewhere takes its browser along and leaves the others', async () => {
    const { cookie, userId } = await server.person();
    const other = await signInAgain(userId);
    const [here, there] = [sampleSubscription(), sampleSubscription()];
    await save(cookie, here);
    await save(other, there);
    const sessions = (await server.request('GET', '/api/auth/sessions', { cookie })).json;
    const theirs = sessions.find(({ current }: { current: boolean }) => !current);
    await server.request('DELETE', `/api/auth/sessions/${theirs.id}`, { cookie });
    expect(await kept(userId)).toEqual([{ endpoint: here.endpoint }]);
  });

  test("nobody takes another member's subscription away by naming it", async () => {
    const [owner, other] = [await server.person(), await server.person()];
    const { endpoint, ...rest } = sampleSubscription();
    await save(owner.cookie, { endpoint, ...rest });
    const forget = (cookie: string) => server.request('POST', '/api/pwa/unsubscribe', { cookie, body: { endpoint } });
    await forget(other.cookie);
    expect(await kept(owner.userId)).toHaveLength(1);
    await forget(owner.cookie);
    expect(await kept(owner.userId)).toEqual([]);
  });
});

test('a member has ten browsers at most: the ones saved longest ago go', async () => {
  const { cookie, userId } = await server.person();
  const saved: string[] = [];
  for (let count = 0; count < 12; count += 1) {
    const subscription = sampleSubscription();
    saved.push(subscription.endpoint);
    server.advance(1_000);
    await save(count === 0 ? cookie : await signInAgain(userId), subscription);
  }
  expect((await kept(userId)).map(({ endpoint }) => endpoint)).toEqual(saved.slice(2));
});

describe('what is no subscription is refused', () => {
  const sample = sampleSubscription();
  test.each([
    ['http://fcm.googleapis.com/fcm/send/x', 422],
    ['https://push.example.org/x', 422],
    ['https://fcm.googleapis.com:8443/x', 422],
    ['https://me@fcm.googleapis.com/x', 422],
    ['https://127.0.0.1/fcm.googleapis.com', 422],
    [`https://fcm.googleapis.com/${'x'.repeat(2_050)}`, 400],
    ['', 400],
  ])('%s', async (endpoint, status) => {
    const { cookie, userId } = await server.person();
    const reason = status === 422 ? 'ENDPOINT_NOT_ALLOWED' : 'INVALID_INPUT';
    expect((await save(cookie, { ...sample, endpoint })).json).toMatchObject({ status, reason });
    expect(await kept(userId)).toEqual([]);
  });

  test('keys that are no point of the curve', async () => {
    const { cookie } = await server.person();
    const off = Buffer.alloc(65, 7).toString('base64url');
    const refused = await save(cookie, { ...sample, keys: { ...sample.keys, p256dh: off } });
    expect(refused.json).toMatchObject({ status: 422, reason: 'KEYS_INVALID' });
  });

  test('a field that nobody knows', async () => {
    const { cookie } = await server.person();
    const refused = await save(cookie, { ...sample, userId: 'somebody' });
    expect(refused.json).toMatchObject({ status: 400, reason: 'INVALID_INPUT' });
  });
});

test('a rotated key is what browsers are given, and the old one serves who has it still', async () => {
  const { cookie } = await server.person();
  const before = (await server.request('GET', '/api/vapid-public-key')).json.publicKey;
  await server.sql.begin((tx) => rotateKey(tx, server.runtime.now()));
  const after = (await server.request('GET', '/api/vapid-public-key')).json.publicKey;
  expect(after).not.toBe(before);
  const withOld = { ...sampleSubscription(), keys: makeReader().keys };
  expect((await save(cookie, withOld, { publicKey: before })).status).toBe(200);
  const strange = makeReader().keys.p256dh;
  expect((await save(cookie, withOld, { publicKey: strange })).json).toMatchObject({ reason: 'KEY_UNKNOWN' });
});
