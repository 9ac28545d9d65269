import { generateKeyPairSync } from 'node:crypto';
import { afterEach, expect, test, vi } from 'vitest';
import { areKeys, messageFor, padded } from '../../server/integrations/push/message.ts';
import { restOf } from '../../server/integrations/push/send.ts';
import { makeVapidKey, readVapidKey, vapidHeader } from '../../server/integrations/push/vapid.ts';
import { checkVapid, makeReader } from '../support/push-endpoint.ts';

const bytes = (text: string) => Buffer.from(text, 'base64url');
const GOOGLE = 'https://fcm.googleapis.com';
const SUBJECT = 'mailto:admin@muster.example';

test('the example of RFC 8291, appendix A, is read by the browser that the other tests read with', () => {
  const reader = makeReader({
    privateKey: bytes('q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94'),
    auth: bytes('BTBZMqHH6r4Tts7J_aSIgg'),
  });
  expect(reader.keys.p256dh).toBe(
    'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  );
  const body =
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN';
  expect(reader.read(bytes(body))).toBe('When I grow up, I want to be a watermelon');
});

const content = { ttl: 60, urgency: 'high', topic: 'announcement:1' } as const;
/** One message to a browser that has just subscribed, and what this browser reads. */
function sent(json: string) {
  const reader = makeReader();
  const keys = { p256dh: bytes(reader.keys.p256dh), auth: bytes(reader.keys.auth) };
  const message = messageFor(keys, { ...content, text: padded(json) }, 'vapid t=t, k=k');
  return { ...message, read: reader.read(message.body) };
}

test('a browser reads what was encrypted for it, however long, and its length says little', () => {
  const lengths = new Set<number>();
  for (const length of [2, 3, 200, 255, 256, 3_000, 3_993]) {
    const text = `${'ü'.repeat((length - 2) / 2)}${length % 2 === 1 ? 'x' : ''}`;
    const { body, read } = sent(JSON.stringify(text));
    expect(JSON.parse(read)).toBe(text);
    expect(body.length).toBeLessThanOrEqual(4_096);
    // One record, and a key of 65 bytes (RFC 8188, section 2.1; RFC 8291, section 4).
    expect([body.readUInt32BE(16), body[20]]).toEqual([4_096, 65]);
    lengths.add(body.length);
  }
  expect(lengths.size).toBe(4);
  expect(() => padded('x'.repeat(3_994))).toThrow('3993');
});

test('no two messages have a salt, a key or a body in common', () => {
  const bodies = Array.from({ length: 50 }, () => sent('{}').body);
  const parts = (from: number, to?: number) => new Set(bodies.map((body) => body.toString('hex', from, to)));
  expect([parts(0, 16).size, parts(21, 86).size, parts(86).size]).toEqual([50, 50, 50]);
});

test('a message says how long, how urgent and about what, and carries the header that it was given', () => {
  const { headers, body } = sent('{}');
  expect(headers).toMatchObject({
    Authorization: 'vapid t=t, k=k',
    'Content-Encoding': 'aes128gcm',
    'Content-Length': body.length,
    TTL: 60,
    Urgency: 'high',
    Topic: expect.stringMatching(/^[\w-]{32}$/),
  });
});

test('keys of another size, or off the curve, are none', () => {
  const { keys } = makeReader();
  const good = { p256dh: bytes(keys.p256dh), auth: bytes(keys.auth) };
  expect(areKeys(good)).toBe(true);
  const bad = [
    { ...good, auth: good.auth.subarray(1) },
    { ...good, auth: Buffer.concat([good.auth, Buffer.of(1)]) },
    { ...good, auth: Buffer.alloc(0) },
    { ...good, p256dh: good.p256dh.subarray(1) },
    { ...good, p256dh: Buffer.alloc(65, 4) },
  ];
  for (const keys of bad) expect(areKeys(keys)).toBe(false);
  expect(() => messageFor({ ...good, p256dh: Buffer.alloc(65, 4) }, { ...content, text: '{}' }, '')).toThrow();
});

afterEach(() => void vi.useRealTimers());

test('a header is signed once for each push service and key, and anew after twelve hours', () => {
  const [one, other] = [makeVapidKey(), makeVapidKey()];
  const start = Date.parse('2026-11-21T12:00:00Z');
  const at = (hours: number) => start + hours * 3_600_000;
  const header = (hours: number, key = one, origin = GOOGLE) => {
    vi.useFakeTimers({ toFake: ['Date'], now: at(hours) });
    return vapidHeader(key, origin, SUBJECT);
  };
  const first = header(0);
  expect(checkVapid(first, GOOGLE, at(0))).toEqual({ key: one.publicKey });
  expect(checkVapid(first, 'https://web.push.apple.com', at(0))).toHaveProperty('problem');
  expect(header(11.9)).toBe(first);
  // Still good for a clock that is wrong by hours.
  expect(checkVapid(first, GOOGLE, at(20))).toEqual({ key: one.publicKey });
  expect(header(1, one, 'https://web.push.apple.com')).not.toBe(first);
  expect(header(1, other)).not.toBe(first);
  const second = header(12);
  expect(second).not.toBe(first);
  // The clock was put back by a day.
  expect(header(-12)).not.toBe(second);
});

test('a key that an earlier start stored as PKCS 8 signs as before', () => {
  for (let turn = 0; turn < 20; turn += 1) {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
    const { x = '', y = '' } = privateKey.export({ format: 'jwk' });
    const publicKey = Buffer.concat([Buffer.of(4), bytes(x), bytes(y)]).toString('base64url');
    const stored = String(privateKey.export({ format: 'pem', type: 'pkcs8' }));
    const header = vapidHeader(readVapidKey(publicKey, stored), GOOGLE, SUBJECT);
    expect(checkVapid(header, GOOGLE, Date.now())).toEqual({ key: publicKey });
  }
});

test('a key is stored as it was made', () => {
  const key = makeVapidKey();
  expect(readVapidKey(key.publicKey, key.privateKey)).toEqual(key);
  expect([bytes(key.publicKey).length, bytes(key.privateKey).length]).toEqual([65, 32]);
});

test('Retry-After in seconds and as a date, within an hour, nonsense aside', () => {
  const now = Date.parse('2026-11-21T12:00:00Z');
  expect(restOf('7', now)).toBe(7_000);
  expect(restOf('Sat, 21 Nov 2026 12:02:00 GMT', now)).toBe(120_000);
  expect(restOf('Sat, 21 Nov 2026 11:00:00 GMT', now)).toBe(0);
  expect(restOf('999999', now)).toBe(3_600_000);
  for (const nothing of [undefined, '', 'soon', '-5']) expect(restOf(nothing, now)).toBeNull();
});
