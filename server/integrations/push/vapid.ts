import { createPrivateKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { VAPID_HEADER_KEPT_MS } from '../../contract/limits.ts';

export type VapidKey = {
  /** Uncompressed point, base64url: what a browser subscribes with. */
  publicKey: string;
  privateKey: KeyObject;
};

/** RFC 8292 lets a token live for a day; push services' clocks may differ from ours. */
const TOKEN_LIVES_MS = 23 * 60 * 60_000;

const json = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const HEADER = json({ typ: 'JWT', alg: 'ES256' });

/** A new key pair; the private key as PKCS 8 PEM. */
export function makeVapidKey(): { publicKey: string; pem: string } {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const { x = '', y = '' } = privateKey.export({ format: 'jwk' });
  const point = Buffer.concat([Buffer.of(4), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]);
  return {
    publicKey: point.toString('base64url'),
    pem: String(privateKey.export({ format: 'pem', type: 'pkcs8' })),
  };
}
export const readVapidKey = (publicKey: string, pem: string): VapidKey => ({
  publicKey,
  privateKey: createPrivateKey(pem),
});

/** The `Authorization` header for one push service (RFC 8292), valid for `TOKEN_LIVES_MS` from `now`. */
export function vapidHeader(key: VapidKey, origin: string, subject: string, now: number): string {
  const exp = Math.floor((now + TOKEN_LIVES_MS) / 1_000);
  const text = `${HEADER}.${json({ aud: origin, exp, sub: subject })}`;
  const signature = sign('sha256', Buffer.from(text), { key: key.privateKey, dsaEncoding: 'ieee-p1363' });
  return `vapid t=${text}.${signature.toString('base64url')}, k=${key.publicKey}`;
}

/** Signs once per push service and key in twelve hours: signing costs more than all the rest of a message. */
export function vapidHeaders(subject: string): (key: VapidKey, origin: string, now: number) => string {
  const kept = new Map<string, { header: string; until: number }>();
  return (key, origin, now) => {
    const name = `${origin} ${key.publicKey}`;
    const known = kept.get(name);
    if (known && known.until > now && known.until - now <= VAPID_HEADER_KEPT_MS) return known.header;
    const header = vapidHeader(key, origin, subject, now);
    for (const [other, { until }] of kept) if (until <= now) kept.delete(other);
    kept.set(name, { header, until: now + VAPID_HEADER_KEPT_MS });
    return header;
  };
}
