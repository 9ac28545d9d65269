import { expect, test } from 'vitest';
import { areKeys, encrypt, padded } from '../../server/integrations/push/encrypt.ts';
import { restOf } from '../../server/integrations/push/send.ts';
import { makeVapidKey, readVapidKey, vapidHeaders } from '../../server/integrations/push/vapid.ts';
import { checkVapid, makeReader } from '../support/push-endpoint.ts';

const bytes = (text: string) => Buffer.from(text, 'base64url');

test('the example of RFC 8291, appendix A, byte for byte', () => {
  const record = Buffer.from('When I grow up, I want to be a watermelon\x02');
  const keys = {
    p256dh: bytes('BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4'),
    auth: bytes('BTBZMqHH6r4Tts7J_aSIgg'),
  };
  const given = {
    privateKey: bytes('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw'),
    salt: bytes('DGv6ra1nlYgDCS1FRnbzlw'),
  };
  expect(encrypt(record, keys, given).toString('base64url')).toBe(
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
  );
});

test('a browser reads what was encrypted for it, however long, and its length says little', () => {
  const lengths = new Set<number>();
  for (const length of [0, 1, 200, 255, 256, 3_000, 3_993]) {
    const reader = makeReader();
    const text = 'ü'.repeat(length / 2).padEnd(length / 2 + (length % 2), 'x');
    const body = encrypt(padded(Buffer.from(text)), {
      p256dh: bytes(reader.keys.p256dh),
      auth: bytes(reader.keys.auth),
    });
    expect(reader.read(body)).toBe(text);
    expect(body.length).toBeLessThanOrEqual(4_096);
    lengths.add(body.length);
  }
  expect(lengths.size).toBe(4);
  expect(() => padded(Buffer.alloc(3_994))).toThrow('3993');
});

test('keys of another size, or off the curve, are none', () => {
  const { keys } = makeReader();
  const good = { p256dh: bytes(keys.p256dh), auth: bytes(keys.auth) };
  expect(areKeys(good)).toBe(true);
  expect(areKeys({ ...good, auth: good.auth.subarray(1) })).toBe(false);
  expect(areKeys({ ...good, p256dh: good.p256dh.subarray(1) })).toBe(false);
  expect(areKeys({ ...good, p256dh: Buffer.alloc(65, 4) })).toBe(false);
});

test('a header is signed once for each push service and key, and anew after twelve hours', () => {
  const [one, other] = [makeVapidKey(), makeVapidKey()].map(({ publicKey, pem }) => readVapidKey(publicKey, pem));
  if (!one || !other) throw new Error('no keys');
  const header = vapidHeaders('mailto:admin@muster.example');
  const hours = (count: number) => Date.parse('2026-11-21T12:00:00Z') + count * 3_600_000;
  const first = header(one, 'https://fcm.googleapis.com', hours(0));
  expect(checkVapid(first, 'https://fcm.googleapis.com', hours(0))).toEqual({ key: one.publicKey });
  expect(checkVapid(first, 'https://web.push.apple.com', hours(0))).toHaveProperty('problem');
  expect(header(one, 'https://fcm.googleapis.com', hours(11.9))).toBe(first);
  // Still good for a clock that is wrong by hours.
  expect(checkVapid(first, 'https://fcm.googleapis.com', hours(20))).toEqual({ key: one.publicKey });
  expect(header(one, 'https://web.push.apple.com', hours(1))).not.toBe(first);
  expect(header(other, 'https://fcm.googleapis.com', hours(1))).not.toBe(first);
  expect(header(one, 'https://fcm.googleapis.com', hours(12))).not.toBe(first);
});

test('Retry-After in seconds and as a date, within an hour, nonsense aside', () => {
  const now = Date.parse('2026-11-21T12:00:00Z');
  expect(restOf('7', now)).toBe(7_000);
  expect(restOf('Sat, 21 Nov 2026 12:02:00 GMT', now)).toBe(120_000);
  expect(restOf('Sat, 21 Nov 2026 11:00:00 GMT', now)).toBe(0);
  expect(restOf('999999', now)).toBe(3_600_000);
  for (const nothing of [undefined, '', 'soon', '-5']) expect(restOf(nothing, now)).toBeNull();
});
